//! What a configuration may say of `secrets`.

use super::Style;
use crate::{
    config::{Complaint, Sources},
    middleware::KeySource,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A key of the configuration, perhaps one within it, and what is wrong with it.
pub(super) type Wrong = (&'static str, Option<&'static str>, Complaint);

/// Masks or blocks keys, tokens and passwords.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SecretsConfig {
    /// What happens to what is found.
    pub mode: SecretsMode,
    /// What `redact` writes.
    pub label: SecretsLabel,
    /// The key of what is hashed.
    pub hash_key: Option<KeySource>,
    /// Whether the model's answers are masked as well, also while they stream.
    pub answers: bool,
    /// Whether the results of tools are masked where the tools return them, so
    /// that the runtime does not keep their secrets either.
    pub tools: bool,
}

impl Default for SecretsConfig {
    fn default() -> Self {
        Self {
            mode: SecretsMode::default(),
            label: SecretsLabel::default(),
            hash_key: None,
            answers: true,
            tools: false,
        }
    }
}

/// What happens to a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SecretsMode {
    /// It is replaced by what it was, such as `[REDACTED_GITHUB_KEY]`.
    #[default]
    Redact,
    /// It is replaced by its last characters, such as `****a1b2`.
    Mask,
    /// It is replaced by a pseudonym that only the key makes, such as
    /// `<github_hash:…>`.
    Hash,
    /// The run ends, or the message is refused.
    Block,
}

/// What stands in a redaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SecretsLabel {
    /// Whose it was: `[REDACTED_GITHUB_KEY]`.
    #[default]
    Service,
    /// That there was one: `[REDACTED_SECRET]`.
    Plain,
}

impl SecretsConfig {
    /// What stands in the place of a secret, or which key is wrong and why. Files are
    /// sought beside `base`.
    pub(super) fn style(&self, base: &Path, sources: &mut Sources) -> Result<Style, Wrong> {
        let read = |source: &KeySource| {
            source.read(base, sources).map_err(|(key, complaint)| ("hash_key", key, complaint))
        };
        let key = self.hash_key.as_ref().map(read).transpose()?;
        Ok(match (self.mode, self.label, key) {
            (SecretsMode::Hash, _, Some(key)) => Style::Hash(key),
            (SecretsMode::Hash, _, None) => {
                let complaint = Complaint::new("`hash` needs a `hash_key`");
                let complaint = complaint.suggest("for example `hash_key: { env: SECRETS_KEY }`");
                return Err(("mode", None, complaint));
            }
            (SecretsMode::Mask, ..) => Style::Mask,
            (_, SecretsLabel::Plain, _) => Style::Plain,
            (_, SecretsLabel::Service, _) => Style::Redact,
        })
    }
}
