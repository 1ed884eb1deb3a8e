//! Audit mode around a call: the link runs, and nothing depends on it.

use super::{
    acted::{Acted, Does},
    played::{Reply, Scene},
    texts::Texts,
};
use crate::{
    engine::{Mode, tests::scripted::Cause},
    hooks::{Wrap, WrapModelCall, WrapToolCall},
};
use sidehook_proto::v1::{Effects, StepOutcome};
use std::time::Duration;

const S: Duration = Duration::from_secs(1);

/// Runs a link in audit mode around a call of 3 seconds, and compares what the
/// report says that it would have caused. The call is made once, as it came.
async fn check<W: Texts>(does: Does, would_have: StepOutcome) {
    let acted = Acted { stops: true, ..Acted::new("a", does) };
    let scene = Scene::acted([acted, Acted::new("b", Does::Passes)]);
    let scene = scene.replies([Reply::After(S * 3, Box::new(Reply::Ends("real")))]);
    let played = scene.with(0, |link| link.mode = Mode::Audit).play::<W>().await;
    played.check("next 1", "1 as it came");
    assert_eq!(played.effects, Effects::default(), "{does:?}");
    let [a, b] = &played.steps[..] else { panic!("{}", played.steps()) };
    assert_eq!((a.outcome, a.would_have), (StepOutcome::NoOpinion, Some(would_have)), "{does:?}");
    assert_eq!((b.outcome, b.would_have), (StepOutcome::NoOpinion, None), "{does:?}");
    assert!(played.trace.contains("a>") && played.trace.contains("b>"), "both run");
}

#[tokio::test(start_paused = true)]
async fn nothing_that_an_audited_link_does_changes_the_call() {
    use StepOutcome::{Answered, NoOpinion, ShortCircuited, Tripped};
    for (does, would_have) in [
        (Does::Passes, NoOpinion),
        (Does::Copies, NoOpinion),
        (Does::Answers("canned"), ShortCircuited),
        (Does::Changes { call: "x", result: "" }, Answered),
        (Does::Changes { call: "", result: "!" }, Answered),
        (Does::TripsBefore("no"), Tripped),
        (Does::TripsAfter("no"), Tripped),
    ] {
        check::<WrapModelCall>(does, would_have).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_audited_link_that_calls_again_hedges_or_gives_up_makes_no_further_call() {
    use StepOutcome::{Answered, NoOpinion};
    check::<WrapModelCall>(Does::Repeats(3), NoOpinion).await;
    check::<WrapModelCall>(Does::Hedges(3), NoOpinion).await;
    check::<WrapModelCall>(Does::GivesUp(S, "canned"), Answered).await;
}

#[tokio::test(start_paused = true)]
async fn a_fault_of_an_audited_link_is_reported_and_ends_nothing() {
    for cause in Cause::ALL {
        for does in [Does::FaultsBefore(cause), Does::FaultsAfter(cause)] {
            check::<WrapModelCall>(does, StepOutcome::FaultFailed).await;
            check::<Wrap>(does, StepOutcome::FaultFailed).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_audited_link_may_not_change_what_is_fixed_and_that_is_its_fault() {
    check::<WrapToolCall>(Does::EditsTool(|call| call.approved = false), StepOutcome::FaultFailed)
        .await;
    check::<Wrap>(Does::Changes { call: "x", result: "" }, StepOutcome::FaultFailed).await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_or_a_tripwire_inside_an_audited_link_passes_it() {
    for (reply, outcome) in [
        (Reply::Fails("unavailable", "E"), "failed by : unavailable/E retryable"),
        (Reply::Trips("no"), "tripped by nested: no"),
    ] {
        let scene = Scene::of([Does::Swallows("canned")]).replies([reply]);
        let played = scene.with(0, |link| link.mode = Mode::Audit).play::<Wrap>().await;
        played.check("next 1", outcome);
    }
}
