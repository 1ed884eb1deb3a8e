//! Every middleware of a configuration, with its place in the file and in the chains.

use super::{Config, Middleware};
use crate::config::{agent_pattern::AgentPattern, name::Name, path::Path};

/// One middleware of a configuration.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// Where it is written, such as `middleware[2]`.
    pub path: Path,
    /// The list that it is in.
    pub layer: Layer<'a>,
    /// What is written.
    pub middleware: &'a Middleware,
}

/// A list of middleware in a configuration, from the outside to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer<'a> {
    /// `hooks`.
    Hooks,
    /// `middleware`.
    Global,
    /// The middleware of the agents that a pattern matches.
    Agent(&'a AgentPattern),
    /// A set, which a run attaches by its name.
    Set(&'a Name),
    /// `builtin`.
    Builtin,
}

impl Config {
    /// Every middleware, layer by layer from the outside to the model, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry<'_>> {
        let root = Path::root();
        let mut entries = Vec::new();
        entries.extend(listed(Layer::Hooks, &root.key("hooks"), &self.hooks));
        entries.extend(listed(Layer::Global, &root.key("middleware"), &self.middleware));
        for (pattern, agent) in &self.agents {
            let path = root.key("agents").key(pattern.as_str()).key("middleware");
            entries.extend(listed(Layer::Agent(pattern), &path, &agent.middleware));
        }
        for (name, middleware) in &self.sets {
            let path = root.key("sets").key(name.as_str());
            entries.extend(listed(Layer::Set(name), &path, middleware));
        }
        entries.extend(self.builtin.0.iter().map(|middleware| Entry {
            path: root.key("builtin").key(&middleware.keys.kind),
            layer: Layer::Builtin,
            middleware,
        }));
        entries
    }
}

fn listed<'a>(
    layer: Layer<'a>,
    list: &Path,
    middleware: &'a [Middleware],
) -> impl Iterator<Item = Entry<'a>> {
    middleware.iter().enumerate().map(move |(index, middleware)| Entry {
        path: list.index(index),
        layer,
        middleware,
    })
}
