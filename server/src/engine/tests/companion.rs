//! What document 004 says of the three companion hooks.

use super::{
    asked::ask,
    scripted::{Says, chain},
};
use crate::hooks::{CompanionBriefing, CompanionPerformance, CompanionSpeech};
use serde_json::{Value, json};

/// Compares what is left of an edit of a briefing with the move `wave`.
async fn check_briefing(edit: Value, expected: Value) {
    let request = json!({
        "parts": [{"name": "speaking", "text": "s"}, {"name": "closing", "text": "c"}],
        "moves": [{"name": "wave", "description": "d", "motion_id": "m1"}],
        "voice": {"model": "v"},
    });
    let told = ask::<CompanionBriefing>(&chain([edit]), request.clone()).await;
    assert_eq!(told.said, expected);
    assert_eq!(told.request["voice"], request["voice"]);
}

#[tokio::test(start_paused = true)]
async fn parts_can_be_edited_removed_and_added() {
    let parts = json!({"parts": {"parts": [
        {"name": "closing", "text": "c\n- Speak like a pirate."}, {"name": "new", "text": "n"}]}});
    check_briefing(parts.clone(), parts).await;
    check_briefing(json!({"parts": {}}), json!({"parts": {}})).await;
    check_briefing(json!({}), json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn blank_names_and_texts_are_dropped() {
    let parts = json!([{"name": " ", "text": "x"}, {"name": "x", "text": "\n"},
        {"name": "kept", "text": "x"}, {}]);
    let kept = json!([{"name": "kept", "text": "x"}]);
    check_briefing(json!({"parts": {"parts": parts}}), json!({"parts": {"parts": kept}})).await;
    let moves = json!([{"name": "\t", "description": "x"}, {"name": "spin"}]);
    let kept = json!([{"name": "spin"}]);
    check_briefing(json!({"moves": {"moves": moves}}), json!({"moves": {"moves": kept}})).await;
}

#[tokio::test(start_paused = true)]
async fn descriptions_are_shortened_to_80_characters() {
    for (given, left) in [("x", 80), ("é", 80), ("🦀", 80)] {
        let moves =
            |n| json!({"moves": {"moves": [{"name": "a", "description": given.repeat(n)}]}});
        check_briefing(moves(81), moves(left)).await;
        check_briefing(moves(80), moves(80)).await;
        check_briefing(moves(7), moves(7)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_motion_of_a_move_is_read_only() {
    let edit = json!([{"name": "wave", "motion_id": "other"}, {"name": "new", "motion_id": "m1"}]);
    let left = json!([{"name": "wave", "motion_id": "m1"}, {"name": "new"}]);
    check_briefing(json!({"moves": {"moves": edit}}), json!({"moves": {"moves": left}})).await;
}

/// A plan of one group of the words `a b`, and its motions.
fn plan() -> Value {
    json!({
        "motions": [{"id": "talk", "can_play_while_speaking": true}, {"id": "dance"}],
        "groups": [group(&json!({}))],
    })
}

fn group(edit: &Value) -> Value {
    let mut group = json!({"index": 3, "caption": "a b", "words": ["a", "b"]});
    group.as_object_mut().unwrap().extend(edit.as_object().unwrap().clone());
    group
}

/// Compares whether an edit of the group is kept, or discarded whole with a
/// reason that contains `problem`.
async fn check_group(edit: Value, problem: &str) {
    let edited = json!({"groups": {"groups": [group(&edit)]}});
    let told = ask::<CompanionPerformance>(&chain([edited.clone()]), plan()).await;
    if problem.is_empty() {
        assert_eq!(told.said, edited, "{}", told.steps());
        return;
    }
    assert_eq!(
        (told.said, told.request["groups"].clone()),
        (json!({}), json!([group(&json!({}))]))
    );
    let fault = told.steps[0].fault.as_ref().unwrap().to_string();
    assert!(fault.contains(problem), "{fault}");
}

async fn check_cue(cue: Value, problem: &str) {
    let mut full = json!({"kind": "COMPANION_CUE_KIND_EMOTION", "name": "joy", "intensity": 1.0});
    full.as_object_mut().unwrap().extend(cue.as_object().unwrap().clone());
    check_group(json!({"cues": [full]}), problem).await;
}

#[tokio::test(start_paused = true)]
async fn index_caption_and_words_are_taken_from_the_original() {
    let edit =
        json!({"groups": {"groups": [{"index": 9, "caption": "x", "words": ["x", "y", "z"]}]}});
    let told = ask::<CompanionPerformance>(&chain([edit]), plan()).await;
    assert_eq!(told.said, json!({"groups": {"groups": [group(&json!({}))]}}));
}

#[tokio::test(start_paused = true)]
async fn a_different_number_of_groups_discards_the_edit() {
    for groups in [json!([]), json!([group(&json!({})), group(&json!({}))])] {
        let edit = json!({"groups": {"groups": groups}});
        let told = ask::<CompanionPerformance>(&chain([edit]), plan()).await;
        told.check(&json!({}), "a fault_skipped");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_motion_discards_the_edit() {
    check_group(json!({"gesture": {"motion_id": "talk", "anchor_word_index": 1}}), "").await;
    check_group(json!({"gesture": {"motion_id": "fly"}}), "`fly`").await;
    check_group(json!({"parts_gesture_motion_id": "fly"}), "`fly`").await;
    check_group(json!({"parts_gesture_motion_id": "talk"}), "").await;
    let motion = json!({"kind": "COMPANION_CUE_KIND_MOTION", "name": "fly", "motion_id": "fly"});
    check_cue(motion, "`fly`").await;
    let motion = json!({"kind": "COMPANION_CUE_KIND_MOTION", "name": "d", "motion_id": "dance"});
    check_cue(motion, "").await;
}

#[tokio::test(start_paused = true)]
async fn a_gesture_that_cannot_play_while_speaking_discards_the_edit() {
    check_group(json!({"gesture": {"motion_id": "dance"}}), "while speaking").await;
    check_group(json!({"parts_gesture_motion_id": "dance"}), "while speaking").await;
}

#[tokio::test(start_paused = true)]
async fn a_word_out_of_range_discards_the_edit() {
    check_cue(json!({"word_index": 1}), "").await;
    check_cue(json!({"word_index": 2}), "word index 2").await;
    check_cue(json!({"word_index": -1}), "word index -1").await;
    let gesture = json!({"gesture": {"motion_id": "talk", "anchor_word_index": 2}});
    check_group(gesture, "word index 2").await;
}

#[tokio::test(start_paused = true)]
async fn a_tone_may_end_at_the_groups_end_and_other_cues_have_no_end() {
    let tone = |end: i32| json!({"kind": "COMPANION_CUE_KIND_TONE", "end_word_index": end});
    check_cue(tone(2), "").await;
    check_cue(tone(3), "word index 3").await;
    check_cue(json!({"end_word_index": 1}), "end_word_index").await;
}

#[tokio::test(start_paused = true)]
async fn an_intensity_outside_0_to_1_discards_the_edit() {
    for intensity in [json!(-0.1), json!(1.1), json!("NaN")] {
        check_cue(json!({"intensity": intensity}), "intensity").await;
        check_group(json!({"mood": {"emotion": "joy", "intensity": intensity}}), "intensity").await;
    }
    check_group(json!({"mood": {"emotion": "joy", "intensity": 1.0}}), "").await;
}

#[tokio::test(start_paused = true)]
async fn pace_and_camera_cues_have_a_closed_set_of_names() {
    let pace = |name: &str| json!({"kind": "COMPANION_CUE_KIND_PACE", "name": name});
    let camera = |name: &str| json!({"kind": "COMPANION_CUE_KIND_CAMERA", "name": name});
    for name in ["left", "right", "home"] {
        check_cue(pace(name), "").await;
    }
    check_cue(pace("up"), "`up`").await;
    for name in ["-75", "0", "30", "75", "front", "reset"] {
        check_cue(camera(name), "").await;
    }
    for name in ["76", "-76", "1.5", "", "left"] {
        check_cue(camera(name), "its cue does not know").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_wardrobe_cue_cannot_be_added() {
    check_cue(json!({"kind": 8, "name": "party-hat"}), "unknown kind").await;
}

#[tokio::test(start_paused = true)]
async fn one_bad_cue_discards_the_good_ones_too() {
    let edit = json!({"cues": [{"kind": "COMPANION_CUE_KIND_EMOTION", "name": "joy"},
        {"kind": "COMPANION_CUE_KIND_EMOTION", "name": "joy", "intensity": 2.0}]});
    check_group(edit, "intensity").await;
}

#[tokio::test(start_paused = true)]
async fn a_plan_without_gestures_and_cues_is_a_legal_edit() {
    let told = ask::<CompanionPerformance>(
        &chain([json!({"groups": {"groups": [{}]}})]),
        json!({"motions": [], "groups": [{"cues": [{"name": "x"}], "index": 1}]}),
    )
    .await;
    assert_eq!(told.said, json!({"groups": {"groups": [{"index": 1}]}}));
}

#[tokio::test(start_paused = true)]
async fn blank_speech_keeps_the_original() {
    for (said, expected) in
        [("", json!({})), (" \n", json!({})), ("sequel", json!({"text": "sequel"}))]
    {
        let told =
            ask::<CompanionSpeech>(&chain([json!({"text": said})]), json!({"text": "SQL"})).await;
        assert_eq!(told.said, expected, "{said:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_caption_stays_the_same_when_the_speech_is_rewritten() {
    let sequel = Says::Seeing(
        |seen| json!({"text": seen["text"].as_str().unwrap().replace("SQL", "sequel")}),
    );
    let request = json!({"text": "my SQL", "caption": "my SQL"});
    let told = ask::<CompanionSpeech>(&chain([sequel]), request).await;
    assert_eq!(told.request, json!({"text": "my sequel", "caption": "my SQL"}));
}
