//! `BeforeModelSwitch`: may a handoff move the run to another model?
//!
//! - **Fires** when a handoff would.
//! - **Sees** both agents and both models.
//! - **Answers** block, with the reason; the run stays on its agent.
//! - **Rule** [`Rule::Strictest`]: one link that blocks is enough; the first
//!   reason counts, and the rest is asked all the same.
//! - **Veto** is to block.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** none.
//! - **Source** document 000, "Hooks".

use super::{Hook, Rule};
use sidehook_proto::{Outcome, v1};
use std::ops::ControlFlow;

/// Asks whether a run may move to another model.
#[derive(Debug)]
pub struct BeforeModelSwitch;

impl Hook for BeforeModelSwitch {
    const RULE: Rule = Rule::Strictest;

    fn refuse(reason: String, _: &str) -> Option<Outcome<Self::Answer>> {
        Some(Outcome::Answer(v1::BeforeModelSwitchAnswer { block: Some(reason) }))
    }

    fn fold(
        _: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        so_far.block = so_far.block.take().or(answer.block);
        ControlFlow::Continue(())
    }
}
