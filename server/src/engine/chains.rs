//! The chains of all hooks, in order, and the choice of links for a context.

use super::Link;
use crate::hooks::{HookId, Order};
use sidehook_proto::v1;
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// The chains of one configuration. They never change while they run; a new
/// configuration makes new ones.
#[derive(Debug)]
pub struct Chains {
    links: Vec<Arc<Link>>,
    /// Per hook, in chain order, before the choice for a context.
    by_hook: Vec<Vec<Arc<Link>>>,
    observers: Vec<Arc<Link>>,
    /// The names of all sets, also of those without a link.
    sets: BTreeSet<String>,
    /// How long a link may take where neither it nor the hook says otherwise.
    timeout: Duration,
}

/// The links of a hook for a context, in the order in which they are asked.
pub type Selected<'a> = Vec<&'a Link>;

impl Chains {
    /// Orders `links`, which come in the order in which they are written.
    ///
    /// Outermost layer first; within a layer by priority, ties as written. In
    /// the onion hooks, links that must be innermost stand last of all, so that
    /// they also see what every other link adds.
    #[must_use]
    pub fn new(links: Vec<Link>, timeout: Duration) -> Self {
        let mut links: Vec<Arc<Link>> = links.into_iter().map(Arc::new).collect();
        links.sort_by_key(|link| (link.layer, link.priority));
        let by_hook = HookId::ALL.map(|hook| Self::chain(&links, hook)).into();
        let observers = links.iter().filter(|link| link.middleware.observes()).cloned().collect();
        let sets = links.iter().filter_map(|link| link.set.clone()).collect();
        Self { links, by_hook, observers, sets, timeout }
    }

    /// Makes sets known that may have no link.
    #[must_use]
    pub fn with_sets(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.sets.extend(names);
        self
    }

    /// A set that `context` attaches and that does not exist. A guard that a
    /// run believes to have must not be missing without a word.
    #[must_use]
    pub fn unknown_set<'a>(&self, context: &'a v1::HookContext) -> Option<&'a str> {
        context.middleware.iter().find(|name| !self.sets.contains(*name)).map(String::as_str)
    }

    /// The names of all sets, sorted.
    pub fn sets(&self) -> impl Iterator<Item = &str> {
        self.sets.iter().map(String::as_str)
    }

    fn chain(links: &[Arc<Link>], hook: HookId) -> Vec<Arc<Link>> {
        let listens = |link: &&Arc<Link>| link.hooks.contains(hook) && !link.middleware.observes();
        let mut chain: Vec<Arc<Link>> = links.iter().filter(listens).cloned().collect();
        let info = hook.info();
        if info.order == Order::Onion {
            chain.sort_by_key(|link| link.middleware.is_innermost());
        }
        if info.order == Order::Reverse {
            chain.reverse();
        }
        chain
    }

    /// The links of `hook` for `context`, in the order in which they are asked.
    #[must_use]
    pub fn select(&self, hook: HookId, context: &v1::HookContext) -> Selected<'_> {
        self.at(hook)
            .iter()
            .filter(|link| link.out_of_scope(context).is_none())
            .map(AsRef::as_ref)
            .collect()
    }

    /// The links that are told of every call of `hook` for `context`.
    pub fn observers<'a>(
        &'a self,
        hook: HookId,
        context: &'a v1::HookContext,
    ) -> impl Iterator<Item = &'a Link> {
        self.observers
            .iter()
            .map(AsRef::as_ref)
            .filter(move |link| link.hooks.contains(hook) && link.out_of_scope(context).is_none())
    }

    /// Every link of `hook`, whatever the context, in the order in which they
    /// are asked.
    #[must_use]
    pub fn at(&self, hook: HookId) -> &[Arc<Link>] {
        self.by_hook.get(hook as usize).map_or(&[], Vec::as_slice)
    }

    /// Every link, outermost first.
    #[must_use]
    pub fn links(&self) -> &[Arc<Link>] {
        &self.links
    }

    /// What a run needs to know of its chains.
    #[must_use]
    pub fn plan(&self, context: &v1::HookContext) -> v1::RunPlan {
        let listens = |hook: &HookId| {
            let in_scope = |link: &Arc<Link>| link.out_of_scope(context).is_none();
            self.at(*hook).iter().any(in_scope) || self.observers(*hook, context).next().is_some()
        };
        v1::RunPlan {
            active_hooks: HookId::ALL
                .into_iter()
                .filter(listens)
                .map(|hook| hook.name().into())
                .collect(),
            holds_stream: self.holds_turn(context),
        }
    }

    /// Whether a link at `AfterModel` needs the turn's text to be held until it
    /// has seen the answer.
    #[must_use]
    pub fn holds_turn(&self, context: &v1::HookContext) -> bool {
        self.at(HookId::AfterModel)
            .iter()
            .any(|link| link.holds_stream && link.out_of_scope(context).is_none())
    }

    /// How long a link may take at `hook` where it does not say so itself.
    #[must_use]
    pub fn timeout(&self, hook: HookId) -> Duration {
        hook.info().timeout.unwrap_or(self.timeout)
    }
}
