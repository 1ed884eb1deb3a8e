//! What may be written of `kind: retry`.

use super::Retry;
use crate::{
    config::{Complaint, Duration, Sources},
    middleware::{Failures, Made, Misfit, Part, Written},
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::{sync::Arc, time};

/// Makes calls that failed again, with growing delays.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RetryConfig {
    /// Which calls are tried again.
    #[schemars(length(min = 1))]
    pub calls: Vec<RetriedCall>,
    /// The tools whose calls are tried again, by name or glob, where tool calls are. Absent: every
    /// tool.
    #[schemars(length(min = 1))]
    pub tools: Option<Vec<String>>,
    /// How often a call is made at most, the first time included.
    #[schemars(range(min = 1, max = 100))]
    pub attempts: u32,
    /// The most that is waited before the second attempt.
    pub first_delay: Duration,
    /// By how much that grows with each further attempt.
    #[schemars(range(min = 1.0, max = 100.0))]
    pub factor: f64,
    /// The most that is waited before any attempt. Where the provider asks for more, the call fails
    /// at once.
    pub max_delay: Duration,
    /// How the delays are spread.
    pub jitter: Jitter,
    /// The failures after which a call is tried again, by type or code.
    pub errors: Failures,
    /// Those among them after which it is not, by type or code.
    pub except: Failures,
}

/// A call that is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RetriedCall {
    /// A call to a model, at `wrap_model_call`.
    Model,
    /// A tool call, at `wrap_tool_call`.
    Tool,
    /// A logical call of an LLM client, at `wrap`.
    Wrap,
}

/// How delays are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Jitter {
    /// Each is anything from zero to what it would be.
    Full,
    /// Each is what it would be.
    None,
}

impl Default for RetryConfig {
    fn default() -> Self {
        Self {
            calls: vec![RetriedCall::Model],
            tools: None,
            attempts: 3,
            first_delay: Duration::seconds(1),
            factor: 2.0,
            max_delay: Duration::minutes(1),
            jitter: Jitter::Full,
            errors: Failures::retryable(),
            except: Failures::of::<String>([]),
        }
    }
}

/// Makes a retry of what is written of it.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(in crate::middleware) fn build(written: &Written<'_>, _: &mut Sources) -> Result<Made, Misfit> {
    let retry = Retry::new(&written.read()?).map_err(|(index, problem)| {
        let path = written.path.key("tools").index(index);
        vec![written.document.problem(&path, Complaint::new(problem))]
    })?;
    // Its delays are bounded by themselves and by the call's deadline; a limit for links would
    // make a fault of a long one.
    let timeout = Some(time::Duration::ZERO);
    let part = Part { name: None, priority: None, timeout, middleware: Arc::new(retry) };
    Ok(Made { parts: vec![part] })
}
