//! `enabled` and `when`: a link that does not apply is skipped and reported.

use super::{
    asked::ask_in,
    asked::state,
    scripted::{Cause, FIVE_SECONDS, Gate, Scripted},
};
use crate::{
    engine::{Chains, Condition, Link},
    hooks::{BeforeRun, CompanionSpeech, Hook, Transform},
};
use serde_json::json;
use sidehook_proto::v1::HookContext;
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// Asks a link at `H` in the third iteration of a run of `support`, and compares
/// whether it was asked. One that was not is reported, and not counted.
async fn check<H: Hook>(link: Link, expected: bool) {
    let chains = Chains::new(vec![link], FIVE_SECONDS);
    let context =
        HookContext { iteration: 3, agent_name: "support".into(), ..HookContext::default() };
    let request =
        if H::STAGE == "attempt" { json!({"attempt": {"attempt": 2}}) } else { json!({}) };
    let told = ask_in::<H>(&chains, request, context, state()).await;
    let (steps, calls) = if expected { ("a no_opinion", 1) } else { ("a not_enabled", 0) };
    told.check(&json!({}), steps);
    let counters = &chains.links()[0].counters;
    assert_eq!((counters.call_count(), counters.fault_count()), (calls, 0));
}

fn gated(gate: Gate) -> Link {
    Scripted { gate: Some(gate), ..Scripted::new(json!({})) }.link("a")
}

async fn check_when<H: Hook>(when: &str, expected: bool) {
    let mut link = Scripted::new(json!({})).link("a");
    link.when = Some(Arc::new(Condition::compile(when).unwrap()));
    check::<H>(link, expected).await;
}

#[tokio::test(start_paused = true)]
async fn a_link_applies_when_its_enabled_says_so() {
    check::<BeforeRun>(gated(Gate::Says(true)), true).await;
    check::<BeforeRun>(gated(Gate::Says(false)), false).await;
}

#[tokio::test(start_paused = true)]
async fn an_enabled_that_throws_panics_or_times_out_counts_as_false() {
    for cause in [Cause::Throws, Cause::Panics, Cause::PanicsBeforeItsFirstAwait, Cause::TimesOut] {
        check::<BeforeRun>(gated(Gate::Faults(cause)), false).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_link_applies_when_its_condition_holds() {
    check_when::<BeforeRun>("iteration < 5", true).await;
    check_when::<BeforeRun>("iteration > 5", false).await;
    check_when::<BeforeRun>("agent_name == 'support' && hook == 'before_run'", true).await;
    check_when::<Transform>("stage == 'attempt' && attempt == 2", true).await;
    check_when::<Transform>("stage != 'attempt' || is_fallback_attempt", false).await;
}

/// Conditions that fail, or that would if they were evaluated to their end.
const BROKEN: [&str; 28] = [
    "attempt > 1",
    "iteration",
    "no_such_variable == 1",
    "deps.tenant.id == 1",
    "iteration / 0 == 1",
    "iteration % 0 == 1",
    "iteration + 9223372036854775807 > 0",
    "-9223372036854775807 - iteration > 0",
    "agent_name.matches('(' + user_id)",
    "[1][iteration] == 1",
    "int('x') == 1",
    "duration('x') == duration('1s')",
    "-(-9223372036854775807 - 1) > 0 && iteration == 4",
    "iteration * 9223372036854775807 > 0",
    "uint(-1) > 0u",
    "int(1e300) > 0",
    "agent_name[5] == 'x'",
    "{'a': 1}[agent_name] == 1",
    "size(iteration) == 1",
    "agent_name < iteration",
    "string(b'\\xff') == ''",
    "[1].map(x, x / 0) == [1]",
    "duration('1s') / 0 == duration('1s')",
    "timestamp('2020-01-01T00:00:00Z') + duration('99999999999h') > timestamp('x')",
    "'%d'.format([iteration]) == ''",
    "-9223372036854775808 / -1 > 0 && iteration > 5",
    "-9223372036854775808 % -1 > 0",
    "agent_name.substring(5, 1) == ''",
];

#[tokio::test(start_paused = true)]
async fn a_condition_that_cannot_be_evaluated_counts_as_false() {
    for when in BROKEN {
        check_when::<BeforeRun>(when, false).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_condition_and_enabled_must_both_agree() {
    let mut link = gated(Gate::Says(true));
    link.when = Some(Arc::new(Condition::compile("iteration == 4").unwrap()));
    check::<BeforeRun>(link, false).await;
    let mut link = gated(Gate::Says(false));
    link.when = Some(Arc::new(Condition::compile("iteration == 3").unwrap()));
    check::<BeforeRun>(link, false).await;
}

/// Compares how long an `enabled` that hangs may take.
async fn check_limit<H: Hook>(own: Option<Duration>, default: Duration, expected: Duration) {
    let mut link = gated(Gate::Faults(Cause::TimesOut));
    link.timeout = own;
    let started = Instant::now();
    let chains = Chains::new(vec![link], default);
    ask_in::<H>(&chains, json!({}), HookContext::default(), state()).await;
    assert_eq!(started.elapsed().as_millis() / 10, expected.as_millis() / 10);
}

#[tokio::test(start_paused = true)]
async fn enabled_is_bounded_like_the_hook_itself() {
    let s = Duration::from_secs;
    check_limit::<BeforeRun>(None, s(5), s(5)).await;
    check_limit::<BeforeRun>(None, s(2), s(2)).await;
    check_limit::<BeforeRun>(Some(s(3)), s(5), s(3)).await;
    check_limit::<CompanionSpeech>(None, s(5), s(1)).await;
}
