//! How the answers of hooks that decide combine.

use super::{
    asked::ask,
    scripted::{Says, chain},
};
use crate::hooks::{
    BeforeCompaction, BeforeModelSwitch, BeforeRun, BeforeStop, BeforeToolCall, DecideApproval,
    Hook, StartRun,
};
use serde_json::{Value, json};

/// Runs links that answer as `answers` says, from left to right, named `a`, `b`,
/// …, and compares "decision {id} because … by …". `-` has no opinion; `{x}`
/// asks for the arguments `{"id":"x"}`.
async fn check(answers: &str, expected: &str) {
    let says: Vec<Value> = answers.split_whitespace().zip('a'..='z').map(answer).collect();
    let count = says.len();
    let told = ask::<BeforeToolCall>(&chain(says), call()).await;
    assert_eq!(summary(&told.said), expected, "{answers}");
    assert_eq!(told.steps.len(), count, "every link is asked: {}", told.steps());
}

fn answer((word, name): (&str, char)) -> Value {
    let (decision, id) = word.trim_end_matches('}').split_once('{').unwrap_or((word, ""));
    let mut answer = json!({});
    if !["", "-"].contains(&decision) {
        answer["decision"] = format!("TOOL_DECISION_{}", decision.to_uppercase()).into();
        answer["reason"] = format!("of {name}").into();
    }
    if !id.is_empty() {
        answer["updated_arguments_json"] = json!({"id": id}).to_string().into();
    }
    answer
}

fn summary(said: &Value) -> String {
    let text = |name: &str| said[name].as_str().unwrap_or_default();
    let mut parts = vec![text("decision").trim_start_matches("TOOL_DECISION_").to_lowercase()];
    if let Some(arguments) = said["updated_arguments_json"].as_str() {
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        parts.push(format!("{{{}}}", arguments["id"].as_str().unwrap()));
    }
    parts.extend(said["reason"].as_str().map(str::to_owned));
    parts.extend(said["decided_by"].as_str().map(|by| format!("by {by}")));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// A call of a tool whose `id` must be a text or a number.
fn call() -> Value {
    let schema = json!({"type": "object", "properties": {"id": {"type": ["string", "integer"]}}});
    json!({
        "tool_call": {"name": "refund", "arguments_json": "{\"id\":\"model\"}"},
        "tool": {"name": "refund", "parameters_json": schema.to_string()},
    })
}

#[tokio::test(start_paused = true)]
async fn deny_beats_defer_beats_ask_beats_allow_whatever_the_order() {
    check("allow deny", "deny of b by b").await;
    check("deny allow", "deny of a by a").await;
    check("ask defer allow", "defer of b by b").await;
    check("allow ask", "ask of b by b").await;
    check("defer deny ask allow", "deny of b by b").await;
    check("- allow -", "allow of b by b").await;
}

#[tokio::test(start_paused = true)]
async fn of_equal_decisions_the_first_one_gives_the_reason() {
    check("ask deny deny", "deny of b by b").await;
}

#[tokio::test(start_paused = true)]
async fn nobody_speaking_has_no_opinion() {
    check("", "").await;
    check("- -", "").await;
}

#[tokio::test(start_paused = true)]
async fn the_last_new_arguments_count_whoever_decides() {
    check("allow{1} ask{2}", "ask {2} of b by b").await;
    check("deny{1} allow{2} -", "deny {2} of a by a").await;
    check("-{1} -", "{1}").await;
}

#[tokio::test(start_paused = true)]
async fn each_link_sees_the_arguments_as_updated_so_far() {
    let seen = Says::Seeing(|seen| {
        json!({"reason": seen["tool_call"]["arguments"]["id"],
        "decision": "TOOL_DECISION_ASK"})
    });
    let new = json!({"updated_arguments_json": "{\"id\":\"new\"}"});
    let told = ask::<BeforeToolCall>(&chain([new.into(), seen]), call()).await;
    assert_eq!(told.said["reason"], json!("new"));
}

#[tokio::test(start_paused = true)]
async fn large_integers_in_arguments_pass_bit_for_bit() {
    let exact = "{\"id\":9007199254740993}";
    let told =
        ask::<BeforeToolCall>(&chain([json!({"updated_arguments_json": exact})]), call()).await;
    assert_eq!(told.said, json!({"updated_arguments_json": exact}));
}

/// Compares what becomes of one answer, on its own, at a hook.
async fn check_answer<H: Hook>(answer: Value, expected: Value) {
    let told = ask::<H>(&chain([answer.clone()]), call()).await;
    assert_eq!(told.said, expected, "{answer}");
}

fn malformed() -> Value {
    json!({"failed": "a: invalid_params/malformed_answer"})
}

#[tokio::test(start_paused = true)]
async fn arguments_that_do_not_fit_the_tool_are_a_fault_of_their_link() {
    for arguments in ["{\"id\":[1]}", "[1]", "{"] {
        check_answer::<BeforeToolCall>(json!({"updated_arguments_json": arguments}), malformed())
            .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_decision_that_does_not_exist_is_a_fault_and_never_an_allow() {
    check_answer::<BeforeToolCall>(json!({"decision": 9}), malformed()).await;
    check_answer::<BeforeToolCall>(json!({"decision": "block"}), malformed()).await;
    check_answer::<DecideApproval>(json!({"decision": 9}), malformed()).await;
}

#[tokio::test(start_paused = true)]
async fn the_first_link_that_decides_an_approval_ends_the_chain() {
    let (approve, decline) = ("APPROVAL_DECISION_APPROVE", "APPROVAL_DECISION_DECLINE");
    let says =
        [json!({}), json!({"decision": decline, "reason": "no"}), json!({"decision": approve})];
    let told = ask::<DecideApproval>(&chain(says), call()).await;
    assert_eq!(told.said, json!({"decision": decline, "reason": "no"}));
    assert_eq!(told.steps(), "a no_opinion, b answered");
}

#[tokio::test(start_paused = true)]
async fn an_approval_may_carry_arguments_that_fit_and_a_refusal_none() {
    let with = |decision: &str, arguments: &str| json!({"decision": decision, "updated_arguments_json": arguments});
    let fits = with("APPROVAL_DECISION_APPROVE", "{\"id\":1}");
    check_answer::<DecideApproval>(fits.clone(), fits).await;
    let misfits = with("APPROVAL_DECISION_APPROVE", "{\"id\":[1]}");
    check_answer::<DecideApproval>(misfits, malformed()).await;
    check_answer::<DecideApproval>(with("APPROVAL_DECISION_DECLINE", "{}"), malformed()).await;
}

/// Compares what links come to at a hook, and that each was asked.
async fn check_all<H: Hook>(says: &[Value], expected: Value) {
    let told = ask::<H>(&chain(says.iter().cloned()), json!({})).await;
    assert_eq!((told.said, told.steps.len()), (expected, says.len()), "{says:?}");
}

#[tokio::test(start_paused = true)]
async fn one_link_that_skips_a_compaction_is_enough() {
    let (skip, go) = (json!({"skip": true}), json!({"skip": false}));
    check_all::<BeforeCompaction>(&[go.clone(), skip.clone(), go.clone()], skip).await;
    check_all::<BeforeCompaction>(&[go], json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn the_first_reason_to_stay_on_a_model_counts() {
    let says = [json!({}), json!({"block": "first"}), json!({"block": "second"})];
    check_all::<BeforeModelSwitch>(&says, json!({"block": "first"})).await;
    check_all::<BeforeModelSwitch>(&says[..1], json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn several_messages_to_go_on_with_are_joined_by_a_blank_line() {
    let says = [json!({"continue_with": "one"}), json!({}), json!({"continue_with": "two"})];
    check_all::<BeforeStop>(&says, json!({"continue_with": "one\n\ntwo"})).await;
    check_all::<BeforeStop>(&says[1..], json!({"continue_with": "two"})).await;
    check_all::<BeforeStop>(&says[1..2], json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn texts_to_add_are_appended_in_order() {
    let says = [json!({"added_context": ["1", "2"]}), json!({}), json!({"added_context": ["3"]})];
    let expected = json!({"added_context": ["1", "2", "3"]});
    check_all::<StartRun>(&says, expected.clone()).await;
    check_all::<BeforeRun>(&says, expected).await;
}
