//! `InterAgentMessage`: rewrites or withholds a message between agents.
//!
//! - **Fires** for every message that one conversation sends into another.
//! - **Sees** the message, its sender and its target.
//! - **Answers** a new text.
//! - **Rule** [`Rule::Rewrite`]: each link sees the text as the earlier ones
//!   left it.
//! - **Veto** withholds the message. The chain ends.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** a reason has at most 500 characters.
//! - **Source** document 004, "interAgentMessage".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite};
use std::ops::ControlFlow;

/// Rewrites or withholds a message between agents.
#[derive(Debug)]
pub struct InterAgentMessage;

impl Hook for InterAgentMessage {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Cancels;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        rewrite(&mut request.text, &mut so_far.text, answer.text);
        ControlFlow::Continue(())
    }
}
