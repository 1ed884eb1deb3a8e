//! `SystemPrompt`: rewrites what the agent is told.
//!
//! - **Fires** every turn, after the prompt is composed.
//! - **Sees** the prompt and the kind of session.
//! - **Answers** a new prompt.
//! - **Rule** [`Rule::Rewrite`]: each link sees the prompt as the earlier ones
//!   left it.
//! - **Veto** is ignored, and reported as such.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** none.
//! - **Source** document 004, "systemPrompt".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite};
use std::ops::ControlFlow;

/// Rewrites what the agent is told.
#[derive(Debug)]
pub struct SystemPrompt;

impl Hook for SystemPrompt {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Ignored;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        rewrite(&mut request.system_prompt, &mut so_far.system_prompt, answer.system_prompt);
        ControlFlow::Continue(())
    }
}
