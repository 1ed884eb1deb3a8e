//! Names of middleware and of sets.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::config::{
    format::{self, Format},
    found::{found, quoted},
    problem::Complaint,
};

/// The longest name, in characters: it becomes the label of a metric and a part of log lines.
const MAX_LENGTH: usize = 64;

/// A name such as `refund-guard`: at most 64 lower-case letters, digits and `.`, `_`, `:`, `-`,
/// starting with a letter or a digit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

impl Name {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Format for Name {
    const NAME: &'static str = "sidehook-name";

    fn read(value: &Value) -> Result<Self, Complaint> {
        let Value::String(text) = value else {
            return Err(Complaint::new(format!("expected a name, found {}", found(value))));
        };
        if is_name(text) {
            return Ok(Self(text.clone()));
        }
        let complaint = Complaint::new(format!("{} is not a name", quoted(text)));
        let meant: String = text.trim().chars().map(repair).take(MAX_LENGTH).collect();
        Err(complaint.suggest(if is_name(&meant) {
            format!("did you mean `{meant}`?")
        } else {
            "a name is 1 to 64 characters of `a-z`, `0-9` and `._:-`, and starts with a letter or digit".to_owned()
        }))
    }

    fn schema() -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[a-z0-9][a-z0-9._:-]{0,63}$",
            "examples": ["refund-guard"],
        })
    }
}

impl JsonSchema for Name {
    fn schema_name() -> Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        format::named::<Self>()
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        format::deserialize(deserializer)
    }
}

fn is_name(text: &str) -> bool {
    let is_alphanumeric = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.chars().count() <= MAX_LENGTH
        && text.starts_with(is_alphanumeric)
        && text.chars().all(|c| is_alphanumeric(c) || matches!(c, '.' | '_' | ':' | '-'))
}

fn repair(c: char) -> char {
    if c.is_whitespace() { '-' } else { c.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_is_a_short_lower_case_word() {
        for text in ["a", "refund-guard", "cogitator:pii", "0.x_y", &"a".repeat(64)] {
            assert_eq!(Name::read(&json!(text)).unwrap().as_str(), text);
        }
    }

    #[test]
    fn a_bad_name_says_what_would_be_right() {
        let rule = "a name is 1 to 64 characters of `a-z`, `0-9` and `._:-`, and starts with a letter or digit";
        let cases = [
            (
                json!("Refund Guard"),
                "`Refund Guard` is not a name; did you mean `refund-guard`?".to_owned(),
            ),
            (json!(""), format!("`` is not a name; {rule}")),
            (json!("-a"), format!("`-a` is not a name; {rule}")),
            (json!("é"), format!("`é` is not a name; {rule}")),
            (json!(7), "expected a name, found the number 7".to_owned()),
        ];
        for (value, message) in cases {
            assert_eq!(Name::read(&value).unwrap_err().to_string(), message, "{value}");
        }
    }
}
