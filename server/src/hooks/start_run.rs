//! `StartRun`: adds text to a run that starts.
//!
//! - **Fires** once a run, new or resumed, before its first model call.
//! - **Sees** whether the thread has history and whether the run is resumed.
//! - **Answers** texts that go right after the system prompt, for this run
//!   only.
//! - **Rule** [`Rule::Gather`]: texts are appended in order.
//! - **Veto** does not exist.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** none.
//! - **Source** document 000, "beforeRun".

use super::{Hook, Rule};
use crate::runs::Admission;
use sidehook_proto::v1::RunPlan;
use std::ops::ControlFlow;

/// Adds text to a run that starts.
#[derive(Debug)]
pub struct StartRun;

impl Hook for StartRun {
    const RULE: Rule = Rule::Gather;

    fn admission(request: &Self::Request) -> Admission {
        if request.resumed { Admission::Reopen } else { Admission::Open }
    }

    fn complete(answer: &mut Self::Answer, plan: impl FnOnce() -> RunPlan) {
        answer.plan = Some(plan());
    }

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
