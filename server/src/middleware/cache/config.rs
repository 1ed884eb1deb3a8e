//! What may be written of `kind: cache`.

use super::Cache;
use crate::{
    config::{ByteSize, Complaint, Duration, Sources},
    middleware::{Made, Misfit, Part, Written},
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::{sync::Arc, time};

/// Answers calls to models from memory.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CacheConfig {
    /// Which calls are answered.
    #[schemars(length(min = 1))]
    pub calls: Vec<CachedCall>,
    /// Who shares answers.
    pub scope: CacheScope,
    /// How long an answer is kept.
    pub ttl: Duration,
    /// How much memory all answers may take.
    pub max_size: ByteSize,
    /// How large an answer may be to be kept.
    pub max_entry_size: ByteSize,
    /// Whether answers that call tools are kept too.
    pub tool_calls: bool,
    /// Whether equal calls at the same time are joined.
    pub join: bool,
    /// How long a joined call waits for the one that is made, before it is made itself.
    pub join_timeout: Duration,
    /// Further keys of the request's other settings that do not reach the model.
    pub ignore: Vec<String>,
}

/// A call that is answered from memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CachedCall {
    /// A call to a model, at `wrap_model_call`.
    Model,
    /// A logical call of an LLM client, at `wrap`.
    Wrap,
}

/// Who shares answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CacheScope {
    /// The runs of one agent. Runs without one are an agent of their own.
    Agent,
    /// The runs of one user. Runs without one are not answered from memory.
    User,
    /// Every run.
    Global,
}

impl Default for CacheConfig {
    fn default() -> Self {
        Self {
            calls: vec![CachedCall::Model, CachedCall::Wrap],
            scope: CacheScope::Agent,
            ttl: Duration::hours(1),
            max_size: ByteSize::mib(64),
            max_entry_size: ByteSize::mib(1),
            tool_calls: false,
            join: true,
            join_timeout: Duration::minutes(1),
            ignore: Vec::new(),
        }
    }
}

/// Makes a cache of what is written of it.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(in crate::middleware) fn build(written: &Written<'_>, _: &mut Sources) -> Result<Made, Misfit> {
    let config: CacheConfig = written.read()?;
    if config.max_entry_size > config.max_size {
        let complaint = format!("is more than `max_size`, which is {}", config.max_size);
        let path = written.path.key("max_entry_size");
        return Err(vec![written.document.problem(&path, Complaint::new(complaint))]);
    }
    // To wait for a joined call is no work of its own.
    let timeout = Some(time::Duration::ZERO);
    let middleware = Arc::new(Cache::new(config));
    Ok(Made { parts: vec![Part { name: None, priority: None, timeout, middleware }] })
}
