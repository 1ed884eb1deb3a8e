//! What is the same at all 35 hooks.

use crate::support::{
    Runtime, Said, Sidecar, around, guard, method, no_opinion, run, soon, unary_requests,
};
use serde_json::{Value, json};
use sidehook_proto::Outcome;
use sidehook_server::{
    engine::{Fault, WrapError},
    hooks::HookId,
};
use std::collections::BTreeSet;

/// The hooks around a call, each with what opens it and the name of its result.
const WRAPPED: [(HookId, &str, &str); 3] = [
    (HookId::WrapModelCall, r#"{"call": {}}"#, "response"),
    (HookId::WrapToolCall, r#"{"call": {"tool_call": {}}}"#, "result"),
    (HookId::Wrap, r#"{"request": {}}"#, "result"),
];

/// Calls every hook with its smallest request, and returns what each responds.
async fn responses(runtime: &Runtime) -> Vec<(HookId, Value)> {
    let context = json!({"run_id": "run", "explain": true});
    let mut responses = Vec::new();
    let mut requests = unary_requests();
    // The run goes on until every other hook has fired.
    requests.sort_by_key(|(hook, _)| *hook == HookId::AfterRun);
    for (hook, mut request) in requests {
        if hook == HookId::AfterRun {
            for (hook, open, result) in WRAPPED {
                let mut open: Value = serde_json::from_str(open).unwrap();
                open["context"] = context.clone();
                let mut call = runtime.open(hook.name()).await;
                call.send(json!({ "open": open }));
                responses.push((hook, call.play(result, json!({})).await));
            }
        }
        request["context"] = context.clone();
        responses.push((hook, soon(runtime.ask(hook.name(), request)).await.unwrap()));
    }
    assert_eq!(responses.len(), 35);
    responses
}

/// The part of a response's outcome that is set, by its name.
fn outcome(response: &Value) -> Option<(&'static str, &Value)> {
    let arms = ["answer", "veto", "tripwire", "failure"];
    let mut set = arms.into_iter().filter_map(|arm| Some((arm, response.get(arm)?)));
    let first = set.next();
    assert_eq!(set.next(), None, "one outcome");
    first
}

#[tokio::test]
async fn an_empty_configuration_has_no_opinion_at_any_hook() {
    let sidecar = Sidecar::with("").start().await;
    for (hook, response) in responses(&sidecar.runtime()).await {
        let answer = if hook == HookId::StartRun { json!({"plan": {}}) } else { json!({}) };
        assert_eq!(outcome(&response), Some(("answer", &answer)), "{hook}");
        assert_eq!(response["report"].get("steps"), None, "{hook}");
    }
}

#[tokio::test]
async fn a_report_names_the_configuration_at_every_hook() {
    let yaml = sidehook_server::config::EMBEDDED;
    let sidecar = Sidecar::with(yaml).start().await;
    let hash = sidecar.inner.generation().hash.clone();
    assert!(!hash.is_empty());
    for (hook, response) in responses(&sidecar.runtime()).await {
        assert_eq!(outcome(&response).map(|(arm, _)| arm), Some("answer"), "{hook}");
        let report = &response["report"];
        assert_eq!(report["config_generation"], json!(1), "{hook}");
        assert_eq!(report["config_hash"], json!(hash), "{hook}");
    }
}

#[tokio::test]
async fn a_report_is_given_only_when_it_is_asked_for() {
    let sidecar = Sidecar::with("").start().await;
    let response = sidecar.runtime().ask("before_run", json!({})).await.unwrap();
    assert_eq!(response, json!({"answer": {}}));
}

#[tokio::test]
async fn a_request_by_hand_finds_every_hook_by_reflection() {
    let hooks: BTreeSet<String> = HookId::ALL.map(HookId::path).into();
    let by_reflection =
        ["RunHooks", "CallHooks", "PlatformHooks"].into_iter().flat_map(|service| {
            let name = format!("sidehook.v1.{service}");
            let service = crate::support::pool().get_service_by_name(&name).unwrap();
            let methods: Vec<_> = service.methods().collect();
            methods.into_iter().map(move |method| format!("{name}/{}", method.name()))
        });
    assert_eq!(by_reflection.collect::<BTreeSet<_>>(), hooks);
}

/// Checks what each unary hook makes of what a lone middleware says: by the hook, or by default.
async fn check(says: fn() -> Said, expected: impl Fn(HookId) -> &'static str) {
    let link = guard("lone", &HookId::ALL, move |_, _| says());
    let sidecar = Sidecar::of(vec![link]).start().await;
    let runtime = sidecar.runtime();
    for (hook, request) in unary_requests() {
        let mut request = request;
        request["context"] = run(hook.name());
        let response = runtime.ask(hook.name(), request).await.unwrap();
        let (arm, value) = outcome(&response).unwrap();
        assert_eq!(arm, expected(hook), "{hook}");
        if arm != "answer" {
            assert_eq!(value["middleware"], json!("lone"), "{hook}");
        }
    }
}

#[tokio::test]
async fn no_opinion_is_an_answer_everywhere() {
    check(no_opinion, |_| "answer").await;
}

#[tokio::test]
async fn any_hook_may_trip() {
    check(|| Ok(Outcome::trip("stop here")), |_| "tripwire").await;
}

#[tokio::test]
async fn a_veto_ends_what_can_be_cancelled_and_nothing_else() {
    check(
        || Ok(Outcome::veto("no")),
        |hook| match hook {
            HookId::UserMessageInbound
            | HookId::InterAgentMessage
            | HookId::AssistantMessageOutbound
            | HookId::TodoAdded
            | HookId::NotifyScheduled
            | HookId::NotifyDelivered
            | HookId::SshConnectionOpening
            | HookId::SshCommandSending
            | HookId::SshCommandCompleted
            | HookId::CronJobFiring => "veto",
            // It is a malformed answer where no veto exists; those that only log go on.
            HookId::OnNotification | HookId::AfterRun | HookId::OnEvent => "answer",
            _ if hook.service() == "sidehook.v1.PlatformHooks" => "answer",
            _ => "failure",
        },
    )
    .await;
}

#[tokio::test]
async fn a_fault_is_skipped_by_the_platform_and_fails_a_run() {
    check(
        || Err(Fault::threw("threw: boom")),
        |hook| match hook {
            HookId::OnNotification | HookId::AfterRun | HookId::OnEvent => "answer",
            _ if hook.service() == "sidehook.v1.PlatformHooks" => "answer",
            _ => "failure",
        },
    )
    .await;
}

#[tokio::test]
async fn a_link_around_a_call_may_trip_or_fail_too() {
    let trips = around("lone", |_, _| Box::pin(async { Err(WrapError::trip("stop here")) }));
    let fails = around("lone", |_, _| Box::pin(async { Err(Fault::threw("threw").into()) }));
    for (link, arm) in [(trips, "tripwire"), (fails, "failure")] {
        let sidecar = Sidecar::of(vec![link]).start().await;
        let mut call = sidecar.runtime().open("wrap_model_call").await;
        call.send(json!({"open": {"call": {}}}));
        let (before, finished) = call.finish().await;
        assert_eq!(before, Vec::<Value>::new());
        assert_eq!(finished[arm]["middleware"], json!("lone"), "{finished}");
    }
}

#[test]
fn every_hook_is_unary_or_wrapped() {
    for hook in HookId::ALL {
        let wrapped = WRAPPED.iter().any(|(it, ..)| *it == hook);
        let method = method(hook.name());
        assert_eq!(
            (method.is_client_streaming(), method.is_server_streaming()),
            (wrapped, wrapped)
        );
    }
}
