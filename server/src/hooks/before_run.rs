//! `BeforeRun`: checks the input of a new run, before it is saved or sent.
//!
//! - **Fires** once for a new run, and for each message queued into a live one.
//! - **Sees** the input and the messages that the first turn starts from.
//! - **Answers** texts that go after the input as system messages, saved with
//!   it.
//! - **Rule** [`Rule::Gather`]: texts are appended in order.
//! - **Veto** does not exist.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** no model turn starts before it returns.
//! - **Source** document 000, "beforeRun".

use super::{Hook, Rule};
use std::ops::ControlFlow;

/// Checks the input of a new run, before it is saved or sent.
#[derive(Debug)]
pub struct BeforeRun;

impl Hook for BeforeRun {
    const RULE: Rule = Rule::Gather;

    fn fold(
        _: &mut Self::Request,
        so_far: &mut Self::Answer,
        mut answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        so_far.added_context.append(&mut answer.added_context);
        ControlFlow::Continue(())
    }
}
