//! The keys of `pii` in a configuration.

use super::entity::Entity;
use super::style::Style;
use crate::middleware::KeySource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Masks or blocks personal data.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PiiConfig {
    /// What is looked for. Absent means everything but `url`, `mac_address`,
    /// `bitcoin_address` and `us_aba`.
    #[schemars(length(min = 1))]
    pub detect: Option<Vec<Entity>>,
    /// What happens to what is found.
    pub mode: PiiMode,
    /// What takes the place of some kinds, if not what `mode` says: `email: token`.
    pub replace: BTreeMap<Entity, Replacement>,
    /// What takes the place of what is found in the arguments of tool calls.
    pub tool_arguments: Replacement,
    /// Whether the model's answers are masked as well, also while they stream.
    pub answers: bool,
    /// Countries, such as `US`, whose phone numbers are found as they are dialled
    /// there.
    pub phone_regions: Vec<String>,
    /// Whether IP addresses count that name nobody's machine: `::`, `0.0.0.0`,
    /// `127.0.0.1`, `255.255.255.255`.
    pub noise: bool,
    /// The key of what is hashed.
    pub hash_key: Option<KeySource>,
    /// Kinds of your own.
    #[schemars(length(max = 16))]
    pub custom: Vec<CustomConfig>,
}

/// What happens to personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PiiMode {
    /// It is replaced by a form that still shows its kind, such as
    /// `****-****-****-0366`.
    #[default]
    Mask,
    /// It is replaced by the name of its kind, such as `[REDACTED_EMAIL]`.
    Redact,
    /// It is replaced by a pseudonym, the same for the same value.
    Hash,
    /// It is replaced by a token, such as `<EMAIL_1>`, for which the model's answer
    /// and its tools get the value back.
    Token,
    /// The run ends, or the message is refused.
    Block,
}

/// What takes the place of personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Replacement {
    /// A form that still shows its kind.
    Mask,
    /// The name of its kind.
    Redact,
    /// A pseudonym.
    Hash,
    /// A token that is given back.
    #[default]
    Token,
}

/// A kind of your own.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CustomConfig {
    /// Its name, as in `[REDACTED_EMPLOYEE_ID]`.
    #[schemars(length(min = 1, max = 40))]
    pub name: String,
    /// A regular expression of what it looks like, within one word or number.
    #[schemars(length(min = 1))]
    pub pattern: String,
    /// The kind whose checksum it must pass; `credit_card` is Luhn.
    #[serde(default)]
    pub checksum: Option<Entity>,
    /// Words of which one must stand in the 64 bytes before it.
    #[serde(default)]
    pub context: Vec<String>,
}

impl PiiMode {
    /// What takes the place of a finding. What is blocked is not sent at all.
    pub(super) const fn style(self) -> Style {
        match self {
            Self::Mask | Self::Block => Style::Mask,
            Self::Redact => Style::Redact,
            Self::Hash => Style::Hash,
            Self::Token => Style::Token,
        }
    }
}

impl Replacement {
    pub(super) const fn style(self) -> Style {
        match self {
            Self::Mask => Style::Mask,
            Self::Redact => Style::Redact,
            Self::Hash => Style::Hash,
            Self::Token => Style::Token,
        }
    }
}
