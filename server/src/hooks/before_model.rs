//! `BeforeModel`: changes the conversation before a model turn.
//!
//! - **Fires** before each turn.
//! - **Sees** the conversation and the model, before any fallback.
//! - **Answers** new messages, in this turn and every later one.
//! - **Rule** [`Rule::Rewrite`]: each link sees the messages as the earlier
//!   ones left them.
//! - **Veto** does not exist.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** none.
//! - **Source** document 000, "beforeModel".

use super::{Hook, Rule};
use std::ops::ControlFlow;

/// Changes the conversation before a model turn.
#[derive(Debug)]
pub struct BeforeModel;

impl Hook for BeforeModel {
    const RULE: Rule = Rule::Rewrite;

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        if let Some(list) = answer.messages {
            request.messages.clone_from(&list.messages);
            so_far.messages = Some(list);
        }
        ControlFlow::Continue(())
    }
}
