//! One path for every cause of a fault: throws, panics, hangs, answers nonsense,
//! cannot be reached, reports a failure.

use super::{
    asked::{ask, ask_named, unary},
    scripted::{Cause, FIVE_SECONDS, Says, Scripted, chain, faulty, links},
};
use crate::{
    engine::{Chains, Context, Link, OnFault},
    hooks::{
        BeforeToolCall, CompanionSpeech, FaultDefault, HookId, HookSet, UserMessageInbound, VetoUse,
    },
    middleware::{Middleware, Reply},
};
use futures::future::BoxFuture;
use serde_json::{Value, json};
use sidehook_proto::v1;
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// Runs, for every cause, a link `a` that fails under `policy` and a link `b`
/// behind it, and compares what was said and what the report says.
async fn check(
    hook: HookId,
    policy: Option<OnFault>,
    expected: &dyn Fn(Cause) -> Value,
    steps: &str,
) {
    for cause in Cause::ALL {
        let chains = faulty(hook, cause, policy);
        let told = ask_named(hook, &chains).await;
        told.check(&expected(cause), steps);
        let fault = told.steps[0].fault.as_ref().unwrap().to_failure("a");
        assert_eq!(format!("{}/{}", fault.r#type, fault.code), cause.class(), "{hook}");
        let failing = chains.links().iter().find(|link| &*link.name == "a").unwrap();
        let counters = &failing.counters;
        assert_eq!((counters.call_count(), counters.fault_count()), (1, 1), "{hook} {cause:?}");
    }
}

fn failed(cause: Cause) -> Value {
    json!({"failed": format!("a: {}", cause.class())})
}

fn nothing(_: Cause) -> Value {
    json!({})
}

#[tokio::test(start_paused = true)]
async fn under_fail_every_cause_ends_the_chain_with_a_failure() {
    for hook in unary() {
        check(hook, Some(OnFault::Fail), &failed, "a fault_failed").await;
    }
}

#[tokio::test(start_paused = true)]
async fn under_skip_every_cause_leaves_the_value_and_the_rest_is_asked() {
    for hook in unary() {
        check(hook, Some(OnFault::Skip), &nothing, "a fault_skipped, b no_opinion").await;
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_policy_the_default_of_the_table_counts() {
    for hook in unary() {
        match hook.info().faults {
            FaultDefault::Fail => check(hook, None, &failed, "a fault_failed").await,
            FaultDefault::Skip | FaultDefault::Log => {
                check(hook, None, &nothing, "a fault_skipped, b no_opinion").await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn under_block_every_cause_vetoes_where_a_veto_counts() {
    for hook in unary().filter(|hook| hook.info().veto == VetoUse::Cancels) {
        for cause in Cause::ALL {
            let told = ask_named(hook, &faulty(hook, cause, Some(OnFault::Block))).await;
            let vetoed = told.said["vetoed"].as_str().unwrap();
            assert!(vetoed.starts_with("a: a "), "{hook} {vetoed}");
            assert_eq!(told.steps(), "a fault_blocked", "{hook} {cause:?}");
        }
    }
}

/// Compares what `block` refuses with at a hook that decides, and that the rest
/// is asked when `steps` says so.
async fn check_block(hook: HookId, refusal: Value, steps: &str) {
    for cause in Cause::ALL {
        let told = ask_named(hook, &faulty(hook, cause, Some(OnFault::Block))).await;
        let mut said = told.said.clone();
        said.as_object_mut().unwrap().remove("reason");
        assert_eq!((said, &*told.steps()), (refusal.clone(), steps), "{hook} {cause:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn under_block_every_cause_refuses_at_the_hooks_that_decide() {
    let deny = json!({"decision": "TOOL_DECISION_DENY", "decided_by": "a"});
    let both = "a fault_blocked, b no_opinion";
    check_block(HookId::BeforeToolCall, deny, both).await;
    let decline = json!({"decision": "APPROVAL_DECISION_DECLINE"});
    check_block(HookId::DecideApproval, decline, "a fault_blocked").await;
    check_block(HookId::BeforeCompaction, json!({"skip": true}), both).await;
    let hook = HookId::BeforeModelSwitch;
    let told = ask_named(hook, &faulty(hook, Cause::Throws, Some(OnFault::Block))).await;
    assert_eq!(told.said, json!({"block": "a threw"}));
}

#[tokio::test(start_paused = true)]
async fn a_guard_that_blocks_says_why_in_its_own_name() {
    let (tool, message) = (HookId::BeforeToolCall, HookId::UserMessageInbound);
    let told = ask_named(tool, &faulty(tool, Cause::TimesOut, Some(OnFault::Block))).await;
    assert_eq!(told.said["reason"], json!("a timed out after 5s"));
    let told = ask_named(message, &faulty(message, Cause::Panics, Some(OnFault::Block))).await;
    assert_eq!(told.said, json!({"vetoed": "a: a panicked: late"}));
}

#[tokio::test(start_paused = true)]
async fn one_guards_fault_never_removes_the_verdict_of_another() {
    let deny = json!({"decision": "TOOL_DECISION_DENY", "reason": "no"});
    for cause in Cause::ALL {
        for says in
            [[Says::Faults(cause), deny.clone().into()], [deny.clone().into(), Says::Faults(cause)]]
        {
            let mut links = links(says);
            links.iter_mut().for_each(|link| link.on_fault.every = Some(OnFault::Skip));
            let told = ask::<BeforeToolCall>(&Chains::new(links, FIVE_SECONDS), json!({})).await;
            assert_eq!(told.said["reason"], json!("no"), "{cause:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_policy_for_one_hook_wins_over_the_one_for_all() {
    let mut links = links([Says::Faults(Cause::Throws)]);
    links[0].on_fault.every = Some(OnFault::Skip);
    links[0].on_fault.hooks.insert(HookId::BeforeToolCall, OnFault::Fail);
    let chains = Chains::new(links, FIVE_SECONDS);
    assert_eq!(ask_named(HookId::BeforeToolCall, &chains).await.said, failed(Cause::Throws));
    assert_eq!(ask_named(HookId::BeforeModel, &chains).await.said, json!({}));
}

#[test]
fn the_fault_defaults_are_those_of_the_table() {
    for hook in HookId::ALL {
        let expected = match (hook.service(), hook.name()) {
            (_, "on_notification" | "after_run" | "on_event") => FaultDefault::Log,
            ("sidehook.v1.PlatformHooks", _) => FaultDefault::Skip,
            _ => FaultDefault::Fail,
        };
        assert_eq!(hook.info().faults, expected, "{hook}");
    }
}

#[test]
fn a_fault_can_block_only_where_something_can_be_refused() {
    let decide = [
        HookId::BeforeToolCall,
        HookId::DecideApproval,
        HookId::BeforeCompaction,
        HookId::BeforeModelSwitch,
    ];
    for hook in HookId::ALL {
        let expected = hook.info().veto == VetoUse::Cancels || decide.contains(&hook);
        assert_eq!(hook.info().can_refuse, expected, "{hook}");
    }
}

/// Compares how long a link at `hook` may hang, and so when it is skipped.
async fn check_timeout(hook: HookId, own: Option<Duration>, default: Duration, expected: Duration) {
    let mut links = links([Says::Faults(Cause::TimesOut)]);
    (links[0].timeout, links[0].on_fault.every) = (own, Some(OnFault::Skip));
    let started = Instant::now();
    ask_named(hook, &Chains::new(links, default)).await;
    assert_eq!(started.elapsed().as_millis() / 10, expected.as_millis() / 10, "{hook}");
}

#[tokio::test(start_paused = true)]
async fn a_link_has_five_seconds_and_one_second_on_the_path_to_first_sound() {
    let s = Duration::from_secs;
    for hook in unary() {
        let expected = if hook == HookId::CompanionSpeech { s(1) } else { s(5) };
        check_timeout(hook, None, s(5), expected).await;
    }
    check_timeout(HookId::BeforeRun, None, s(2), s(2)).await;
    check_timeout(HookId::BeforeRun, Some(s(3)), s(5), s(3)).await;
    check_timeout(HookId::CompanionSpeech, Some(s(3)), s(5), s(3)).await;
}

#[tokio::test(start_paused = true)]
async fn a_timeout_of_zero_disables_it() {
    let hour = Duration::from_secs(3600);
    let late = Says::After(hour, Box::new(json!({"text": "late"}).into()));
    let mut links = links([late]);
    links[0].timeout = Some(Duration::ZERO);
    let told = ask::<CompanionSpeech>(&Chains::new(links, FIVE_SECONDS), json!({})).await;
    assert_eq!(told.said, json!({"text": "late"}));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_just_in_time_counts() {
    let slow =
        |millis| Says::After(Duration::from_millis(millis), Box::new(json!({"text": "x"}).into()));
    let told = ask::<CompanionSpeech>(&chain([slow(999)]), json!({})).await;
    assert_eq!(told.said, json!({"text": "x"}));
    let told = ask::<CompanionSpeech>(&chain([slow(1001)]), json!({})).await;
    told.check(&json!({}), "a fault_skipped");
}

/// Panics when it is called, before there is a future.
#[derive(Debug)]
struct PanicsWhenCalled;

impl Middleware for PanicsWhenCalled {
    fn hooks(&self) -> HookSet {
        HookSet::ALL
    }

    fn user_message_inbound<'a, 'b, 'c, 'd, 'f>(
        &'a self,
        _: &'b Context<'c>,
        _: &'d v1::UserMessageInboundRequest,
    ) -> BoxFuture<'f, Reply<v1::UserMessageInboundAnswer>>
    where
        Self: 'f,
        'a: 'f,
        'b: 'f,
        'c: 'f,
        'd: 'f,
    {
        panic!("at once")
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_outside_of_any_future_is_a_fault_like_others() {
    let links = vec![
        Link::new("a", "test", Arc::new(PanicsWhenCalled)),
        Scripted::new(json!({"text": "b"})).link("b"),
    ];
    let told = ask::<UserMessageInbound>(&Chains::new(links, FIVE_SECONDS), json!({})).await;
    told.check(&json!({"text": "b"}), "a fault_skipped, b answered");
}
