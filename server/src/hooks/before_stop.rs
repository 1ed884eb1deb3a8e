//! `BeforeStop`: should the agent really stop with its final answer?
//!
//! - **Fires** when the agent would stop.
//! - **Sees** the answer, and how often a link kept the run going.
//! - **Answers** a message to go on with, saved as a user message.
//! - **Rule** [`Rule::Gather`]: several messages are joined by a blank line.
//! - **Veto** does not exist.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** none.
//! - **Source** document 000, "Tool calls before the permissions".

use super::{Hook, Rule};
use std::ops::ControlFlow;

/// Asks whether the agent should stop.
#[derive(Debug)]
pub struct BeforeStop;

impl Hook for BeforeStop {
    const RULE: Rule = Rule::Gather;

    fn fold(
        _: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        so_far.continue_with = match (so_far.continue_with.take(), answer.continue_with) {
            (Some(first), Some(next)) => Some(format!("{first}\n\n{next}")),
            (first, next) => first.or(next),
        };
        ControlFlow::Continue(())
    }
}
