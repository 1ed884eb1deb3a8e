//! What the documents claim, as far as a runtime sees it. The engine's own tests cover the
//! matrix.

use crate::support::{Runtime, Said, Sidecar, answer, guard, no_opinion};
use serde_json::{Value, json};
use sidehook_proto::Outcome;
use sidehook_server::{
    engine::{Fault, Layer, Link, OnFault},
    hooks::HookId,
};

/// Asks a chain of `links` at `hook`.
async fn asked(links: Vec<Link>, hook: HookId, request: Value) -> Value {
    let sidecar = Sidecar::of(links).start().await;
    sidecar.runtime().ask(hook.name(), request).await.unwrap()
}

/// A link that gives this answer.
fn says(name: &str, hook: HookId, fields: Value) -> Link {
    guard(name, &[hook], move |_, _| answer(fields.clone()))
}

/// A link at one hook that decides as `said` does.
fn does(name: &str, hook: HookId, said: fn() -> Said) -> Link {
    guard(name, &[hook], move |_, _| said())
}

// Document 000, "Where Middleware Goes".

/// Asks a hook of the layers below, and returns who was asked, in order.
async fn order(runtime: &Runtime, hook: &str, request: Value) -> Vec<String> {
    let mut request = request;
    request["context"] =
        json!({"run_id": "r", "agent_name": "support", "middleware": ["extra"], "explain": true});
    let response = runtime.ask(hook, request).await.unwrap();
    let steps = response["report"]["steps"].as_array().unwrap();
    steps.iter().map(|step| step["middleware"].as_str().unwrap().into()).collect()
}

const LAYERS: &str = r#"
builtin: { pii: { mode: block } }
sets: { extra: [{ name: of-the-run, kind: rules, rules: &rules [
    { hook: [before_run, after_model, before_model], then: { add_context: hello } }] }] }
agents: { supp*: { middleware: [{ name: of-the-agent, kind: rules, rules: *rules }] } }
middleware:
  - { name: second, kind: rules, rules: *rules }
  - { name: third, kind: rules, rules: *rules }
  - { name: first, kind: rules, rules: *rules, priority: -1 }
hooks: [{ name: outermost, kind: rules, rules: *rules, priority: 100 }]
"#;

/// The file without its anchors, which the configuration does not have.
fn layers() -> String {
    let (_, rest) = LAYERS.split_once("&rules ").unwrap();
    let (rules, _) = rest.split_once("] }] }").unwrap();
    LAYERS.replace("&rules ", "").replace("*rules", &format!("{rules}]"))
}

#[tokio::test]
async fn hooks_come_first_then_everyones_the_agents_the_runs_and_the_builtin() {
    let sidecar = Sidecar::with(&layers()).start().await;
    let runtime = sidecar.runtime();
    let names = ["outermost", "first", "second", "third", "of-the-agent", "of-the-run"];
    let mut forward: Vec<_> = names.into();
    assert_eq!(order(&runtime, "before_model", json!({})).await, forward);
    forward.push("pii");
    assert_eq!(order(&runtime, "before_run", json!({"input": "hi"})).await, forward);
    let reverse: Vec<_> = names.into_iter().rev().collect();
    assert_eq!(order(&runtime, "after_model", json!({"response": {}})).await, reverse);
}

// Document 000, "Tool calls before the permissions".

/// Checks what a chain of these decisions comes to, as "decision by reason".
async fn check_verdict(decisions: &[&str], expected: &str) {
    let link = |(index, decision): (usize, &&str)| {
        let name = format!("{decision}-{index}").to_lowercase();
        let fields = json!({"decision": format!("TOOL_DECISION_{decision}"), "reason": name});
        says(&name, HookId::BeforeToolCall, fields)
    };
    let links = decisions.iter().enumerate().map(link).collect();
    let response = asked(links, HookId::BeforeToolCall, json!({"tool_call": {}})).await;
    let answer = &response["answer"];
    assert_eq!(answer["reason"], json!(expected), "{response}");
    assert_eq!(answer["decided_by"], json!(expected), "{response}");
}

#[tokio::test]
async fn the_strictest_decision_wins_in_any_order() {
    check_verdict(&["ALLOW", "DENY"], "deny-1").await;
    check_verdict(&["DENY", "ALLOW", "ASK"], "deny-0").await;
    check_verdict(&["ASK", "DEFER", "ALLOW"], "defer-1").await;
    check_verdict(&["ALLOW", "ASK"], "ask-1").await;
    check_verdict(&["DENY", "DENY"], "deny-0").await;
}

#[tokio::test]
async fn the_last_new_arguments_count_and_each_link_sees_the_ones_before() {
    let append = |name: &str| {
        guard(name, &[HookId::BeforeToolCall], move |context, fields| {
            let mut list = fields["tool_call"]["arguments"]["by"].as_array().unwrap().clone();
            list.push(context.middleware().into());
            answer(json!({ "updated_arguments_json": json!({ "by": list }).to_string() }))
        })
    };
    let request = json!({"tool_call": {"arguments_json": r#"{"by":[]}"#}});
    let response = asked(vec![append("a"), append("b")], HookId::BeforeToolCall, request).await;
    assert_eq!(response["answer"], json!({"updated_arguments_json": r#"{"by":["a","b"]}"#}));
}

#[tokio::test]
async fn new_arguments_that_do_not_fit_the_tool_are_a_fault() {
    let fields = json!({"updated_arguments_json": r#"{"amount":"much"}"#});
    let link = says("wrong", HookId::BeforeToolCall, fields);
    let schema = r#"{"type":"object","properties":{"amount":{"type":"number"}}}"#;
    let tool = json!({"name": "refund", "parameters_json": schema});
    let request = json!({"tool_call": {"name": "refund"}, "tool": tool});
    let response = asked(vec![link], HookId::BeforeToolCall, request).await;
    assert_eq!(response["failure"]["code"], json!("malformed_answer"), "{response}");
}

// Document 000, "Tripwires".

#[tokio::test]
async fn a_tripwire_says_its_code_its_status_and_who_tripped() {
    let link = does("refund-guard", HookId::BeforeRun, || Ok(Outcome::trip("A person does it")));
    let after = guard("after", &[HookId::BeforeRun], |_, _| panic!("the chain has ended"));
    let response = asked(vec![link, after], HookId::BeforeRun, json!({"input": "refund"})).await;
    let tripwire = json!({
        "code": "GUARDRAIL_TRIPPED", "http_status": 400,
        "reason": "A person does it", "middleware": "refund-guard",
    });
    assert_eq!(response, json!({ "tripwire": tripwire }));
}

#[tokio::test]
async fn texts_for_the_input_are_gathered_in_order() {
    let says = |name, text: &str| says(name, HookId::BeforeRun, json!({"added_context": [text]}));
    let response =
        asked(vec![says("a", "one"), says("b", "two")], HookId::BeforeRun, json!({})).await;
    assert_eq!(response["answer"]["added_context"], json!(["one", "two"]));
}

#[tokio::test]
async fn several_wishes_to_go_on_are_joined_by_a_blank_line() {
    let says = |name, text: &str| says(name, HookId::BeforeStop, json!({ "continue_with": text }));
    let links = vec![says("a", "one"), says("b", "two")];
    let response = asked(links, HookId::BeforeStop, json!({})).await;
    assert_eq!(response["answer"]["continue_with"], json!("one\n\ntwo"));
}

#[tokio::test]
async fn effects_name_their_middleware_and_the_first_stop_counts() {
    let speaks = |name| {
        guard(name, &[HookId::AfterToolBatch], move |context, _| {
            context.add_context(format!("{name} saw it"));
            context.stop(format!("{name} stops"));
            no_opinion()
        })
    };
    let response = asked(vec![speaks("a"), speaks("b")], HookId::AfterToolBatch, json!({})).await;
    let added = json!([
        {"text": "a saw it", "middleware": "a"}, {"text": "b saw it", "middleware": "b"}]);
    let stop = json!({"reason": "a stops", "middleware": "a"});
    assert_eq!(response["effects"], json!({"added_context": added, "stop": stop}));
}

// Document 001, "transform" and "Error handling".

#[tokio::test]
async fn a_tool_that_is_there_already_is_refused_by_the_name_of_who_adds_it() {
    let adds = |name| says(name, HookId::Transform, json!({"add_tools": [{"name": "search"}]}));
    let response =
        asked(vec![adds("a"), adds("b")], HookId::Transform, json!({"request": {}})).await;
    let failure = &response["failure"];
    assert_eq!(failure["type"], json!("invalid_params"), "{response}");
    assert_eq!(failure["middleware"], json!("b"), "{response}");
}

#[tokio::test]
async fn an_unknown_error_is_the_middlewares_and_not_for_the_breaker() {
    let link = does("thrower", HookId::Transform, || Err(Fault::threw("threw: boom")));
    let response = asked(vec![link], HookId::Transform, json!({"request": {}})).await;
    let failure = &response["failure"];
    assert_eq!(failure["type"], json!("invalid_params"));
    assert_eq!(failure["code"], json!("middleware_threw"));
    assert_eq!((failure.get("retryable"), failure.get("counts_toward_breaker")), (None, None));
}

// Document 004, "Rules that apply to every hook".

fn boom(on_fault: Option<OnFault>) -> Link {
    let mut link = guard("broken", &[HookId::UserMessageInbound], |_, _| panic!("boom"));
    link.on_fault.every = on_fault;
    link
}

#[tokio::test]
async fn a_broken_guard_is_skipped_by_default_and_refuses_when_it_blocks() {
    let loud = || {
        guard("loud", &[HookId::UserMessageInbound], |_, fields| {
            answer(json!({"text": fields["text"].as_str().unwrap().to_uppercase()}))
        })
    };
    let request = json!({"text": "hi"});
    let hook = HookId::UserMessageInbound;
    let open = asked(vec![boom(None), loud()], hook, request.clone()).await;
    assert_eq!(open, json!({"answer": {"text": "HI"}}));
    let closed = asked(vec![boom(Some(OnFault::Block)), loud()], hook, request).await;
    assert_eq!(closed["veto"]["middleware"], json!("broken"), "{closed}");
}

#[tokio::test]
async fn a_reason_is_cut_at_500_characters() {
    let link = does("long", HookId::TodoAdded, || Ok(Outcome::veto("é".repeat(501))));
    let response = asked(vec![link], HookId::TodoAdded, json!({})).await;
    assert_eq!(response["veto"]["reason"], json!("é".repeat(500)));
}

#[tokio::test]
async fn a_veto_of_the_system_prompt_is_ignored_and_reported_so() {
    let link = does("veto", HookId::SystemPrompt, || Ok(Outcome::veto("no")));
    let context = json!({"run_id": "r", "explain": true});
    let request = json!({"system_prompt": "Be kind.", "context": context});
    let response = asked(vec![link], HookId::SystemPrompt, request).await;
    assert_eq!(response["answer"], json!({}));
    let step = &response["report"]["steps"][0];
    assert_eq!(step["outcome"], json!("STEP_OUTCOME_VETO_IGNORED"));
}

// Document 004, "companionBriefing" and "companionSpeech".

#[tokio::test]
async fn a_briefing_drops_blanks_and_cuts_descriptions_at_80_characters() {
    let moves = json!([
        {"name": " ", "description": "blank"},
        {"name": "wave", "description": "é".repeat(81), "motion_id": "made up"}]);
    let parts = json!([{"name": "closing", "text": " "}, {"name": "cues", "text": "Laugh."}]);
    let fields = json!({"moves": {"moves": moves}, "parts": {"parts": parts}});
    let link = says("editor", HookId::CompanionBriefing, fields);
    let request = json!({"moves": [{"name": "wave", "description": "w", "motion_id": "m-1"}]});
    let response = asked(vec![link], HookId::CompanionBriefing, request).await;
    let wave = json!({"name": "wave", "description": "é".repeat(80), "motion_id": "m-1"});
    let cues = json!({"name": "cues", "text": "Laugh."});
    let expected = json!({"moves": {"moves": [wave]}, "parts": {"parts": [cues]}});
    assert_eq!(response["answer"], expected);
}

#[tokio::test]
async fn a_blank_text_to_speak_keeps_the_original() {
    let link = says("blank", HookId::CompanionSpeech, json!({"text": " \n"}));
    let response = asked(vec![link], HookId::CompanionSpeech, json!({"text": "SQL"})).await;
    assert_eq!(response, json!({"answer": {}}));
}

#[tokio::test]
async fn each_middleware_sees_the_output_of_the_one_before() {
    let mut inner = says("inner", HookId::SystemPrompt, json!({"system_prompt": "replaced"}));
    inner.layer = Layer::Hooks;
    let outer = guard("outer", &[HookId::SystemPrompt], |_, fields| {
        let prompt = fields["system_prompt"].as_str().unwrap();
        answer(json!({ "system_prompt": format!("{prompt}, and on") }))
    });
    let request = json!({"system_prompt": "Be kind."});
    let response = asked(vec![outer, inner], HookId::SystemPrompt, request).await;
    assert_eq!(response["answer"]["system_prompt"], json!("replaced, and on"));
}
