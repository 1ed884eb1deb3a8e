//! A model's answer.

use super::javascript::{changed, made, seen, unchanged};
use crate::v1::{
    ChatResponse, ContentPart, ContentParts, Usage, chat_response::Content, content_part::Kind,
};
use serde_json::json;

fn text(text: &str) -> ContentPart {
    ContentPart { kind: Some(Kind::Text(text.into())), ..ContentPart::default() }
}

fn in_parts() -> ChatResponse {
    let thought =
        ContentPart { kind: Some(Kind::Reasoning("hm".into())), ..ContentPart::default() };
    let parts = vec![thought, text("Hello "), text("Bob")];
    ChatResponse {
        content: Some(Content::Parts(ContentParts { parts })),
        ..ChatResponse::default()
    }
}

#[test]
fn a_text_and_a_list_of_tool_calls_are_always_there() {
    let form = json!({ "id": "", "model": "", "content": "", "toolCalls": [], "finishReason": "" });
    assert_eq!(seen(&ChatResponse::default()), form);
    assert_eq!(unchanged(&ChatResponse::default()), Ok(ChatResponse::default()));
}

#[test]
fn usage_is_left_out_when_it_is_not_known() {
    let usage = Usage { input_token_count: 7, ..Usage::default() };
    let response = ChatResponse { usage: Some(usage), ..ChatResponse::default() };
    assert_eq!(
        seen(&response)["usage"],
        json!({ "inputTokenCount": 7, "outputTokenCount": 0, "cachedTokenCount": 0 })
    );
    assert_eq!(unchanged(&response), Ok(response));
}

#[test]
fn the_content_of_parts_is_their_text() {
    let seen = seen(&in_parts());
    assert_eq!(seen["content"], "Hello Bob");
    assert_eq!(seen["parts"][0], json!({ "type": "reasoning", "text": "hm" }));
    assert_eq!(unchanged(&in_parts()), Ok(in_parts()));
}

#[test]
fn a_changed_text_takes_the_place_of_the_parts() {
    let response = changed(&in_parts(), |seen| seen["content"] = json!("Hello [name]")).unwrap();
    assert_eq!(response.content, Some(Content::Text("Hello [name]".into())));
    let response = changed(&in_parts(), |seen| seen["content"] = json!("")).unwrap();
    assert_eq!(response.content, Some(Content::Text(String::new())));
}

#[test]
fn changed_parts_count_where_the_text_agrees_or_is_absent() {
    let parts = json!([{ "type": "text", "text": "a" }]);
    let expected = Some(Content::Parts(ContentParts { parts: vec![text("a")] }));
    for response in [json!({ "parts": parts }), json!({ "parts": parts, "content": "a" })] {
        assert_eq!(made::<ChatResponse>(&response).unwrap().content, expected);
    }
}

#[test]
fn neither_text_nor_parts_is_no_content() {
    for response in [json!({}), json!({ "content": "" }), json!({ "content": null })] {
        assert_eq!(made::<ChatResponse>(&response).unwrap().content, None);
    }
}

#[test]
fn what_a_provider_adds_is_kept_in_extra() {
    let response: ChatResponse =
        made(&json!({ "content": "a", "system_fingerprint": "f" })).unwrap();
    assert_eq!(response.extra_json, r#"{"system_fingerprint":"f"}"#);
}
