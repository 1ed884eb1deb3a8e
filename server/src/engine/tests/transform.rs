//! How the patches of `Transform` merge.

use super::{
    asked::ask,
    scripted::{Says, chain},
};
use crate::hooks::Transform;
use serde_json::{Value, json};

/// Runs patches over a request with the message `m` and the tool `t`, and
/// compares the messages and the tools that the last link sees, and the merged
/// patch's fields.
async fn check(patches: &[Value], messages: &str, tools: &str, fields: &str) {
    let request = json!({"request": {"messages": [{"text": "m"}], "tools": [{"name": "t"}]}});
    let told = ask::<Transform>(&chain(patches.iter().cloned()), request).await;
    let names = |list: &str, name: &str| {
        let items = told.request["request"][list].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item[name].as_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((&*names("messages", "text"), &*names("tools", "name")), (messages, tools));
    let mut patched: Vec<&str> = told.said.as_object().unwrap().keys().map(|k| &**k).collect();
    patched.sort_unstable();
    assert_eq!(patched.join(" "), fields, "{patches:?}");
}

#[tokio::test(start_paused = true)]
async fn add_fields_append_without_clobbering_what_others_added() {
    let add = |text: &str| json!({"add_messages": [{"text": text}], "add_tools": [{"name": text}]});
    check(&[add("a"), add("b")], "m a b", "t a b", "add_messages add_tools").await;
}

#[tokio::test(start_paused = true)]
async fn a_list_that_is_replaced_forgets_what_was_appended_before() {
    let add = json!({"add_tools": [{"name": "a"}], "add_messages": [{"text": "a"}]});
    let replace = json!({"tools": {"tools": [{"name": "r"}]}, "messages": {"messages": []}});
    check(&[add.clone(), replace.clone()], "", "r", "messages tools").await;
    check(&[replace, add], "a", "r a", "messages tools").await;
}

#[tokio::test(start_paused = true)]
async fn a_patch_without_fields_changes_nothing() {
    check(&[json!({}), json!({})], "m", "t", "").await;
}

#[tokio::test(start_paused = true)]
async fn the_last_value_of_a_parameter_counts() {
    let patches = [
        json!({"temperature": 0.2, "max_tokens": 5, "stop": {"stop": ["x"]}}),
        json!({"temperature": 0.0, "tool_choice_json": "\"auto\"", "top_p": 0.5}),
        json!({"extra_json": "{\"seed\":9007199254740993}"}),
    ];
    let told = ask::<Transform>(&chain(patches), json!({})).await;
    let merged = json!({
        "temperature": 0.0, "max_tokens": 5, "stop": {"stop": ["x"]}, "top_p": 0.5,
        "tool_choice_json": "\"auto\"", "extra_json": "{\"seed\":9007199254740993}",
    });
    assert_eq!(told.said, merged);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_added_twice_is_a_failure_that_names_who_added_it() {
    let add = json!({"add_tools": [{"name": "x"}]});
    let told = ask::<Transform>(&chain([add.clone(), add]), json!({})).await;
    assert_eq!(told.said, json!({"failed": "b: invalid_params/malformed_answer"}));
    let fault = told.steps[1].fault.as_ref().unwrap().to_string();
    assert!(fault.contains("`x`"), "{fault}");
}

#[tokio::test(start_paused = true)]
async fn a_tool_may_be_added_again_once_the_list_was_replaced() {
    let (add, empty) = (json!({"add_tools": [{"name": "t"}]}), json!({"tools": {}}));
    check(&[empty, add], "m", "t", "tools").await;
}

#[tokio::test(start_paused = true)]
async fn the_model_and_the_response_format_cannot_be_patched() {
    for field in ["model", "response_format_json"] {
        let told = ask::<Transform>(&chain([json!({field: "x"})]), json!({})).await;
        assert_eq!(told.said, json!({"failed": "a: invalid_params/malformed_answer"}), "{field}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_link_sees_the_attempt_and_may_leave_a_retry_alone() {
    let first_only = Says::Seeing(|seen| match seen["attempt"]["attempt"].as_i64() {
        Some(1) => json!({"temperature": 0.2}),
        _ => json!({}),
    });
    for (attempt, expected) in [(1, json!({"temperature": 0.2})), (2, json!({}))] {
        let request = json!({"attempt": {"attempt": attempt}});
        let told = ask::<Transform>(&chain([first_only.clone()]), request).await;
        assert_eq!(told.said, expected);
    }
}
