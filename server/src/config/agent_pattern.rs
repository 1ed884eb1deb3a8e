//! Which agents something is for: an id, a name, or a glob over them.

use std::{borrow::Cow, fmt};

use globset::{Glob, GlobMatcher};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::config::{
    format::{self, Format},
    found::{found, quoted},
    problem::Complaint,
};

/// An agent's id or name, or a glob: `*` and `?` stand for any characters and one character,
/// `[ab]` and `{a,b}` for alternatives.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AgentPattern(Glob);

impl AgentPattern {
    /// The pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.glob()
    }

    /// Makes what compares ids and names with the pattern.
    #[must_use]
    pub fn matcher(&self) -> GlobMatcher {
        self.0.compile_matcher()
    }
}

impl fmt::Display for AgentPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Format for AgentPattern {
    const NAME: &'static str = "sidehook-agent-pattern";

    fn read(value: &Value) -> Result<Self, Complaint> {
        match value {
            Value::String(text) if text.is_empty() => {
                Err(Complaint::new("the pattern is empty").suggest("`*` stands for every agent"))
            }
            Value::String(text) => Glob::new(text).map(Self).map_err(|error| {
                Complaint::new(format!("{} is not a glob: {}", quoted(text), error.kind()))
            }),
            _ => Err(Complaint::new(format!(
                "expected the id, name or glob of an agent, found {}",
                found(value)
            ))),
        }
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "examples": ["support", "billing-*"] })
    }
}

impl JsonSchema for AgentPattern {
    fn schema_name() -> Cow<'static, str> {
        "AgentPattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        format::named::<Self>()
    }
}

impl<'de> Deserialize<'de> for AgentPattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        format::deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pattern_matches_ids_and_globs() {
        for (pattern, agent, expected) in [
            ("support", "support", true),
            ("support", "support-eu", false),
            ("support-*", "support-eu/1", true),
            ("{a,b}?", "b1", true),
        ] {
            let matcher = AgentPattern::read(&json!(pattern)).unwrap().matcher();
            assert_eq!(matcher.is_match(agent), expected, "{pattern} {agent}");
        }
    }

    #[test]
    fn a_bad_pattern_says_why() {
        let cases = [
            (json!(""), "the pattern is empty; `*` stands for every agent"),
            (json!("a[b"), "`a[b` is not a glob: unclosed character class; missing ']'"),
            (json!(1), "expected the id, name or glob of an agent, found the number 1"),
        ];
        for (value, message) in cases {
            assert_eq!(AgentPattern::read(&value).unwrap_err().to_string(), message, "{value}");
        }
    }
}
