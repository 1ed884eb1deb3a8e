//! Two kinds of middleware for tests.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;

use crate::config::{ByteSize, Duration, KindSchema, Kinds};

pub(super) fn kinds() -> Kinds {
    let pii = KindSchema {
        name: "pii",
        summary: "Masks personal data.",
        builtin: true,
        schema: SchemaGenerator::subschema_for::<Pii>,
    };
    let rules = KindSchema {
        name: "rules",
        summary: "Acts on texts that match a pattern.",
        builtin: false,
        schema: Rules::json_schema,
    };
    [pii, rules].into_iter().collect()
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Pii {
    /// What is masked.
    pub(super) detect: Option<Vec<Detector>>,
    /// What happens to it.
    #[serde(default)]
    pub(super) mode: PiiMode,
    /// How sure a detector must be.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(super) threshold: Option<f64>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Detector {
    Email,
    Phone,
    CreditCard,
}

#[derive(Debug, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PiiMode {
    /// Replaces it.
    #[default]
    Mask,
    /// Refuses the run.
    Block,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the schema of some fields is tested")]
pub(super) struct Rules {
    pub(super) rules: Vec<Rule>,
    #[serde(default)]
    pub(super) max_text: Option<ByteSize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the schema of some fields is tested")]
pub(super) struct Rule {
    /// A regular expression.
    #[schemars(length(min = 1, max = 20))]
    pub(super) pattern: String,
    pub(super) action: Action,
    #[schemars(range(max = 10))]
    #[serde(default)]
    pub(super) max_hits: Option<u8>,
    #[serde(default)]
    pub(super) within: Option<Duration>,
    /// Anything.
    #[serde(default)]
    pub(super) note: serde_json::Value,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "only the schema of some fields is tested")]
pub(super) enum Action {
    Deny {
        reason: String,
    },
    Score {
        by: f64,
        #[schemars(regex(pattern = r"^[a-z]+$"))]
        label: Option<String>,
    },
    Log {},
}
