//! `BeforeCompaction`: may a compaction run?
//!
//! - **Fires** before a compaction of the turn or the thread.
//! - **Sees** what is compacted, and how large it is.
//! - **Answers** skip, to keep the conversation as it is.
//! - **Rule** [`Rule::Strictest`]: one link that skips is enough; the rest is
//!   asked all the same.
//! - **Veto** is to skip.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** none.
//! - **Source** document 000, "Hooks".

use super::{Hook, Rule};
use sidehook_proto::{Outcome, v1};
use std::ops::ControlFlow;

/// Asks whether a compaction may run.
#[derive(Debug)]
pub struct BeforeCompaction;

impl Hook for BeforeCompaction {
    const RULE: Rule = Rule::Strictest;

    fn refuse(_: String, _: &str) -> Option<Outcome<Self::Answer>> {
        Some(Outcome::Answer(v1::BeforeCompactionAnswer { skip: true }))
    }

    fn fold(
        _: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        so_far.skip |= answer.skip;
        ControlFlow::Continue(())
    }
}
