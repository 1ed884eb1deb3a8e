use crate::{
    config,
    engine::{Call, Chains, Detail, Ran, run},
    hooks::{
        BeforeModelSwitch, BeforeRun, BeforeStop, BeforeToolCall, Hook, TodoAdded,
        UserMessageInbound,
    },
    runs::{MemoryStore, StateBounds, StateStore},
};
use sidehook_proto::{Outcome, v1};
use std::time::Duration;

/// The chains of a configuration with the rules in `yaml`.
fn chains(yaml: &str) -> Result<Chains, String> {
    let rules = yaml.lines().map(|line| format!("      {line}\n")).collect::<String>();
    let text =
        format!("version: 1\nmiddleware:\n  - name: guard\n    kind: rules\n    rules:\n{rules}");
    config::compile("test.yaml", &text).map(|it| it.chains).map_err(|problems| problems.to_string())
}

/// Asks the rules in `yaml` at a hook.
async fn ask<H: Hook>(yaml: &str, mut request: H::Request) -> Ran<H::Answer> {
    let chains = chains(yaml).unwrap();
    let context = v1::HookContext {
        agent_name: "support".into(),
        iteration: 2,
        ..v1::HookContext::default()
    };
    let state = MemoryStore::new(StateBounds { value_bytes: 64, run_bytes: 64 }).open("r");
    let call = Call { hook: H::ID, context, state, deadline: None, variables: Vec::new() };
    let links = chains.select(H::ID, &call.context);
    run::<H>(&links, &call, &mut request, Duration::from_secs(5), Detail::Steps).await
}

fn refund(amount: &str) -> v1::BeforeToolCallRequest {
    let tool_call = v1::ToolCall {
        name: "refund".into(),
        arguments_json: format!(r#"{{"amount":{amount},"to":"ada@example.com"}}"#),
        ..v1::ToolCall::default()
    };
    v1::BeforeToolCallRequest { tool_call: Some(tool_call), ..v1::BeforeToolCallRequest::default() }
}

/// What the rules say of a refund: "decision: reason", or what else came of it.
async fn decide(yaml: &str, amount: &str) -> String {
    match ask::<BeforeToolCall>(yaml, refund(amount)).await.outcome {
        Outcome::Answer(answer) => {
            let decision = answer.decision().as_str_name().trim_start_matches("TOOL_DECISION_");
            format!("{}: {}", decision.to_lowercase(), answer.reason)
        }
        Outcome::Tripwire(tripwire) => format!("tripwire: {}", tripwire.reason),
        Outcome::Failure(failure) => format!("failure: {}", failure.message),
        Outcome::Veto(veto) => format!("veto: {}", veto.reason),
    }
}

const TIERS: &str = "\
- hook: before_tool_call
  when: tool_call.name == 'refund' && tool_call.arguments.amount > 100
  then: { ask: a large refund }
- hook: before_tool_call
  when: tool_call.arguments.amount > 1000
  then: { deny: too much }
- hook: before_tool_call
  then: { allow: refunds are fine }";

#[tokio::test]
async fn the_strictest_of_the_rules_that_hold_decides() {
    assert_eq!(decide(TIERS, "5").await, "allow: refunds are fine");
    assert_eq!(decide(TIERS, "500").await, "ask: a large refund");
    assert_eq!(decide(TIERS, "9007199254740993").await, "deny: too much");
}

#[tokio::test]
async fn a_condition_that_cannot_be_evaluated_is_a_fault_and_no_pass() {
    let said = decide(TIERS, "\"many\"").await;
    assert!(said.starts_with("failure: middleware `guard` could not evaluate"), "{said}");
}

#[tokio::test]
async fn conditions_see_the_context() {
    let yaml = "\
- hook: before_tool_call
  when: agent_name == 'support' && iteration == 2 && hook == 'before_tool_call' && !resumed
  then: { trip: seen }";
    assert_eq!(decide(yaml, "1").await, "tripwire: seen");
}

#[tokio::test]
async fn replaced_arguments_stay_json() {
    let yaml = r#"
- hook: before_tool_call
  then: { replace: { pattern: '(\w+)@example\.com', with: '"$1" at home' } }"#
        .trim_start();
    let Outcome::Answer(answer) =
        ask::<BeforeToolCall>(yaml, refund("9007199254740993")).await.outcome
    else {
        panic!()
    };
    let expected = r#"{"amount":9007199254740993,"to":"\"ada\" at home"}"#;
    assert_eq!(answer.updated_arguments_json.as_deref(), Some(expected));
}

#[tokio::test]
async fn replacements_thread_through_in_order() {
    let yaml = "\
- hook: user_message_inbound
  then: { replace: { pattern: a, with: b } }
- hook: user_message_inbound
  then: { replace: { pattern: b+, with: c } }";
    let said =
        |text: &str| v1::UserMessageInboundRequest { text: text.into(), ..Default::default() };
    let ran = ask::<UserMessageInbound>(yaml, said("aab d")).await;
    assert_eq!(ran.outcome, v1::UserMessageInboundAnswer { text: Some("c d".into()) }.into());
    let ran = ask::<UserMessageInbound>(yaml, said("d")).await;
    assert_eq!(ran.outcome, Outcome::none());
}

#[tokio::test]
async fn a_list_of_texts_is_replaced_as_a_list() {
    let yaml = "- { hook: todo_added, then: { replace: { pattern: '^now ', with: '' } } }";
    let request = v1::TodoAddedRequest {
        texts: vec!["now eat".into(), "sleep".into()],
        ..Default::default()
    };
    let texts = vec!["eat".into(), "sleep".into()];
    let expected = v1::TodoAddedAnswer { texts: Some(v1::TextList { texts }) };
    assert_eq!(ask::<TodoAdded>(yaml, request).await.outcome, expected.into());
}

#[tokio::test]
async fn a_veto_ends_the_operation_with_its_reason() {
    let yaml = "- { hook: user_message_inbound, when: text == 'x', then: { veto: no x } }";
    let request = v1::UserMessageInboundRequest { text: "x".into(), ..Default::default() };
    let Outcome::Veto(veto) = ask::<UserMessageInbound>(yaml, request).await.outcome else {
        panic!()
    };
    assert_eq!((veto.reason.as_str(), veto.middleware.as_str()), ("no x", "guard"));
}

#[tokio::test]
async fn context_goes_into_the_answer_at_the_start_and_into_effects_later() {
    let yaml = "- { hook: [before_run, before_tool_call], then: { add_context: be careful, stop: enough } }";
    let ran = ask::<BeforeRun>(yaml, v1::BeforeRunRequest::default()).await;
    let Outcome::Answer(answer) = ran.outcome else { panic!() };
    assert_eq!(answer.added_context, ["be careful"]);
    assert_eq!(
        (ran.effects.added_context.len(), ran.effects.stop.unwrap().reason),
        (0, "enough".into())
    );

    let ran = ask::<BeforeToolCall>(yaml, refund("1")).await;
    assert_eq!(ran.effects.added_context[0].text, "be careful");
}

#[tokio::test]
async fn messages_to_go_on_with_are_joined() {
    let yaml = "\
- { hook: before_stop, when: continuations < 1, then: { continue_with: check again } }
- { hook: before_stop, then: { continue_with: and be brief } }";
    let ran = ask::<BeforeStop>(yaml, v1::BeforeStopRequest::default()).await;
    let expected =
        v1::BeforeStopAnswer { continue_with: Some("check again\n\nand be brief".into()) };
    assert_eq!(ran.outcome, expected.into());
}

#[tokio::test]
async fn deny_blocks_a_model_switch() {
    let yaml =
        "- { hook: before_model_switch, when: to_model.contains('mini'), then: { deny: stay } }";
    let request =
        v1::BeforeModelSwitchRequest { to_model: "gpt-mini".into(), ..Default::default() };
    let expected = v1::BeforeModelSwitchAnswer { block: Some("stay".into()) };
    assert_eq!(ask::<BeforeModelSwitch>(yaml, request).await.outcome, expected.into());
}

#[track_caller]
fn refused(yaml: &str, expected: &str) {
    let problems = chains(yaml).unwrap_err();
    assert!(problems.contains(expected), "{problems}");
}

#[test]
fn a_wrong_rule_is_refused_with_its_place() {
    refused("- { hook: before_tol_call, then: { deny: x } }", "did you mean `before_tool_call`?");
    refused(
        "- { hook: before_run, when: 'inpt == 1', then: { trip: x } }",
        "6:35: middleware[0].rules[0].when: `inpt` is not there at `before_run`; did you mean `input`?",
    );
    refused(
        "- { hook: before_run, when: 'input ==', then: { trip: x } }",
        "rules[0].when: is no CEL expression",
    );
    refused(
        "- { hook: before_run, then: { veto: x } }",
        "rules[0].then.veto: `veto` is not possible at `before_run`; it is possible at user_message_inbound",
    );
    refused(
        "- { hook: todo_added, then: { replace: { pattern: '(', with: '' } } }",
        "rules[0].then.replace.pattern: is no regular expression",
    );
    refused("- { hook: todo_added, then: {} }", "rules[0].then: says nothing");
    refused("- { hook: todo_added, then: { denny: x } }", "did you mean `deny`?");
}

#[test]
fn variables_that_a_macro_binds_are_known() {
    chains(
        "- { hook: before_run, when: 'messages.exists(m, m.role == \"tool\")', then: { trip: x } }",
    )
    .unwrap();
}
