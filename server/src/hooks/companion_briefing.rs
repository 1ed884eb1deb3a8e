//! `CompanionBriefing`: edits the instructions for speaking aloud.
//!
//! - **Fires** once a turn, for an agent with a companion.
//! - **Sees** the parts, the moves, the voice and the wardrobe.
//! - **Answers** new parts, new moves.
//! - **Rule** [`Rule::Rewrite`]: each link sees the briefing as the earlier
//!   ones left it.
//! - **Veto** is ignored, and reported as such.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** blank names and texts are dropped, descriptions are cut at 80
//!   characters, `motion_id` is read-only.
//! - **Source** document 004, "companionBriefing".

use super::{FaultDefault, Hook, Rule, VetoUse};
use sidehook_proto::v1::{CompanionMove, CompanionPart};
use std::ops::ControlFlow;

/// Edits the instructions for speaking aloud.
#[derive(Debug)]
pub struct CompanionBriefing;

impl Hook for CompanionBriefing {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Ignored;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn check(request: &Self::Request, answer: &mut Self::Answer) -> Result<(), String> {
        if let Some(list) = &mut answer.parts {
            list.parts.retain(|part| !is_blank(part));
        }
        if let Some(list) = &mut answer.moves {
            list.moves.retain(|entry| !entry.name.trim().is_empty());
            for entry in &mut list.moves {
                entry.motion_id = motion_of(&request.moves, &entry.name);
                shorten(&mut entry.description);
            }
        }
        Ok(())
    }

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        if let Some(list) = answer.parts {
            request.parts.clone_from(&list.parts);
            so_far.parts = Some(list);
        }
        if let Some(list) = answer.moves {
            request.moves.clone_from(&list.moves);
            so_far.moves = Some(list);
        }
        ControlFlow::Continue(())
    }
}

/// A description is cut at so many characters.
const MAX_DESCRIPTION_CHARACTERS: usize = 80;

fn is_blank(part: &CompanionPart) -> bool {
    part.name.trim().is_empty() || part.text.trim().is_empty()
}

/// The motion of the original move of that name. A move that the look does not
/// have may be asked for, but nothing plays.
fn motion_of(moves: &[CompanionMove], name: &str) -> Option<String> {
    moves.iter().find(|entry| entry.name == name)?.motion_id.clone()
}

fn shorten(description: &mut String) {
    if let Some((at, _)) = description.char_indices().nth(MAX_DESCRIPTION_CHARACTERS) {
        description.truncate(at);
    }
}
