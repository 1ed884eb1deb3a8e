//! Spans of time as people write them: `250ms`, `2s`, `1h30m`.

use std::{borrow::Cow, fmt, time};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::config::{
    format::{self, Format},
    found::{found, quoted},
    problem::Complaint,
};

/// The units that are accepted, from long to short, with their milliseconds.
const UNITS: [(&str, u64); 4] = [("h", 60 * 60 * 1000), ("m", 60 * 1000), ("s", 1000), ("ms", 1)];

/// Spellings that are understood only to suggest the right one. A day is among them, because not
/// every day has 24 hours.
const SPELLINGS: [(u64, &[&str]); 5] = [
    (24 * 60 * 60 * 1000, &["d", "day", "days"]),
    (60 * 60 * 1000, &["h", "hr", "hrs", "hour", "hours"]),
    (60 * 1000, &["m", "min", "mins", "minute", "minutes"]),
    (1000, &["", "s", "sec", "secs", "second", "seconds"]),
    (1, &["ms", "msec", "millis", "millisecond", "milliseconds"]),
];

/// The most digits of one number. Nine digits of every unit still fit 64 bits of milliseconds.
const MAX_DIGITS: usize = 9;

/// A span of time above zero, in whole milliseconds.
///
/// Written as numbers with the units `h`, `m`, `s` and `ms`, from long to short: `250ms`, `5m`,
/// `1h30m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

/// A limit on time: a [`Duration`], or `0` for no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Timeout {
    /// No limit, written `0`.
    Off,
    /// The limit.
    After(Duration),
}

// === impl Duration ===

impl Duration {
    /// A span of `n` milliseconds, at least 1.
    #[must_use]
    pub const fn milliseconds(n: u64) -> Self {
        Self(if n == 0 { 1 } else { n })
    }

    /// A span of `n` seconds, at least 1.
    #[must_use]
    pub const fn seconds(n: u32) -> Self {
        Self::milliseconds(n as u64 * 1000)
    }

    /// A span of `n` minutes, at least 1.
    #[must_use]
    pub const fn minutes(n: u32) -> Self {
        Self::milliseconds(n as u64 * 60 * 1000)
    }

    /// A span of `n` hours, at least 1.
    #[must_use]
    pub const fn hours(n: u32) -> Self {
        Self::milliseconds(n as u64 * 60 * 60 * 1000)
    }
}

impl From<Duration> for time::Duration {
    fn from(duration: Duration) -> Self {
        Self::from_millis(duration.0)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        for (unit, milliseconds) in UNITS {
            let count = rest / milliseconds;
            rest %= milliseconds;
            if count > 0 {
                write!(f, "{count}{unit}")?;
            }
        }
        Ok(())
    }
}

impl Format for Duration {
    const NAME: &'static str = "sidehook-duration";

    fn read(value: &Value) -> Result<Self, Complaint> {
        match parse(value)? {
            0 => Err(Complaint::new("must be longer than zero")),
            milliseconds => Ok(Self(milliseconds)),
        }
    }

    fn schema() -> Schema {
        json_schema!({
            "description": "A span of time above zero: numbers with the units `h`, `m`, `s` and `ms`, from long to short.",
            "type": "string",
            "pattern": "^(?=.*[1-9])([0-9]{1,9}h)?([0-9]{1,9}m)?([0-9]{1,9}s)?([0-9]{1,9}ms)?$",
            "examples": ["250ms", "2s", "1h30m"],
        })
    }
}

impl JsonSchema for Duration {
    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        format::named::<Self>()
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        format::deserialize(deserializer)
    }
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

// === impl Timeout ===

impl Timeout {
    /// The limit, if there is one.
    #[must_use]
    pub fn limit(self) -> Option<time::Duration> {
        match self {
            Self::Off => None,
            Self::After(duration) => Some(duration.into()),
        }
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("0"),
            Self::After(duration) => duration.fmt(f),
        }
    }
}

impl Format for Timeout {
    const NAME: &'static str = "sidehook-timeout";

    fn read(value: &Value) -> Result<Self, Complaint> {
        if value.as_u64() == Some(0) {
            return Ok(Self::Off);
        }
        Ok(match parse(value)? {
            0 => Self::Off,
            milliseconds => Self::After(Duration(milliseconds)),
        })
    }

    fn schema() -> Schema {
        json_schema!({
            "description": "A span of time, or `0` for no limit: numbers with the units `h`, `m`, `s` and `ms`, from long to short.",
            "anyOf": [
                {
                    "type": "string",
                    "pattern": "^(?=.)([0-9]{1,9}h)?([0-9]{1,9}m)?([0-9]{1,9}s)?([0-9]{1,9}ms)?$",
                },
                { "const": 0 },
            ],
            "examples": ["250ms", "2s", 0],
        })
    }
}

impl JsonSchema for Timeout {
    fn schema_name() -> Cow<'static, str> {
        "Timeout".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        format::named::<Self>()
    }
}

impl<'de> Deserialize<'de> for Timeout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        format::deserialize(deserializer)
    }
}

impl Serialize for Timeout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_u64(0),
            Self::After(duration) => duration.serialize(serializer),
        }
    }
}

/// Reads a span of time as milliseconds.
fn parse(value: &Value) -> Result<u64, Complaint> {
    let Value::String(text) = value else {
        let message = format!("expected a duration such as `250ms`, found {}", found(value));
        let seconds = value.as_u64().filter(|seconds| *seconds > 0);
        let suggestion = seconds.map(|seconds| format!("did you mean `{seconds}s`?"));
        return Err(Complaint::new(message).suggest_if(suggestion));
    };
    strict(text).ok_or_else(|| {
        let complaint = Complaint::new(format!("{} is not a duration", quoted(text)));
        complaint.suggest(match lenient(text) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "write it like `250ms`, `2s` or `1h30m`".to_owned(),
        })
    })
}

fn strict(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total = 0;
    for (unit, milliseconds) in UNITS {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let Some((number, after)) = rest.split_at_checked(digits) else { continue };
        let letters = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let Some((found, after)) = after.split_at_checked(letters) else { continue };
        if found == unit && (1..=MAX_DIGITS).contains(&digits) {
            total += number.parse::<u64>().ok()? * milliseconds;
            rest = after;
        }
    }
    (rest.is_empty() && !text.is_empty()).then_some(total)
}

/// Guesses what `text` means: `1.5 hours` is `1h30m`.
fn lenient(text: &str) -> Option<Duration> {
    let text: String =
        text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    let mut rest = text.as_str();
    let mut total = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(digits)?;
        let letters = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (found, after) = after.split_at_checked(letters)?;
        let (milliseconds, _) = SPELLINGS.into_iter().find(|(_, names)| names.contains(&found))?;
        total += number.parse::<f64>().ok()? * milliseconds as f64;
        rest = after;
    }
    let milliseconds = total.round();
    (1.0..1e15).contains(&milliseconds).then_some(Duration(milliseconds as u64))
}

#[cfg(test)]
mod tests;
