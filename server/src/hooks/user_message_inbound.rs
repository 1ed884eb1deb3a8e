//! `UserMessageInbound`: rewrites or drops a person's message.
//!
//! - **Fires** when it arrives, from the console or a channel.
//! - **Sees** the message, its files and its sender.
//! - **Answers** a new text.
//! - **Rule** [`Rule::Rewrite`]: each link sees the text as the earlier ones
//!   left it.
//! - **Veto** drops the message. The chain ends.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** a reason has at most 500 characters.
//! - **Source** document 004, "userMessageInbound".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite};
use std::ops::ControlFlow;

/// Rewrites or drops a person's message.
#[derive(Debug)]
pub struct UserMessageInbound;

impl Hook for UserMessageInbound {
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
