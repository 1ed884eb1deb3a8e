//! Messages and content parts.

use super::javascript::{changed, made, seen, unchanged};
use crate::v1::{
    ContentPart, ContentParts, Media, Message, ToolCall, content_part::Kind, message::Content,
};
use serde_json::json;

fn part(kind: Kind) -> ContentPart {
    ContentPart { kind: Some(kind), extra_json: String::new() }
}

fn message(parts: Vec<ContentPart>) -> Message {
    let content = Some(Content::Parts(ContentParts { parts }));
    Message { role: "user".into(), content, ..Message::default() }
}

#[track_caller]
fn problem(message: &serde_json::Value) -> String {
    made::<Message>(message).unwrap_err().to_string()
}

#[test]
fn a_message_with_text_is_as_short_as_it_can_be() {
    let content = Some(Content::Text("hi".into()));
    let message = Message { role: "user".into(), content, ..Message::default() };
    assert_eq!(seen(&message), json!({ "role": "user", "content": "hi" }));
    assert_eq!(made::<Message>(&seen(&message)), Ok(message));
}

#[test]
fn a_message_without_content_has_an_empty_text_and_keeps_having_none() {
    let call = ToolCall { id: "c1".into(), name: "find".into(), ..ToolCall::default() };
    let message =
        Message { role: "assistant".into(), tool_calls: vec![call], ..Message::default() };
    assert_eq!(
        seen(&message),
        json!({
            "role": "assistant",
            "content": "",
            "toolCalls": [{ "id": "c1", "name": "find", "arguments": {} }],
        })
    );
    assert_eq!(unchanged(&message), Ok(message));
}

#[test]
fn a_tools_message_says_which_call_it_answers() {
    let message = Message {
        role: "tool".into(),
        content: Some(Content::Text("42".into())),
        tool_call_id: "c1".into(),
        name: "find".into(),
        ..Message::default()
    };
    let form = json!({ "role": "tool", "content": "42", "toolCallId": "c1", "name": "find" });
    assert_eq!(seen(&message), form);
    assert_eq!(unchanged(&message), Ok(message));
}

#[test]
fn every_kind_of_part_has_its_form() {
    let media = Media {
        url: "data:".into(),
        data: vec![0, 255, 16],
        media_type: "image/png".into(),
        name: "a.png".into(),
    };
    let message = message(vec![
        part(Kind::Text("a".into())),
        part(Kind::Reasoning("b".into())),
        part(Kind::Image(media)),
        part(Kind::Audio(Media::default())),
        part(Kind::File(Media { url: "file-1".into(), ..Media::default() })),
        part(Kind::OtherJson(r#"{"type": "video", "n": 1.0}"#.into())),
        ContentPart { kind: Some(Kind::Text("c".into())), extra_json: r#"{"cache":true}"#.into() },
    ]);
    assert_eq!(
        seen(&message)["content"],
        json!([
            { "type": "text", "text": "a" },
            { "type": "reasoning", "text": "b" },
            {
                "type": "image",
                "url": "data:",
                "data": "AP8Q",
                "mediaType": "image/png",
                "name": "a.png",
            },
            { "type": "audio" },
            { "type": "file", "url": "file-1" },
            serde_json::from_str::<serde_json::Value>(r#"{"type":"video","n":1.0}"#).unwrap(),
            { "type": "text", "text": "c", "extra": { "cache": true } },
        ])
    );
    assert_eq!(unchanged(&message), Ok(message));
}

#[test]
fn a_part_of_a_kind_without_a_field_goes_on_as_it_is() {
    let part = json!({ "type": "video", "extra": { "a": 1 }, "text": 5 });
    let message: Message = made(&json!({ "role": "user", "content": [part] })).unwrap();
    let Some(Content::Parts(parts)) = &message.content else { panic!("{message:?}") };
    assert_eq!(parts.parts, [self::part(Kind::OtherJson(part.to_string()))]);
}

#[test]
fn a_providers_part_that_only_looks_like_ours_stays_the_providers() {
    let other = r#"{"type":"text", "text":"a"}"#;
    let message = message(vec![part(Kind::OtherJson(other.into()))]);
    assert_eq!(unchanged(&message), Ok(message));
}

#[test]
fn what_stands_beside_a_providers_part_is_kept_with_it() {
    let part = ContentPart {
        kind: Some(Kind::OtherJson(r#"{"type":"video"}"#.into())),
        extra_json: r#"{"a":1}"#.into(),
    };
    let message = message(vec![part]);
    assert_eq!(seen(&message)["content"], json!([{ "type": "video" }]));
    assert_eq!(unchanged(&message), Ok(message));
}

#[test]
fn a_script_replaces_a_text_with_parts_and_parts_with_a_text() {
    let text = changed(&message(vec![]), |seen| seen["content"] = json!("new")).unwrap();
    assert_eq!(text.content, Some(Content::Text("new".into())));
    let parts = changed(&text, |seen| {
        seen["content"] = json!([{ "type": "text", "text": "a", "cache": true }]);
    });
    let expected =
        ContentPart { kind: Some(Kind::Text("a".into())), extra_json: r#"{"cache":true}"#.into() };
    assert_eq!(parts, Ok(message(vec![expected])));
}

#[test]
fn null_content_is_no_content() {
    let message: Message = made(&json!({ "role": "user", "content": null })).unwrap();
    assert_eq!(message.content, None);
}

#[test]
fn what_is_wrong_is_named_by_its_place() {
    for (message, expected) in [
        (json!({}), "role must be a string, but is missing"),
        (json!({ "role": 5 }), "role must be a string, got number"),
        (json!({ "role": "u", "content": 5 }), "content must be a string or an array, got number"),
        (json!({ "role": "u", "content": ["a"] }), "content[0] must be an object, got string"),
        (
            json!({ "role": "u", "content": [{}, { "type": 1 }] }),
            "content[1].type must be a string, got number",
        ),
        (
            json!({ "role": "u", "content": [{ "type": "text" }] }),
            "content[0].text must be a string, but is missing",
        ),
        (json!({ "role": "u", "toolCalls": null }), "toolCalls must be an array, got null"),
        (
            json!({ "role": "u", "toolCalls": [{ "id": null }] }),
            "toolCalls[0].id must be a string, got null",
        ),
        (json!([]), "must be an object, got array"),
    ] {
        assert_eq!(problem(&message), expected);
    }
    let image = json!({ "role": "u", "content": [{ "type": "image", "data": "?" }] });
    assert!(problem(&image).starts_with("content[0].data must be base64: "), "{}", problem(&image));
}
