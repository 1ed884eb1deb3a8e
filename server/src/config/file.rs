//! What may be written in a configuration file: these types and their comments are its reference
//! documentation and its JSON schema.

mod entry;
mod fault;
mod hook_name;
mod middleware;
mod sections;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

pub use self::{
    entry::{Entry, Layer},
    fault::OnFault,
    hook_name::{HookName, HookNames},
    middleware::{Builtins, Middleware, MiddlewareKeys},
    sections::{Drain, Limits, Listen, Log, LogFormat, LogLevel, Reload, Runs},
};
use crate::config::{agent_pattern::AgentPattern, name::Name, version::Version};

/// The configuration of Sidehook: one YAML file.
///
/// Lists of middleware are in order: the first is outermost. The layers, from the outside to the
/// model, are `hooks`, `middleware`, `agents`, `sets` and `builtin`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Sidehook configuration")]
pub struct Config {
    /// Required. The version of this format: `1`.
    pub version: Version,

    /// Where Sidehook listens.
    #[serde(default)]
    pub listen: Listen,

    /// The outermost middleware, for every agent. Its place is outside everything that the other
    /// lists name.
    #[serde(default)]
    pub hooks: Vec<Middleware>,

    /// The middleware of every agent, inside `hooks`.
    #[serde(default)]
    pub middleware: Vec<Middleware>,

    /// The middleware of single agents, inside `middleware`, by the agent's id, name or a glob.
    ///
    /// An agent that several patterns match gets the middleware of all of them, in the order in
    /// which the patterns are written.
    #[serde(default)]
    #[schemars(extend("propertyNames" = {"format": "sidehook-agent-pattern", "minLength": 1}))]
    pub agents: IndexMap<AgentPattern, Agent>,

    /// Named lists of middleware that a run attaches by name, inside `agents`. A run that names no
    /// set gets none.
    #[serde(default)]
    pub sets: IndexMap<Name, Vec<Middleware>>,

    /// The built-in middleware that is on, closest to the model, by kind. Their order is fixed,
    /// whatever the order here.
    #[serde(default)]
    pub builtin: Builtins,

    /// How long runs and their state are kept.
    #[serde(default)]
    pub runs: Runs,

    /// Limits on single calls.
    #[serde(default)]
    pub limits: Limits,

    /// How Sidehook stops.
    #[serde(default)]
    pub drain: Drain,

    /// What Sidehook logs.
    #[serde(default)]
    pub log: Log,

    /// How Sidehook notices that this file has changed.
    #[serde(default)]
    pub reload: Reload,
}

/// What is configured for the agents that a pattern matches.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The middleware of these agents, in order.
    #[serde(default)]
    pub middleware: Vec<Middleware>,
}
