//! `NotifyScheduled`: rewrites or refuses a timer.
//!
//! - **Fires** when an agent sets a timer to wake itself.
//! - **Sees** the note and the delay.
//! - **Answers** a new note, a new delay.
//! - **Rule** [`Rule::Rewrite`]: each link sees the timer as the earlier ones
//!   left it.
//! - **Veto** refuses the timer. The chain ends.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** a delay is a finite number of seconds, at least 0.
//! - **Source** document 004, "notifyScheduled / notifyDelivered".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite};
use std::ops::ControlFlow;

/// Rewrites or refuses a timer.
#[derive(Debug)]
pub struct NotifyScheduled;

impl Hook for NotifyScheduled {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Cancels;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn check(_: &Self::Request, answer: &mut Self::Answer) -> Result<(), String> {
        match answer.delay_seconds {
            Some(delay) if !delay.is_finite() || delay < 0.0 => {
                Err(format!("gave the delay {delay}, which is no number of seconds"))
            }
            _ => Ok(()),
        }
    }

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        rewrite(&mut request.message, &mut so_far.message, answer.message);
        rewrite(&mut request.delay_seconds, &mut so_far.delay_seconds, answer.delay_seconds);
        ControlFlow::Continue(())
    }
}
