//! `AssistantMessageOutbound`: rewrites or stops a reply.
//!
//! - **Fires** before a reply goes out to a person.
//! - **Sees** the reply.
//! - **Answers** a new text.
//! - **Rule** [`Rule::Rewrite`]: each link sees the text as the earlier ones
//!   left it.
//! - **Veto** stops the reply. The chain ends.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** a reason has at most 500 characters.
//! - **Source** document 004, "assistantMessageOutbound".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite};
use std::ops::ControlFlow;

/// Rewrites or stops a reply.
#[derive(Debug)]
pub struct AssistantMessageOutbound;

impl Hook for AssistantMessageOutbound {
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
