//! `CronJobFiring`: rewrites the prompt of a schedule, or cancels its run.
//!
//! - **Fires** for a slot that is about to run.
//! - **Sees** the schedule and its prompt.
//! - **Answers** a new prompt.
//! - **Rule** [`Rule::Rewrite`]: each link sees the prompt as the earlier ones
//!   left it.
//! - **Veto** cancels the run. The chain ends.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** a reason has at most 500 characters.
//! - **Source** document 004, "cronJobFiring".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite};
use std::ops::ControlFlow;

/// Rewrites the prompt of a schedule, or cancels its run.
#[derive(Debug)]
pub struct CronJobFiring;

impl Hook for CronJobFiring {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Cancels;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        rewrite(&mut request.prompt, &mut so_far.prompt, answer.prompt);
        ControlFlow::Continue(())
    }
}
