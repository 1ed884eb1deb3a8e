//! `CompanionSpeech`: rewrites what the voice provider reads.
//!
//! - **Fires** before each group of sentences is spoken.
//! - **Sees** the text, the caption and the voice.
//! - **Answers** a new text.
//! - **Rule** [`Rule::Rewrite`]: each link sees the text as the earlier ones
//!   left it.
//! - **Veto** is ignored, and reported as such.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** a link has 1 second; a blank text keeps the original.
//! - **Source** document 004, "companionSpeech".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite};
use std::{ops::ControlFlow, time::Duration};

/// Rewrites what the voice provider reads.
#[derive(Debug)]
pub struct CompanionSpeech;

impl Hook for CompanionSpeech {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Ignored;
    const FAULTS: FaultDefault = FaultDefault::Skip;
    const TIMEOUT: Option<Duration> = Some(Duration::from_secs(1));

    fn check(_: &Self::Request, answer: &mut Self::Answer) -> Result<(), String> {
        answer.text = answer.text.take().filter(|text| !text.trim().is_empty());
        Ok(())
    }

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
