//! Document 001, "Composition order": how links nest around a call.

use super::{
    acted::{Acted, Does},
    played::Scene,
};
use crate::{
    engine::tests::scripted::{Cause, Gate},
    hooks::{Wrap, WrapModelCall, WrapToolCall},
};

/// Compares when links begin and end, at each of the hooks around a call.
async fn check(does: &[Does], expected: &str) {
    let scene = || Scene::of(does.iter().copied());
    assert_eq!(scene().play::<WrapModelCall>().await.trace, expected);
    assert_eq!(scene().play::<WrapToolCall>().await.trace, expected);
    assert_eq!(scene().play::<Wrap>().await.trace, expected);
}

#[tokio::test(start_paused = true)]
async fn the_first_link_is_outermost_first_to_start_and_last_to_finish() {
    check(&[Does::Passes, Does::Passes, Does::Passes], "a> b> c> <c <b <a").await;
}

#[tokio::test(start_paused = true)]
async fn links_inside_one_that_answers_itself_never_run() {
    check(&[Does::Passes, Does::Answers("x"), Does::Passes], "a> b> <b <a").await;
}

#[tokio::test(start_paused = true)]
async fn links_inside_one_that_calls_again_run_again() {
    check(&[Does::Repeats(2), Does::Passes], "a> b> <b b> <b <a").await;
}

#[tokio::test(start_paused = true)]
async fn lower_priority_is_outermost() {
    let scene = Scene::of([Does::Passes, Does::Passes]);
    let played = scene.with(0, |link| link.priority = 1).play::<Wrap>().await;
    assert_eq!(played.trace, "b> a> <a <b");
}

fn gated(name: &'static str, applies: bool) -> Acted {
    Acted { gate: Some(Gate::Says(applies)), ..Acted::new(name, Does::Passes) }
}

#[tokio::test(start_paused = true)]
async fn a_link_that_does_not_apply_is_absent_from_the_nesting_and_reported_in_its_place() {
    let acted = [gated("a", false), gated("b", false), gated("c", true), gated("d", false)];
    let played = Scene::acted(acted).play::<Wrap>().await;
    played.check("next 1", "1 as it came");
    assert_eq!(played.trace, "c> <c");
    assert_eq!(played.steps(), "a not_enabled, b not_enabled, c no_opinion, d not_enabled");
}

#[tokio::test(start_paused = true)]
async fn the_report_is_in_chain_order_also_behind_links_that_do_not_apply() {
    let acted = [gated("a", false), gated("b", false), gated("c", true), gated("d", true)];
    let played = Scene::acted(acted).play::<Wrap>().await;
    assert_eq!(played.steps(), "a not_enabled, b not_enabled, c no_opinion, d no_opinion");
}

#[tokio::test(start_paused = true)]
async fn an_enabled_that_fails_counts_as_false() {
    for cause in [Cause::Throws, Cause::Panics, Cause::TimesOut] {
        let acted =
            Acted { gate: Some(Gate::Faults(cause)), ..Acted::new("a", Does::Answers("x")) };
        let played = Scene::acted([acted]).play::<Wrap>().await;
        played.check("next 1 unneeded", "1 as it came");
    }
}

#[tokio::test(start_paused = true)]
async fn without_links_the_call_is_made_as_it_came_and_nobody_needs_the_answer() {
    let played = Scene::of([]).play::<WrapModelCall>().await;
    played.check("next 1 unneeded", "1 as it came");
}

#[tokio::test(start_paused = true)]
async fn effects_are_in_chain_order_and_the_outermost_stop_wins() {
    let acted = ["a", "b"].map(|name| Acted { stops: true, ..Acted::new(name, Does::Passes) });
    let played = Scene::acted(acted).play::<WrapToolCall>().await;
    let texts: Vec<&str> = played.effects.added_context.iter().map(|added| &*added.text).collect();
    assert_eq!(texts, ["a", "b"]);
    assert_eq!(played.effects.stop.unwrap().middleware, "a");
}

/// Compares who may still ask the run to stop when the innermost link `b` does
/// `does`.
async fn check_effects(does: Does, expected: &[&str]) {
    let acted = [("a", Does::Passes), ("b", does)];
    let acted = acted.map(|(name, does)| Acted { stops: true, ..Acted::new(name, does) });
    let played = Scene::acted(acted).play::<WrapModelCall>().await;
    let texts: Vec<&str> = played.effects.added_context.iter().map(|added| &*added.text).collect();
    assert_eq!(texts, expected, "{does:?}");
}

#[tokio::test(start_paused = true)]
async fn effects_of_a_link_that_failed_are_dropped_and_those_of_others_are_kept() {
    check_effects(Does::Passes, &["a", "b"]).await;
    check_effects(Does::FaultsBefore(Cause::Throws), &["a"]).await;
    check_effects(Does::FaultsAfter(Cause::Panics), &["a"]).await;
    check_effects(Does::TripsBefore("no"), &["a", "b"]).await;
}
