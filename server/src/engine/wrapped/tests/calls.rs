//! `next`: never, once, again, at the same time; with the call as it came or
//! another; and whose the answer is.

use super::{
    acted::{Acted, Does},
    played::{Reply, Scene},
};
use crate::hooks::{Wrap, WrapModelCall};
use std::time::Duration;

const S: Duration = Duration::from_secs(1);

fn after(seconds: u32, reply: Reply) -> Reply {
    Reply::After(S * seconds, Box::new(reply))
}

/// Runs links around a model call whose real calls end as `replies` say, and
/// compares the frames and the outcome.
async fn check(does: &[Does], replies: &[Reply], frames: &str, outcome: &str) {
    let scene = Scene::of(does.iter().copied()).replies(replies.iter().cloned());
    scene.play::<WrapModelCall>().await.check(frames, outcome);
}

#[tokio::test(start_paused = true)]
async fn a_link_that_never_calls_next_answers_itself() {
    check(&[Does::Answers("canned")], &[], "", "0 by a: canned").await;
    let played = Scene::of([Does::Answers("canned")]).play::<Wrap>().await;
    played.check("", "0 by a: canned");
    assert_eq!(played.steps(), "a short_circuited [value_json]");
}

#[tokio::test(start_paused = true)]
async fn a_result_that_nobody_changed_is_not_sent_back() {
    check(&[Does::Passes, Does::Passes], &[], "next 1", "1 as it came").await;
}

#[tokio::test(start_paused = true)]
async fn a_copy_that_is_equal_counts_as_unchanged() {
    let played = Scene::of([Does::Copies]).play::<WrapModelCall>().await;
    played.check("next 1", "1 as it came");
    assert_eq!(played.steps(), "a no_opinion");
}

#[tokio::test(start_paused = true)]
async fn a_changed_result_is_sent_and_names_the_outermost_link_that_changed_it() {
    let changes = Does::Changes { call: "", result: "!" };
    let frames = "next 1";
    check(&[Does::Passes, changes], &[], frames, "1 by b: real!").await;
    check(&[changes, changes], &[], frames, "1 by a: real!!").await;
}

#[tokio::test(start_paused = true)]
async fn a_changed_call_is_sent_and_one_that_came_is_absent() {
    let more = |call| Does::Changes { call, result: "" };
    check(&[more("1"), more("2")], &[], "next 1 ({}12)", "1 as it came").await;
    check(&[more("")], &[], "next 1", "1 as it came").await;
}

#[tokio::test(start_paused = true)]
async fn the_report_names_what_a_link_changed() {
    let changes = Does::Changes { call: "1", result: "!" };
    let played = Scene::of([changes, Does::Passes]).play::<WrapModelCall>().await;
    assert_eq!(played.steps(), "a answered [call, response], b no_opinion");
}

#[tokio::test(start_paused = true)]
async fn every_real_call_has_its_own_invocation() {
    let replies = [Reply::Ends("one"), Reply::Ends("two")];
    check(&[Does::Repeats(2)], &replies, "next 1, next 2", "2 as it came").await;
    check(&[Does::RepeatsForTheFirst(2)], &replies, "next 1, next 2", "1 as it came").await;
}

#[tokio::test(start_paused = true)]
async fn a_link_may_retry_a_call_that_fails() {
    let failed = Reply::Fails("rate_limited", "429");
    let replies = [failed.clone(), failed.clone(), Reply::Ends("ok")];
    check(&[Does::Retries(3)], &replies, "next 1, next 2, next 3", "3 as it came").await;
    let outcome = "failed by : rate_limited/429 retryable";
    check(&[Does::Retries(2)], &[failed], "next 1, next 2", outcome).await;
}

#[tokio::test(start_paused = true)]
async fn a_providers_error_passes_through_links_with_its_type() {
    let failed = Reply::Fails("unavailable", "LLM_UNAVAILABLE");
    let outcome = "failed by : unavailable/LLM_UNAVAILABLE retryable";
    check(&[Does::Passes, Does::Passes], &[failed], "next 1", outcome).await;
    check(&[], &[Reply::Fails("", "E")], "next 1 unneeded", "failed by : internal/E retryable")
        .await;
}

#[tokio::test(start_paused = true)]
async fn of_two_calls_at_the_same_time_the_first_result_counts() {
    let replies = [after(9, Reply::Ends("slow")), Reply::Ends("fast")];
    let scene = Scene::of([Does::Hedges(2)]).replies(replies);
    scene.play::<WrapModelCall>().await.check("next 1, next 2", "2 as it came");
}

#[tokio::test(start_paused = true)]
async fn frames_of_a_call_that_nobody_waits_for_any_more_are_dropped_and_counted() {
    let replies = [after(1, Reply::Ends("late")), Reply::Ends("fast")];
    let works = Does::Works([Duration::ZERO, S * 2, Duration::ZERO]);
    let scene = Scene::of([works, Does::Hedges(2)]).replies(replies);
    let played = scene.play::<WrapModelCall>().await;
    assert_eq!((played.stale, &*played.outcome), (1, "3 as it came"));
}

#[tokio::test(start_paused = true)]
async fn a_link_inside_a_call_that_was_given_up_is_reported_as_cancelled() {
    let scene = Scene::of([Does::GivesUp(S, "canned"), Does::Passes]);
    let played = scene.replies([after(9, Reply::Ends("late"))]).play::<WrapModelCall>().await;
    played.check("next 1", "0 by a: canned");
    assert_eq!(played.steps(), "a answered [response], b cancelled");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_no_link_looks_at_need_not_be_sent() {
    let blind = || Acted { needs_answer: false, ..Acted::new("a", Does::Passes) };
    let scene = Scene::acted([blind()]).replies([Reply::EndsBare]);
    scene.play::<WrapModelCall>().await.check("next 1 unneeded", "1 as it came");
    let played = Scene::acted([blind(), Acted::new("b", Does::Passes)]).play::<Wrap>().await;
    played.check("next 1", "1 as it came");
}
