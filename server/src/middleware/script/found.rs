//! The middleware that a script turned out to hold.

use crate::hooks::{HookId, HookSet};
use serde::Deserialize;
use std::time::Duration;

/// One middleware of a script, as its object describes itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The export that holds it, such as `default` or `middleware[1]`.
    pub(crate) exported: String,
    /// Its `name`.
    pub(crate) name: Option<String>,
    /// The hooks that it has functions for.
    pub(crate) hooks: HookSet,
    /// Its other functions, among which may be hooks with a typo.
    pub(crate) functions: Vec<String>,
    /// Its other members, among which may be settings with a typo.
    pub(crate) values: Vec<String>,
    /// Its `holdsStream`.
    pub(crate) holds_stream: bool,
    /// Its `priority`.
    pub(crate) priority: Option<i32>,
    /// Its `timeoutMs`; zero for none.
    pub(crate) timeout: Option<Duration>,
    /// Its `enabled`.
    pub(crate) enabled: Enabled,
    /// What is wrong with it.
    pub(crate) problems: Vec<String>,
}

/// What a middleware's `enabled` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Enabled {
    /// True, or not there.
    Yes,
    /// False.
    No,
    /// A function, to be asked for every call.
    Asks,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Described {
    exported: String,
    name: Option<String>,
    hooks: Vec<String>,
    functions: Vec<String>,
    values: Vec<String>,
    holds_stream: bool,
    priority: Option<f64>,
    timeout_ms: Option<f64>,
    enabled: Enabled,
    problems: Vec<String>,
}

/// Reads what the script's own half says of itself.
pub(crate) fn read(text: &str) -> Result<Vec<Found>, serde_json::Error> {
    let described: Vec<Described> = serde_json::from_str(text)?;
    Ok(described.into_iter().map(Found::from).collect())
}

impl From<Described> for Found {
    fn from(described: Described) -> Self {
        let hooks = described.hooks.iter().filter_map(|name| HookId::find(name));
        #[expect(clippy::cast_possible_truncation, reason = "saturates, which is meant")]
        let priority = described.priority.map(|priority| priority as i32);
        // Not more than zero means none; so does what no duration can hold.
        let timeout = described
            .timeout_ms
            .map(|ms| Duration::try_from_secs_f64(ms / 1000.0).unwrap_or(Duration::ZERO));
        Self {
            hooks: hooks.collect(),
            exported: described.exported,
            name: described.name,
            functions: described.functions,
            values: described.values,
            holds_stream: described.holds_stream,
            priority,
            timeout,
            enabled: described.enabled,
            problems: described.problems,
        }
    }
}
