//! `CompanionPerformance`: edits a reply's animation plan.
//!
//! - **Fires** once a plan, off the path to first sound.
//! - **Sees** the motions of the look and the plan, a group for each group of
//!   sentences.
//! - **Answers** the edited groups.
//! - **Rule** [`Rule::Rewrite`]: each link sees the plan as the earlier ones left
//!   it; an edit with any mistake is discarded whole.
//! - **Veto** is ignored, and reported as such.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** as many groups as before; known motions; words in range; a
//!   gesture that can play while speaking; intensities from 0 to 1; `index`,
//!   `caption` and `words` are taken from the original.
//! - **Source** document 004, "companionPerformance".

use super::{FaultDefault, Hook, Rule, VetoUse};
use sidehook_proto::v1::{
    CompanionCue, CompanionCueKind, CompanionMotion, CompanionPerformanceGroup,
};
use std::ops::ControlFlow;

/// Edits a reply's animation plan.
#[derive(Debug)]
pub struct CompanionPerformance;

impl Hook for CompanionPerformance {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Ignored;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn check(request: &Self::Request, answer: &mut Self::Answer) -> Result<(), String> {
        let Some(list) = &mut answer.groups else { return Ok(()) };
        if list.groups.len() != request.groups.len() {
            return Err(format!(
                "gave {} groups instead of {}",
                list.groups.len(),
                request.groups.len()
            ));
        }
        for (edited, original) in list.groups.iter_mut().zip(&request.groups) {
            edited.index = original.index;
            edited.caption.clone_from(&original.caption);
            edited.words.clone_from(&original.words);
            check_group(edited, &request.motions)
                .map_err(|problem| format!("gave group {} {problem}", original.index))?;
        }
        Ok(())
    }

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        if let Some(list) = answer.groups {
            request.groups.clone_from(&list.groups);
            so_far.groups = Some(list);
        }
        ControlFlow::Continue(())
    }
}

fn check_group(
    group: &CompanionPerformanceGroup,
    motions: &[CompanionMotion],
) -> Result<(), String> {
    if let Some(mood) = &group.mood {
        check_intensity(mood.intensity)?;
    }
    for cue in &group.cues {
        check_cue(cue, group.words.len(), motions)?;
    }
    if let Some(gesture) = &group.gesture {
        check_gesture(&gesture.motion_id, motions)?;
        if let Some(word) = gesture.anchor_word_index {
            check_word(word, group.words.len())?;
        }
    }
    match &group.parts_gesture_motion_id {
        Some(id) => check_gesture(id, motions),
        None => Ok(()),
    }
}

/// The body's gesture and the extra parts' gesture both play while she speaks.
fn check_gesture(id: &str, motions: &[CompanionMotion]) -> Result<(), String> {
    if motion(motions, id)?.can_play_while_speaking {
        return Ok(());
    }
    Err(format!("the gesture `{id}`, which cannot play while speaking"))
}

fn check_cue(cue: &CompanionCue, words: usize, motions: &[CompanionMotion]) -> Result<(), String> {
    check_word(cue.word_index, words)?;
    check_intensity(cue.intensity)?;
    if let Some(id) = &cue.motion_id {
        motion(motions, id)?;
    }
    let kind = CompanionCueKind::try_from(cue.kind).unwrap_or_default();
    let named = match kind {
        CompanionCueKind::Unspecified => return Err("a cue of an unknown kind".into()),
        CompanionCueKind::Pace => ["left", "right", "home"].contains(&&*cue.name),
        CompanionCueKind::Camera => is_view(&cue.name),
        CompanionCueKind::Emotion
        | CompanionCueKind::Tone
        | CompanionCueKind::Effect
        | CompanionCueKind::Pause
        | CompanionCueKind::Motion => true,
    };
    if !named {
        return Err(format!("the name `{}`, which its cue does not know", cue.name));
    }
    match cue.end_word_index {
        None => Ok(()),
        Some(_) if kind != CompanionCueKind::Tone => {
            Err("an `end_word_index` on a cue that is no tone".into())
        }
        // The end may be the count of words: the group's end.
        Some(end) => check_word(end, words + 1),
    }
}

/// Whole degrees from -75 to 75, `front` or `reset`.
fn is_view(name: &str) -> bool {
    ["front", "reset"].contains(&name)
        || name.parse::<i32>().is_ok_and(|degrees| (-75..=75).contains(&degrees))
}

fn check_word(word: i32, count: usize) -> Result<(), String> {
    if usize::try_from(word).is_ok_and(|word| word < count) {
        return Ok(());
    }
    Err(format!("the word index {word}, which is out of range"))
}

fn check_intensity(intensity: f64) -> Result<(), String> {
    if (0.0..=1.0).contains(&intensity) {
        return Ok(());
    }
    Err(format!("the intensity {intensity}, which is outside 0 to 1"))
}

fn motion<'a>(motions: &'a [CompanionMotion], id: &str) -> Result<&'a CompanionMotion, String> {
    motions
        .iter()
        .find(|motion| motion.id == id)
        .ok_or_else(|| format!("the motion `{id}`, which the look does not have"))
}
