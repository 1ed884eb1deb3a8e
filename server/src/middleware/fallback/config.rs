//! What may be written of `kind: fallback`.

use super::Fallback;
use crate::{
    config::{Complaint, Sources},
    middleware::{Failures, Made, Middleware, Misfit, Written},
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// Asks other models, in order, when one fails.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FallbackConfig {
    /// Required. The models that are asked when the call's own fails, in order.
    #[schemars(length(min = 1))]
    pub models: Vec<FallbackModel>,
    /// The failures after which the next model is asked, by type or code.
    #[serde(default = "errors")]
    pub errors: Failures,
}

/// A model that is asked when another fails.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FallbackModel {
    /// Required. The model, as `provider/model`.
    #[schemars(length(min = 1))]
    pub model: String,
    /// Its name as its backend knows it. Absent: what follows the first slash of `model`.
    #[schemars(length(min = 1))]
    pub name: Option<String>,
    /// The settings that it does not know: `temperature`, `top_p`, `max_tokens`, `stop`, `tools`,
    /// `tool_choice`, `response_format`, or a key of the request's other settings.
    #[serde(default)]
    pub strip: Vec<String>,
}

/// Failures that another model need not share.
fn errors() -> Failures {
    Failures::of(["retryable", "rate_limited", "timeout", "unavailable", "network"])
}

impl FallbackConfig {
    /// Falls back to `models`, and otherwise does what is usual.
    #[must_use]
    pub fn to(models: Vec<FallbackModel>) -> Self {
        Self { models, errors: errors() }
    }
}

impl FallbackModel {
    /// The model's name as its backend knows it.
    pub(super) fn backend_name(&self) -> &str {
        let after = self.model.split_once('/').map_or(self.model.as_str(), |(_, name)| name);
        self.name.as_deref().unwrap_or(after)
    }
}

/// Makes a fallback of what is written of it.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(in crate::middleware) fn build(written: &Written<'_>, _: &mut Sources) -> Result<Made, Misfit> {
    let config: FallbackConfig = written.read()?;
    let twice = config.models.iter().enumerate().filter(|(index, model)| {
        config.models.iter().take(*index).any(|earlier| earlier.model == model.model)
    });
    let problems: Misfit = twice
        .map(|(index, model)| {
            let path = written.path.key("models").index(index).key("model");
            let complaint = Complaint::new(format!("`{}` is asked already", model.model));
            written.document.problem(&path, complaint)
        })
        .collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Made::from(Arc::new(Fallback::new(config)) as Arc<dyn Middleware>))
}
