//! The fields that rewriting hooks may change, and what a change means.

use super::{
    asked::ask,
    scripted::{Says, chain},
};
use crate::hooks::{
    AfterModel, AssistantMessageOutbound, BeforeModel, CronJobCompleted, CronJobFiring, Hook,
    InterAgentMessage, NotifyDelivered, NotifyScheduled, SessionClearing, SshCommandCompleted,
    SshCommandSending, SystemPrompt, TodoAdded, UserMessageInbound,
};
use serde_json::{Value, json};

/// Checks that a link at `H` may replace `field`, which is `old`, that the next
/// link sees the replacement, that replacing by `empty` differs from saying
/// nothing, and that what no link replaces is absent.
async fn check<H: Hook>(field: &str, old: Value, new: Value, empty: Value) {
    let request = json!({field: old});
    for (value, seen) in [(new.clone(), json!({field: new})), (empty, json!({}))] {
        let answer = json!({field: value});
        let told = ask::<H>(&chain([answer.clone(), json!({})]), request.clone()).await;
        assert_eq!((told.said, told.steps[0].changed_fields.as_slice()), (answer, &[field][..]));
        // An empty field that is no optional one is not written as JSON.
        let gone = told.request.get(field).is_none_or(|left| *left == value);
        assert!(told.request == seen || gone, "{field}: {}", told.request);
    }
    let told = ask::<H>(&chain([json!({})]), request.clone()).await;
    assert_eq!((told.said, told.request), (json!({}), request), "{field}");
}

async fn check_text<H: Hook>(field: &str) {
    check::<H>(field, json!("old"), json!("new"), json!("")).await;
}

#[tokio::test(start_paused = true)]
async fn every_field_that_a_document_calls_mutable_can_be_replaced() {
    check_text::<SystemPrompt>("system_prompt").await;
    check_text::<UserMessageInbound>("text").await;
    check_text::<InterAgentMessage>("text").await;
    check_text::<AssistantMessageOutbound>("text").await;
    check_text::<NotifyScheduled>("message").await;
    check::<NotifyScheduled>("delay_seconds", json!(1.5), json!(2.5), json!(0.0)).await;
    check_text::<NotifyDelivered>("message").await;
    check_text::<SshCommandSending>("command").await;
    check_text::<SshCommandSending>("path").await;
    check_text::<SshCommandSending>("content").await;
    check_text::<SshCommandCompleted>("output").await;
    check_text::<SshCommandCompleted>("error_output").await;
    check_text::<CronJobFiring>("prompt").await;
}

#[tokio::test(start_paused = true)]
async fn each_link_sees_the_output_of_the_one_before() {
    let append = |more: &str| Says::Appends { from: "/text", field: "text", more: more.into() };
    let chains = chain([append("1"), append("2"), append("3")]);
    let told = ask::<UserMessageInbound>(&chains, json!({"text": "0"})).await;
    assert_eq!(told.said, json!({"text": "0123"}));
}

#[tokio::test(start_paused = true)]
async fn links_may_change_different_fields_and_keep_each_others_changes() {
    let says = [json!({"command": "ls"}), json!({"content": "x"}), json!({"command": "pwd"})];
    let sent = json!({"command": "rm", "path": "/p", "intent": "i"});
    let told = ask::<SshCommandSending>(&chain(says), sent).await;
    assert_eq!(told.said, json!({"command": "pwd", "content": "x"}));
    let seen = json!({"command": "pwd", "content": "x", "path": "/p", "intent": "i"});
    assert_eq!(told.request, seen);
}

/// Compares what `says` makes of todos, and what a later link sees.
async fn check_todos(says: Value, answer: Value, seen: Value) {
    let told = ask::<TodoAdded>(&chain([says]), json!({"texts": ["a", "b"]})).await;
    assert_eq!((told.said, told.request), (answer, seen));
}

#[tokio::test(start_paused = true)]
async fn todos_can_be_rewritten_split_filtered_and_emptied() {
    let (split, none) = (json!({"texts": {"texts": ["a1", "a2"]}}), json!({"texts": {}}));
    check_todos(split.clone(), split, json!({"texts": ["a1", "a2"]})).await;
    check_todos(none.clone(), none, json!({})).await;
    check_todos(json!({}), json!({}), json!({"texts": ["a", "b"]})).await;
}

#[tokio::test(start_paused = true)]
async fn before_model_replaces_the_conversation_also_by_an_empty_one() {
    let (new, none) = (json!([{"role": "user", "text": "hi"}]), json!({"messages": {}}));
    let told =
        ask::<BeforeModel>(&chain([json!({"messages": {"messages": new}})]), json!({})).await;
    assert_eq!(told.request, json!({"messages": new}));
    let told = ask::<BeforeModel>(&chain([none.clone()]), json!({"messages": new})).await;
    assert_eq!((told.said, told.request), (none, json!({})));
}

#[tokio::test(start_paused = true)]
async fn after_model_replaces_the_text_and_an_empty_list_makes_it_the_final_answer() {
    let says = json!({"content": "new", "tool_calls": {}});
    let answered = json!({"response": {"text": "old", "tool_calls": [{"name": "t"}]}});
    let told = ask::<AfterModel>(&chain([says.clone()]), answered).await;
    assert_eq!((told.said, told.request), (says, json!({"response": {"text": "new"}})));
}

#[tokio::test(start_paused = true)]
async fn the_link_nearest_the_model_sees_its_answer_first() {
    let append =
        |more: &str| Says::Appends { from: "/response/text", field: "content", more: more.into() };
    let chains = chain([append("outer"), append("inner ")]);
    let told = ask::<AfterModel>(&chains, json!({"response": {"text": "model "}})).await;
    assert_eq!(told.said, json!({"content": "model inner outer"}));
}

#[tokio::test(start_paused = true)]
async fn a_delay_is_a_finite_number_of_seconds_from_zero() {
    for delay in [json!(-1.0), json!("NaN"), json!("Infinity")] {
        let told =
            ask::<NotifyScheduled>(&chain([json!({"delay_seconds": delay})]), json!({})).await;
        told.check(&json!({}), "a fault_skipped");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_a_hook_that_only_tells_is_malformed() {
    for_observer::<SessionClearing>().await;
    for_observer::<CronJobCompleted>().await;
}

async fn for_observer<H: Hook>() {
    let told = ask::<H>(&chain([json!({"text": "new"}), json!({})]), json!({})).await;
    told.check(&json!({}), "a fault_skipped, b no_opinion");
}
