//! `TodoAdded`: rewrites, splits, filters or rejects todos.
//!
//! - **Fires** when an agent adds todos.
//! - **Sees** the todos.
//! - **Answers** new todos.
//! - **Rule** [`Rule::Rewrite`]: each link sees the todos as the earlier ones
//!   left them.
//! - **Veto** rejects the todos. The chain ends.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** a reason has at most 500 characters.
//! - **Source** document 004, "todoAdded".

use super::{FaultDefault, Hook, Rule, VetoUse};
use std::ops::ControlFlow;

/// Rewrites, splits, filters or rejects todos.
#[derive(Debug)]
pub struct TodoAdded;

impl Hook for TodoAdded {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Cancels;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        if let Some(list) = answer.texts {
            request.texts.clone_from(&list.texts);
            so_far.texts = Some(list);
        }
        ControlFlow::Continue(())
    }
}
