//! What faults and tripwires do around a call.

use super::{
    acted::{Acted, Does},
    played::{Reply, Scene},
    texts::Texts,
};
use crate::{
    engine::{OnFault, tests::scripted::Cause},
    hooks::{Wrap, WrapModelCall, WrapToolCall},
};

/// Runs a link `a` that fails under `policy` around a link `b`, and compares the
/// frames, the outcome and the steps.
async fn check<W: Texts>(does: Does, policy: Option<OnFault>, expected: [&str; 3]) {
    let scene = Scene::of([does, Does::Changes { call: "", result: "!" }]);
    let played = scene.with(0, |link| link.on_fault.every = policy).play::<W>().await;
    let said = [&*played.frames.join(", "), &*played.outcome, &*steps(&played.steps())];
    assert_eq!(said, expected, "{does:?} {policy:?}");
    assert!(played.steps[0].fault.is_some(), "{does:?}");
}

/// The steps without what they changed.
fn steps(steps: &str) -> String {
    steps.replace(" [response]", "").replace(" [result]", "").replace(" [value_json]", "")
}

fn failed(cause: Cause) -> String {
    let retryable = match cause {
        Cause::TimesOut | Cause::IsUnreachable | Cause::ReturnsFailure => " retryable",
        _ => "",
    };
    format!("failed by a: {}{retryable}", cause.class())
}

async fn fails_before<W: Texts>(cause: Cause) {
    let does = Does::FaultsBefore(cause);
    for policy in [None, Some(OnFault::Fail), Some(OnFault::Block)] {
        let step =
            if policy == Some(OnFault::Block) { "a fault_blocked" } else { "a fault_failed" };
        check::<W>(does, policy, ["", &failed(cause), step]).await;
    }
    let skipped = ["next 1", "1 by b: real!", "a fault_skipped, b answered"];
    check::<W>(does, Some(OnFault::Skip), skipped).await;
}

#[tokio::test(start_paused = true)]
async fn a_fault_before_next_ends_the_call_or_is_skipped_inwards_whatever_its_cause() {
    for cause in Cause::ALL {
        fails_before::<WrapModelCall>(cause).await;
        fails_before::<WrapToolCall>(cause).await;
        fails_before::<Wrap>(cause).await;
    }
}

async fn fails_after<W: Texts>(cause: Cause) {
    let does = Does::FaultsAfter(cause);
    let steps = "a fault_failed, b answered";
    check::<W>(does, None, ["next 1", &failed(cause), steps]).await;
    // The call is not made a second time.
    let skipped = ["next 1", "1 by b: real!", "a fault_skipped, b answered"];
    check::<W>(does, Some(OnFault::Skip), skipped).await;
}

#[tokio::test(start_paused = true)]
async fn a_fault_after_next_ends_a_model_call_and_a_tool_call() {
    for cause in Cause::ALL {
        fails_after::<WrapModelCall>(cause).await;
        fails_after::<WrapToolCall>(cause).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_fault_after_next_succeeded_keeps_the_original_result_of_a_logical_call() {
    let kept = ["next 1", "1 by b: real!", "a fault_skipped, b answered"];
    for cause in Cause::ALL {
        for policy in [None, Some(OnFault::Fail)] {
            check::<Wrap>(Does::FaultsAfter(cause), policy, kept).await;
        }
    }
}

/// Compares what becomes of the failure of a real call, or of a nested run's
/// tripwire, with a link `a` around it.
async fn check_inner(does: Does, reply: Reply, frames: &str, outcome: &str) {
    for again in [Reply::Ends("again"), reply.clone()] {
        let replies = [reply.clone(), again];
        let scene = Scene::of([Does::Passes, does, Does::Passes]).replies(replies);
        scene.play::<WrapToolCall>().await.check(frames, outcome);
    }
}

#[tokio::test(start_paused = true)]
async fn a_nested_runs_tripwire_passes_outward_and_is_never_retried_or_swallowed() {
    for does in [
        Does::Passes,
        Does::Retries(3),
        Does::RetriesEverything(3),
        Does::Swallows("canned"),
        Does::Repeats(2),
    ] {
        let outcome = "tripped by nested: no";
        check_inner(does, Reply::Trips("no"), "next 1", outcome).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_the_real_call_may_be_swallowed() {
    let failed = Reply::Fails("unavailable", "E");
    check_inner(Does::Swallows("canned"), failed, "next 1", "0 by b: canned").await;
}

#[tokio::test(start_paused = true)]
async fn a_link_may_trip_before_or_after_the_call() {
    for (does, frames) in [(Does::TripsBefore("no"), ""), (Does::TripsAfter("no"), "next 1")] {
        let scene = Scene::of([Does::RetriesEverything(3), does]);
        let played = scene.play::<Wrap>().await;
        played.check(frames, "tripped by b: no");
        assert_eq!(played.steps(), "a no_opinion, b tripped");
        assert!(played.steps.iter().all(|step| step.fault.is_none()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_fault_outside_does_not_hide_a_tripwire_inside() {
    let fails_after_all = Acted { faults_when_inner_fails: true, ..Acted::new("a", Does::Passes) };
    let scene = Scene::acted([fails_after_all, Acted::new("b", Does::TripsBefore("no"))]);
    scene.play::<WrapModelCall>().await.check("", "tripped by b: no");
}

#[tokio::test(start_paused = true)]
async fn a_fault_after_a_retry_keeps_the_result_that_succeeded() {
    let replies = [Reply::Ends("one"), Reply::Fails("unavailable", "E")];
    let acted = Acted { faults_when_inner_fails: true, ..Acted::new("a", Does::Repeats(2)) };
    let played = Scene::acted([acted]).replies(replies).play::<Wrap>().await;
    played.check("next 1, next 2", "1 as it came");
}

#[tokio::test(start_paused = true)]
async fn the_counters_count_what_ran_and_what_failed() {
    let scene = Scene::of([Does::Repeats(2), Does::FaultsBefore(Cause::Throws)]);
    let scene = scene.with(1, |link| link.on_fault.every = Some(OnFault::Skip));
    let (counts, _) = scene.counted::<WrapModelCall>().await;
    assert_eq!(counts, [(1, 0), (2, 2)]);
}
