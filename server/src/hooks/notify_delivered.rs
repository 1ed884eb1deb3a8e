//! `NotifyDelivered`: rewrites or drops the note of a timer.
//!
//! - **Fires** when the timer fires.
//! - **Sees** the note.
//! - **Answers** a new note.
//! - **Rule** [`Rule::Rewrite`]: each link sees the note as the earlier ones
//!   left it.
//! - **Veto** drops the wake-up. The chain ends.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** a reason has at most 500 characters.
//! - **Source** document 004, "notifyScheduled / notifyDelivered".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite};
use std::ops::ControlFlow;

/// Rewrites or drops the note of a timer.
#[derive(Debug)]
pub struct NotifyDelivered;

impl Hook for NotifyDelivered {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Cancels;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        rewrite(&mut request.message, &mut so_far.message, answer.message);
        ControlFlow::Continue(())
    }
}
