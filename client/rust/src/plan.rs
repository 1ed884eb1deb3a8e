//! Which hooks a run need not call.

use sidehook_proto::v1::{HookContext, RunPlan};
use std::collections::HashSet;

/// A run's plan, and for whom it was made.
///
/// Middleware can be bound to an agent or attached by name, so that a plan says nothing about
/// a run that went on as another agent: nothing is skipped then.
#[derive(Debug)]
pub(crate) struct Plan {
    active_hooks: HashSet<String>,
    holds_stream: bool,
    agent_id: String,
    agent_name: String,
    middleware: Vec<String>,
}

impl Plan {
    pub(crate) fn new(plan: RunPlan, context: &HookContext) -> Self {
        Self {
            active_hooks: plan.active_hooks.into_iter().collect(),
            holds_stream: plan.holds_stream,
            agent_id: context.agent_id.clone(),
            agent_name: context.agent_name.clone(),
            middleware: context.middleware.clone(),
        }
    }

    /// Whether nobody listens to `hook`.
    pub(crate) fn skips(&self, hook: &str, context: &HookContext) -> bool {
        self.fits(context) && !self.active_hooks.contains(hook)
    }

    /// Whether a middleware needs streamed text to be held, as far as is known.
    pub(crate) fn holds_stream(&self, context: &HookContext) -> bool {
        self.fits(context) && self.holds_stream
    }

    fn fits(&self, context: &HookContext) -> bool {
        self.agent_id == context.agent_id
            && self.agent_name == context.agent_name
            && self.middleware == context.middleware
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(context: &HookContext) -> Plan {
        let active_hooks = vec!["before_run".to_owned()];
        Plan::new(RunPlan { active_hooks, holds_stream: true }, context)
    }

    #[test]
    fn a_hook_that_is_not_in_the_plan_is_skipped() {
        let context = HookContext::default();
        assert!(!plan(&context).skips("before_run", &context));
        assert!(plan(&context).skips("before_model", &context));
    }

    #[test]
    fn a_plan_says_nothing_about_another_agent() {
        let support = HookContext { agent_name: "support".into(), ..HookContext::default() };
        let sales = HookContext { agent_name: "sales".into(), ..HookContext::default() };
        assert!(plan(&support).skips("before_model", &support));
        assert!(!plan(&support).skips("before_model", &sales));
    }
}
