//! What happens when a middleware fails.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::hook_name::HookName;
use crate::{engine::OnFault as Policy, hooks::HookId};

/// What happens when a middleware fails: one answer for all its hooks, or one for each.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OnFault {
    /// The same on every hook of the middleware.
    Everywhere(Policy),
    /// By hook; the hooks that are not named keep their default.
    ByHook(IndexMap<HookName, Policy>),
}

impl OnFault {
    /// What happens on `hook`; `None` for the hook's default.
    #[must_use]
    pub fn on(&self, hook: HookId) -> Option<Policy> {
        match self {
            Self::Everywhere(policy) => Some(*policy),
            Self::ByHook(policies) => policies.get(&HookName(hook)).copied(),
        }
    }
}
