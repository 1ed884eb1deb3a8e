//! Streamed text: what the runtime does with it, and what passes through sinks.

use super::{
    acted::{Acted, Does},
    played::{Played, Reply, Scene},
    poured::Pours,
};
use crate::{
    engine::{Mode, OnFault, StreamUse, Streaming, tests::scripted::Cause},
    hooks::{Wrap, WrapModelCall, WrapToolCall},
};
use proptest::prelude::*;
use std::time::Duration;

/// Links by their use of streams: `untouched`, `rewrites`, `holds`, `holding` (by
/// configuration); in capitals they are audited.
fn scene(uses: &str) -> Scene {
    let words: Vec<&str> = uses.split_whitespace().collect();
    let acted = words.iter().map(|word| Acted {
        uses: match &*word.to_lowercase() {
            "rewrites" => StreamUse::Rewrites,
            "holds" => StreamUse::Holds,
            _ => StreamUse::Untouched,
        },
        ..Acted::new("a", Does::Passes)
    });
    words.iter().enumerate().fold(Scene::acted(acted), |scene, (index, word)| {
        scene.with(index, |link| {
            link.holds_stream = word.eq_ignore_ascii_case("holding");
            link.mode = if word.to_uppercase() == **word { Mode::Audit } else { Mode::Enforce };
        })
    })
}

/// Compares what the runtime is to do with streamed text.
async fn check_relay(uses: &str, streaming: Streaming, expected: &str) {
    let played = scene(uses).streaming(streaming).play::<WrapModelCall>().await;
    let said = played.frames[0].replace(" unneeded", "");
    assert_eq!(said, format!("next 1{expected}"), "{uses} {streaming:?}");
}

#[tokio::test(start_paused = true)]
async fn the_strictest_need_in_the_chain_decides_the_relay() {
    check_relay("", Streaming::Yes, "").await;
    check_relay("untouched", Streaming::Yes, "").await;
    check_relay("untouched rewrites", Streaming::Yes, " relayed").await;
    check_relay("rewrites untouched", Streaming::Yes, " relayed").await;
    check_relay("holds rewrites", Streaming::Yes, " held").await;
    check_relay("rewrites holding", Streaming::Yes, " held").await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_not_streamed_is_direct_and_one_held_outside_is_held() {
    check_relay("holds rewrites", Streaming::No, "").await;
    check_relay("untouched", Streaming::Held, " held").await;
    check_relay("rewrites", Streaming::Held, " held").await;
}

#[tokio::test(start_paused = true)]
async fn audited_links_do_not_decide_the_relay() {
    check_relay("HOLDS untouched", Streaming::Yes, "").await;
    check_relay("HOLDING rewrites", Streaming::Yes, " relayed").await;
}

/// Streams `pieces` through sinks.
async fn stream(sinks: &[Pours], pieces: &[&str]) -> Played {
    let scene = Scene::of(sinks.iter().copied().map(Does::Sinks)).streaming(Streaming::Yes);
    let pieces = pieces.iter().map(|&piece| piece.to_owned()).collect();
    scene.replies([Reply::Streams(pieces)]).play::<WrapModelCall>().await
}

/// Compares what is emitted.
async fn check(sinks: &[Pours], pieces: &[&str], emitted: &[&str]) {
    let played = stream(sinks, pieces).await;
    let expected: Vec<String> = emitted.iter().map(|piece| format!("emit {piece}")).collect();
    assert_eq!(played.frames[1..], expected, "{sinks:?}");
    assert_eq!(played.outcome, "1 as it came");
}

#[tokio::test(start_paused = true)]
async fn text_passes_through_a_sink_as_it_comes() {
    check(&[Pours::Loud], &["a", "b"], &["A", "B"]).await;
}

#[tokio::test(start_paused = true)]
async fn what_a_sink_holds_back_is_emitted_at_the_end() {
    check(&[Pours::InPieces(2)], &["a", "bcd", "e"], &["ab", "cd", "e."]).await;
    check(&[Pours::InPieces(9)], &["a", "b"], &["ab."]).await;
}

#[tokio::test(start_paused = true)]
async fn text_passes_the_innermost_sink_first_also_at_the_end() {
    // `b` ends with its own dot, which `a` still sees.
    check(&[Pours::InPieces(2), Pours::InPieces(3)], &["abcd"], &["ab", "cd", ".."]).await;
}

#[tokio::test(start_paused = true)]
async fn a_sink_sees_nothing_and_adds_nothing_when_text_is_not_relayed() {
    let sinks = || Scene::of([Does::Sinks(Pours::InPieces(2))]);
    sinks().play::<WrapModelCall>().await.check("next 1", "1 as it came");
    let held = sinks().streaming(Streaming::Held).play::<WrapToolCall>().await;
    held.check("next 1 held", "1 as it came");
}

/// Compares what becomes of a stream whose outer sink `a` fails, inside an inner
/// link that retries everything.
async fn check_fault(pours: Pours, policy: OnFault, frames: &str, outcome: &str, steps: &str) {
    let scene = Scene::of([Does::Sinks(pours), Does::RetriesEverything(3)])
        .streaming(Streaming::Yes)
        .replies([Reply::Streams(vec!["x".into(), "y".into()])])
        .with(0, |link| link.on_fault.every = Some(policy));
    let played = scene.play::<Wrap>().await;
    played.check(frames, outcome);
    assert_eq!(played.steps(), steps);
    assert!(played.steps[0].fault.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_sink_that_fails_under_skip_lets_the_text_pass_and_is_reported() {
    let (frames, steps) = ("next 1 relayed, emit x, emit y", "a fault_skipped, b no_opinion");
    for cause in [Cause::Throws, Cause::Panics, Cause::TimesOut] {
        let pours = Pours::Faults(cause);
        check_fault(pours, OnFault::Skip, frames, "1 as it came", steps).await;
    }
    check_fault(Pours::FaultsAtTheEnd, OnFault::Skip, frames, "1 as it came", steps).await;
}

#[tokio::test(start_paused = true)]
async fn a_sink_that_fails_under_fail_ends_the_call_and_nobody_retries_it() {
    let (frames, steps) = ("next 1 relayed", "a fault_failed, b no_opinion");
    let outcome = "failed by a: invalid_params/middleware_threw";
    check_fault(Pours::Faults(Cause::Panics), OnFault::Fail, frames, outcome, steps).await;
    let frames = "next 1 relayed, emit x, emit y";
    check_fault(Pours::FaultsAtTheEnd, OnFault::Fail, frames, outcome, steps).await;
}

/// Compares what becomes of a stream that breaks off after `pieces`, with a link
/// that tries again unless text was shown.
async fn check_broken(pieces: &[&str], frames: &str, outcome: &str) {
    let pieces = pieces.iter().map(|&piece| piece.to_owned()).collect();
    let scene = Scene::of([Does::RetriesUnlessShown(2), Does::Sinks(Pours::InPieces(2))])
        .streaming(Streaming::Yes)
        .replies([Reply::BreaksOff(pieces), Reply::Streams(vec!["ok".into()])]);
    scene.play::<WrapModelCall>().await.check(frames, outcome);
}

#[tokio::test(start_paused = true)]
async fn a_link_can_tell_whether_text_was_shown_before_it_tries_again() {
    let frames = "next 1 relayed, next 2 relayed, emit ok, emit .";
    check_broken(&["a"], frames, "2 as it came").await;
    let failed = "failed by : network/E retryable";
    check_broken(&["ab", "c"], "next 1 relayed, emit ab", failed).await;
}

#[tokio::test(start_paused = true)]
async fn an_audited_sink_changes_nothing() {
    let scene = Scene::of([Does::Sinks(Pours::Loud), Does::Sinks(Pours::InPieces(1))])
        .with(0, |link| link.mode = Mode::Audit)
        .streaming(Streaming::Yes)
        .replies([Reply::Streams(vec!["ab".into()])]);
    let played = scene.play::<WrapModelCall>().await;
    played.check("next 1 relayed, emit a, emit b, emit .", "1 as it came");
}

#[tokio::test(start_paused = true)]
async fn pieces_of_a_call_that_was_given_up_are_stale() {
    let slow = Reply::After(Duration::from_secs(9), Box::new(Reply::Streams(vec!["x".into()])));
    let scene = Scene::of([
        Does::Works([Duration::ZERO, Duration::from_secs(20), Duration::ZERO]),
        Does::GivesUp(Duration::from_secs(1), "canned"),
        Does::Sinks(Pours::Loud),
    ]);
    let scene = scene.with(0, |link| link.timeout = Some(Duration::ZERO));
    let replies = [slow, Reply::Streams(vec!["y".into()])];
    let played = scene.streaming(Streaming::Yes).replies(replies).play::<WrapModelCall>().await;
    assert_eq!(played.stale, 2);
    played.check("next 1 relayed, next 2 relayed, emit Y", "2 as it came");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_emitted_depends_on_all_text_and_not_on_its_pieces(
        pieces in proptest::collection::vec("[a-zé🦀]{0,5}", 0..8),
        sizes in proptest::collection::vec(1..6_usize, 1..5),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time().start_paused(true).build().unwrap();
        let sinks: Vec<Pours> = sizes.iter().map(|size| Pours::InPieces(*size)).collect();
        let emitted = |pieces: &[&str]| {
            let frames = runtime.block_on(stream(&sinks, pieces)).frames;
            frames[1..].iter().map(|frame| frame.strip_prefix("emit ").unwrap()).collect::<String>()
        };
        let pieces: Vec<&str> = pieces.iter().map(|piece| &**piece).collect();
        let whole = pieces.concat();
        // Each sink adds its dot.
        prop_assert_eq!(emitted(&pieces), emitted(&[&whole]));
        prop_assert_eq!(emitted(&pieces), whole + &".".repeat(sinks.len()));
    }
}
