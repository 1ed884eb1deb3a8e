//! Amounts of memory as people write them: `1MiB`, `500KB`.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::config::{
    format::{self, Format},
    found::{found, quoted},
    problem::Complaint,
};

/// The units. Binary ones first, so that they are preferred when a size is shown.
const UNITS: [(&str, u64); 7] = [
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("KB", 1000),
    ("B", 1),
];

/// Where the number before a unit ends, so that every size fits 64 bits.
const MAX_COUNT: u64 = 1_000_000_000;

/// As [`MAX_COUNT`], before a plain `B`.
const MAX_BYTES: u64 = 1_000_000_000_000_000_000;

/// A number of bytes above zero.
///
/// Written with a unit, optionally after a space: `1MiB` and `16 KiB` are powers of 1024, `500KB`
/// is a power of 1000. A bare number is refused, because it does not say what it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSize(u64);

impl ByteSize {
    /// A size of `n` bytes, at least 1. One of 10^18 bytes or more cannot be written in a file.
    #[must_use]
    pub const fn from_bytes(n: u64) -> Self {
        Self(if n == 0 { 1 } else { n })
    }

    /// A size of `n` times 1024 bytes.
    #[must_use]
    pub const fn kib(n: u32) -> Self {
        Self::from_bytes((n as u64) << 10)
    }

    /// A size of `n` times 1,048,576 bytes.
    #[must_use]
    pub const fn mib(n: u32) -> Self {
        Self::from_bytes((n as u64) << 20)
    }

    /// The number of bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// The number of bytes, as a length in memory. A size that no memory has is the longest length.
    #[must_use]
    pub fn as_usize(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = UNITS.into_iter().map(|(unit, bytes)| (unit, self.0 / bytes, self.0 % bytes));
        let exact = counts.filter(|(_, count, rest)| *rest == 0 && *count < MAX_COUNT);
        // The biggest unit gives the shortest number; of two, the binary one comes first.
        match exact.min_by_key(|(_, count, _)| *count) {
            Some((unit, count, _)) => write!(f, "{count}{unit}"),
            None => write!(f, "{}B", self.0),
        }
    }
}

impl Format for ByteSize {
    const NAME: &'static str = "sidehook-byte-size";

    fn read(value: &Value) -> Result<Self, Complaint> {
        let Value::String(text) = value else {
            let message = format!("expected a size such as `1MiB`, found {}", found(value));
            let bytes = value.as_u64().filter(|bytes| (1..MAX_BYTES).contains(bytes));
            let suggestion = bytes.map(|bytes| format!("did you mean `{}`?", Self(bytes)));
            return Err(Complaint::new(message).suggest_if(suggestion));
        };
        match strict(text) {
            Some(0) => Err(Complaint::new("must be more than zero bytes")),
            Some(bytes) => Ok(Self(bytes)),
            None => {
                let complaint = Complaint::new(format!("{} is not a size", quoted(text)));
                Err(complaint.suggest(match lenient(text) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "write it like `64KiB`, `1MiB` or `500KB`".to_owned(),
                }))
            }
        }
    }

    fn schema() -> Schema {
        json_schema!({
            "description": "A number of bytes above zero, with the unit `B`, `KiB`, `MiB`, `GiB` (powers of 1024), `KB`, `MB` or `GB` (powers of 1000).",
            "type": "string",
            "pattern": "^(?=.*[1-9])([0-9]{1,18} ?B|0{0,9}[0-9]{1,9} ?([KMG]i?B))$",
            "examples": ["64KiB", "1MiB", "500KB"],
        })
    }
}

impl JsonSchema for ByteSize {
    fn schema_name() -> Cow<'static, str> {
        "ByteSize".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        format::named::<Self>()
    }
}

impl<'de> Deserialize<'de> for ByteSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        format::deserialize(deserializer)
    }
}

impl Serialize for ByteSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn strict(text: &str) -> Option<u64> {
    let (digits, unit) = split(text)?;
    let (unit, bytes) =
        UNITS.into_iter().find(|(known, _)| *known == unit.strip_prefix(' ').unwrap_or(unit))?;
    let end = if unit == "B" { MAX_BYTES } else { MAX_COUNT };
    // The schema's pattern counts digits, so leading zeros count too.
    let count = digits.parse().ok().filter(|count| *count < end && digits.len() <= 18)?;
    bytes.checked_mul(count)
}

/// Guesses what `text` means: `16mb` is `16MB`, `1M` is `1MiB`.
fn lenient(text: &str) -> Option<ByteSize> {
    let (digits, unit) = split(text.trim())?;
    let unit = unit.trim().to_lowercase();
    let unit = match unit.as_str() {
        "" | "byte" | "bytes" => "b",
        "k" | "ki" => "kib",
        "m" | "mi" => "mib",
        "g" | "gi" => "gib",
        unit => unit,
    };
    let (_, bytes) = UNITS.into_iter().find(|(known, _)| known.to_lowercase() == unit)?;
    let bytes = digits.parse::<u64>().ok()?.checked_mul(bytes)?;
    (1..MAX_BYTES).contains(&bytes).then_some(ByteSize(bytes))
}

fn split(text: &str) -> Option<(&str, &str)> {
    text.split_at_checked(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_size_is_read_and_shown_in_its_biggest_unit() {
        let cases = [
            ("1MiB", 1 << 20, "1MiB"),
            ("16 MiB", 16 << 20, "16MiB"),
            ("500KB", 500_000, "500KB"),
            ("1024KiB", 1 << 20, "1MiB"),
            ("2GB", 2_000_000_000, "2GB"),
            ("7B", 7, "7B"),
        ];
        for (text, bytes, shown) in cases {
            let size = ByteSize::read(&json!(text)).unwrap();
            assert_eq!((size.bytes(), size.to_string().as_str()), (bytes, shown), "{text}");
        }
    }

    #[test]
    fn a_bad_size_says_what_would_be_right() {
        let cases = [
            (
                json!(1048576),
                "expected a size such as `1MiB`, found the number 1048576; did you mean `1MiB`?",
            ),
            (json!(0), "expected a size such as `1MiB`, found the number 0"),
            (json!(true), "expected a size such as `1MiB`, found `true`"),
            (json!("16mb"), "`16mb` is not a size; did you mean `16MB`?"),
            (json!("1M"), "`1M` is not a size; did you mean `1MiB`?"),
            (json!("4096"), "`4096` is not a size; did you mean `4KiB`?"),
            (json!("big"), "`big` is not a size; write it like `64KiB`, `1MiB` or `500KB`"),
            (
                json!("9999999999GiB"),
                "`9999999999GiB` is not a size; write it like `64KiB`, `1MiB` or `500KB`",
            ),
            (json!("0B"), "must be more than zero bytes"),
        ];
        for (value, message) in cases {
            assert_eq!(ByteSize::read(&value).unwrap_err().to_string(), message, "{value}");
        }
    }

    proptest! {
        #[test]
        fn every_size_is_read_back(bytes in 1..1_000_000_000_000_000_000_u64) {
            let size = ByteSize::from_bytes(bytes);
            prop_assert_eq!(ByteSize::read(&json!(size)).unwrap(), size);
        }

        #[test]
        fn every_round_size_is_read_back(count in 1..1_000_000_000_u64, unit in 0..UNITS.len()) {
            let size = ByteSize::from_bytes(count * UNITS[unit].1);
            prop_assert_eq!(ByteSize::read(&json!(size)).unwrap(), size);
        }
    }
}
