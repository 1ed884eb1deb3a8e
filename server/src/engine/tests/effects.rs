//! What links ask the run to do beside their answers, and audit mode, in which
//! nothing that they do has an effect.

use super::{
    asked::{ask, ask_named, unary},
    scripted::{Cause, Effect, FIVE_SECONDS, Says, Scripted, chain, chain_at, links},
};
use crate::{
    engine::{Chains, Layer, Link, Mode, OnFault},
    hooks::{AfterToolBatch, BeforeToolCall, HookId, UserMessageInbound},
};
use serde_json::{Value, json};
use sidehook_proto::v1::{AddedContext, Effects, LogEvent, StepOutcome, Stop};

const ALL: [Effect; 3] = [Effect::AddsContext("t"), Effect::Stops("s"), Effect::Logs("e")];

fn link(name: &str, says: impl Into<Says>, effects: &[Effect]) -> Link {
    Scripted { effects: effects.to_vec(), ..Scripted::new(says) }.link(name)
}

/// All effects, in the name of `by`.
fn effects(by: &str) -> Effects {
    Effects {
        added_context: vec![AddedContext { text: "t".into(), middleware: by.into() }],
        stop: Some(Stop { reason: "s".into(), middleware: by.into() }),
        log_events: vec![LogEvent {
            event: "e".into(),
            note_json: r#"{"n":1}"#.into(),
            middleware: by.into(),
        }],
    }
}

/// Compares the effects of a chain of `links`.
async fn check(links: Vec<Link>, expected: Effects) {
    let told = ask::<AfterToolBatch>(&Chains::new(links, FIVE_SECONDS), json!({})).await;
    assert_eq!(told.effects, expected, "{}", told.steps());
}

#[tokio::test(start_paused = true)]
async fn effects_are_signed_by_the_middleware() {
    check(vec![link("a", json!({}), &ALL)], effects("a")).await;
    check(vec![link("a", json!({}), &[])], Effects::default()).await;
}

#[tokio::test(start_paused = true)]
async fn effects_are_appended_in_order_and_the_first_stop_wins() {
    let links = vec![link("a", json!({}), &ALL), link("b", json!({}), &ALL)];
    let mut expected = effects("a");
    expected.added_context.append(&mut effects("b").added_context);
    expected.log_events.append(&mut effects("b").log_events);
    check(links, expected).await;
}

#[tokio::test(start_paused = true)]
async fn the_first_stop_of_one_link_wins() {
    let links = vec![link("a", json!({}), &[Effect::Stops("s"), Effect::Stops("later")])];
    let stop = effects("a").stop;
    check(links, Effects { stop, ..Effects::default() }).await;
}

#[tokio::test(start_paused = true)]
async fn effects_of_a_link_that_failed_are_dropped() {
    for cause in Cause::ALL {
        let mut failing = link("a", Says::Faults(cause), &ALL);
        failing.on_fault.every = Some(OnFault::Skip);
        check(vec![failing, link("b", json!({}), &ALL)], effects("b")).await;
    }
}

#[tokio::test(start_paused = true)]
async fn effects_of_a_link_that_trips_are_kept() {
    check(vec![link("a", Says::Trips("no"), &ALL), link("b", json!({}), &ALL)], effects("a")).await;
}

/// Runs a link in audit mode before one that follows, at `hook`, and compares
/// what the report says that it would have caused. Nothing may change.
async fn check_audit(hook: HookId, says: Says, would_have: StepOutcome) {
    let mut links = vec![link("a", says, &ALL), link("b", json!({}), &[])];
    links[0].mode = Mode::Audit;
    let chains = chain_at(hook, links);
    let told = ask_named(hook, &chains).await;
    told.check(&json!({}), "a no_opinion, b no_opinion");
    assert_eq!(told.effects, Effects::default(), "{hook}");
    assert_eq!(told.steps[0].would_have, Some(would_have), "{hook}");
    assert_eq!(told.steps[1].would_have, None, "{hook}");
    assert!(chains.links().iter().all(|link| link.counters.call_count() == 1), "they ran");
}

#[tokio::test(start_paused = true)]
async fn audit_changes_nothing_and_reports_what_would_have_been() {
    use StepOutcome::{Answered, NoOpinion, Tripped, VetoIgnored, Vetoed};
    let deny = json!({"decision": "TOOL_DECISION_DENY"});
    check_audit(HookId::BeforeToolCall, deny.into(), Answered).await;
    check_audit(HookId::BeforeToolCall, json!({}).into(), NoOpinion).await;
    check_audit(HookId::SystemPrompt, json!({"system_prompt": "x"}).into(), Answered).await;
    check_audit(HookId::CronJobFiring, Says::Vetoes("no".into()), Vetoed).await;
    check_audit(HookId::SessionClearing, Says::Vetoes("no".into()), VetoIgnored).await;
    for hook in unary() {
        check_audit(hook, Says::Trips("no"), Tripped).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_fault_in_audit_mode_is_counted_and_reported_and_ends_nothing() {
    use OnFault::{Block, Fail, Skip};
    use StepOutcome::{FaultBlocked, FaultFailed, FaultSkipped};
    for (policy, would_have) in [(Fail, FaultFailed), (Skip, FaultSkipped), (Block, FaultBlocked)] {
        for cause in Cause::ALL {
            let mut links = links([Says::Faults(cause)]);
            (links[0].mode, links[0].on_fault.every) = (Mode::Audit, Some(policy));
            let chains = Chains::new(links, FIVE_SECONDS);
            let told = ask::<BeforeToolCall>(&chains, json!({})).await;
            told.check(&json!({}), "a no_opinion");
            assert_eq!(told.steps[0].would_have, Some(would_have));
            assert!(told.steps[0].fault.is_some(), "{cause:?}");
            assert_eq!(chains.links()[0].counters.fault_count(), 1, "{cause:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn audit_reports_the_fields_that_would_have_changed() {
    let mut links = links([json!({"text": "x"})]);
    links[0].mode = Mode::Audit;
    let chains = Chains::new(links, FIVE_SECONDS);
    let told = ask::<UserMessageInbound>(&chains, json!({"text": "y"})).await;
    assert_eq!(told.steps[0].changed_fields, ["text"]);
    assert_eq!(told.request, json!({"text": "y"}));
}

#[tokio::test(start_paused = true)]
async fn the_report_says_who_did_what_and_how_long_it_took() {
    let slow =
        Says::After(std::time::Duration::from_millis(40), Box::new(json!({"text": "x"}).into()));
    let mut links = links([slow]);
    links[0].layer = Layer::Run;
    let told = ask::<UserMessageInbound>(&Chains::new(links, FIVE_SECONDS), json!({})).await;
    let report = crate::engine::Steps(told.steps).to_report(7, "hash");
    let step = &report.steps[0];
    assert_eq!((report.config_generation, &*report.config_hash), (7, "hash"));
    assert_eq!((&*step.middleware, &*step.kind), ("a", "scripted"));
    assert_eq!(
        (step.layer(), step.outcome()),
        (sidehook_proto::v1::Layer::Run, StepOutcome::Answered)
    );
    assert_eq!((step.changed_fields.len(), step.duration.unwrap().nanos / 1_000_000), (1, 40));
}

#[tokio::test(start_paused = true)]
async fn the_report_never_holds_payload_text() {
    let says = [json!({"text": "SECRET"})];
    let told = ask::<UserMessageInbound>(&chain(says), json!({"text": "SECRET"})).await;
    let report = crate::engine::Steps(told.steps).to_report(1, "");
    assert!(!format!("{report:?}").contains("SECRET"));
    let _: Value = told.said;
}
