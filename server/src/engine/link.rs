//! A link: one middleware's place in the chains, with everything about it that
//! is the same for every call.

use super::{Condition, OnFault};
use crate::{
    hooks::{HookId, HookSet},
    middleware::Middleware,
};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};
use sidehook_proto::v1;
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// Where a link stands, outermost first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The outermost layer.
    Hooks,
    /// Every run's.
    Global,
    /// One agent's.
    Agent,
    /// One run's, attached by the name of a set.
    Run,
    /// Closest to the model.
    Builtin,
}

impl From<Layer> for v1::Layer {
    fn from(layer: Layer) -> Self {
        match layer {
            Layer::Hooks => Self::Hooks,
            Layer::Global => Self::Global,
            Layer::Agent => Self::Agent,
            Layer::Run => Self::Run,
            Layer::Builtin => Self::Builtin,
        }
    }
}

/// How much of what a middleware decides takes effect.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// All of it.
    #[default]
    Enforce,
    /// Nothing: it runs, and the report says what it would have caused.
    Audit,
    /// It does not run.
    Off,
}

impl Mode {
    /// The name in configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Audit => "audit",
            Self::Off => "off",
        }
    }
}

/// The agents that a link applies to: ids, names or globs.
#[derive(Debug, Clone, Default)]
pub struct AgentScope {
    /// Every one of these must match.
    globs: Vec<GlobSet>,
    patterns: Vec<String>,
}

impl AgentScope {
    /// The agents that one of `listed` and one of `own` matches, by id or by
    /// name. An empty list means every agent.
    ///
    /// # Errors
    ///
    /// The first pattern that is not a glob.
    pub fn new(listed: Vec<String>, own: Vec<String>) -> Result<Self, globset::Error> {
        let mut scope = Self::default();
        for patterns in [listed, own] {
            if patterns.is_empty() {
                continue;
            }
            let mut globs = GlobSetBuilder::new();
            for pattern in &patterns {
                globs.add(GlobBuilder::new(pattern).literal_separator(false).build()?);
            }
            scope.globs.push(globs.build()?);
            scope.patterns.extend(patterns);
        }
        Ok(scope)
    }

    /// Whether the agent of `context` is in the scope.
    #[must_use]
    pub fn contains(&self, context: &v1::HookContext) -> bool {
        let agents = [&context.agent_id, &context.agent_name];
        let is_in = |globs: &GlobSet| agents.iter().any(|it| !it.is_empty() && globs.is_match(it));
        self.globs.iter().all(is_in)
    }

    /// The patterns, as written.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

/// What faults of a link do, per hook.
#[derive(Debug, Clone, Default)]
pub struct Policies {
    /// For every hook that is not listed; `None` means the hook's default.
    pub every: Option<OnFault>,
    /// For single hooks.
    pub hooks: BTreeMap<HookId, OnFault>,
}

impl Policies {
    /// What a fault at `hook` does.
    #[must_use]
    pub fn at(&self, hook: HookId) -> OnFault {
        let chosen = if self.hooks.is_empty() { None } else { self.hooks.get(&hook).copied() };
        chosen.or(self.every).unwrap_or_else(|| hook.info().faults.policy())
    }
}

/// How often a middleware ran and failed, since the configuration was loaded.
#[derive(Debug, Default)]
pub struct Counters {
    calls: AtomicU64,
    faults: AtomicU64,
}

impl Counters {
    /// Counts a call of the middleware. Links that are skipped do not count.
    pub fn called(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a fault.
    pub fn failed(&self) {
        self.faults.fetch_add(1, Ordering::Relaxed);
    }

    /// How often it ran.
    pub fn call_count(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// How often it failed.
    pub fn fault_count(&self) -> u64 {
        self.faults.load(Ordering::Relaxed)
    }
}

/// One middleware's place in the chains.
#[derive(Debug)]
pub struct Link {
    /// Its name, unique among all.
    pub name: Arc<str>,
    /// Its kind.
    pub kind: &'static str,
    /// Its layer.
    pub layer: Layer,
    /// Its priority within the layer; lower comes first.
    pub priority: i32,
    /// The agents that it applies to.
    pub agents: AgentScope,
    /// The set that a run must attach, for the run layer.
    pub set: Option<String>,
    /// The hooks that it listens to: what it implements, within `only_hooks`.
    pub hooks: HookSet,
    /// What its faults do.
    pub on_fault: Policies,
    /// How long it may take; zero disables. `None` means the hook's default.
    pub timeout: Option<Duration>,
    /// When it applies.
    pub when: Option<Arc<Condition>>,
    /// How much of what it decides takes effect.
    pub mode: Mode,
    /// Whether the text of a streamed turn must be held for it.
    pub holds_stream: bool,
    /// How often it ran and failed.
    pub counters: Counters,
    /// The middleware itself.
    pub middleware: Arc<dyn Middleware>,
}

impl Link {
    /// A link with no conditions, in the global layer.
    #[must_use]
    pub fn new(name: &str, kind: &'static str, middleware: Arc<dyn Middleware>) -> Self {
        Self {
            name: name.into(),
            kind,
            layer: Layer::Global,
            priority: 0,
            agents: AgentScope::default(),
            set: None,
            hooks: middleware.hooks(),
            on_fault: Policies::default(),
            timeout: None,
            when: None,
            mode: Mode::Enforce,
            holds_stream: middleware.holds_stream(),
            counters: Counters::default(),
            middleware,
        }
    }

    /// Why the link is out for a context, or `None` when it is in. Does not
    /// evaluate conditions.
    #[must_use]
    pub fn out_of_scope(&self, context: &v1::HookContext) -> Option<&'static str> {
        if self.mode == Mode::Off {
            return Some("its mode is off");
        }
        if !self.agents.contains(context) {
            return Some("it applies to other agents");
        }
        match &self.set {
            Some(set) if !context.middleware.contains(set) => {
                Some("the run does not attach its set")
            }
            _ => None,
        }
    }

    /// How long the link may take at a hook whose default is `default`.
    #[must_use]
    pub fn timeout(&self, default: Duration) -> Option<Duration> {
        let limit = self.timeout.unwrap_or(default);
        (!limit.is_zero()).then_some(limit)
    }
}
