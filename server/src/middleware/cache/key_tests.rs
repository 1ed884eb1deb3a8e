//! Which requests are the same, and which are not.

use super::*;
use v1::message::Content;

fn message(role: &str, text: &str) -> v1::Message {
    let content = Some(Content::Text(text.into()));
    v1::Message { role: role.into(), content, ..v1::Message::default() }
}

fn call(id: &str, arguments: &str) -> v1::ToolCall {
    let (name, arguments_json) = ("find".into(), arguments.into());
    v1::ToolCall { id: id.into(), name, arguments_json, ..v1::ToolCall::default() }
}

/// A conversation in which tools were called, with these ids.
fn conversation(one: &str, two: &str) -> v1::ChatRequest {
    let calls = v1::Message {
        tool_calls: vec![call(one, r#"{"q":"tea","n":1}"#), call(two, "{}")],
        ..message("assistant", "")
    };
    let answers = |id: &str, text| v1::Message { tool_call_id: id.into(), ..message("tool", text) };
    v1::ChatRequest {
        model: "m".into(),
        messages: vec![message("user", "hi"), calls, answers(one, "1"), answers(two, "2")],
        tools: vec![v1::ToolDefinition {
            name: "find".into(),
            parameters_json: r#"{"type":"object","required":["q"]}"#.into(),
            ..v1::ToolDefinition::default()
        }],
        temperature: Some(1.0),
        extra_json: r#"{"seed":7,"user":"u1"}"#.into(),
        ..v1::ChatRequest::default()
    }
}

fn usual() -> v1::ChatRequest {
    conversation("c1", "c2")
}

fn key(of: &v1::ChatRequest) -> Key {
    digest(&request(of, &["trace".to_owned()]))
}

/// Checks whether a change makes another request.
#[track_caller]
fn check(is_another: bool, change: impl FnOnce(&mut v1::ChatRequest)) {
    let mut changed = usual();
    change(&mut changed);
    assert_ne!(changed, usual(), "it is changed");
    assert_eq!(key(&changed) != key(&usual()), is_another, "{changed:?}");
}

#[test]
fn the_spelling_of_json_makes_no_other_request() {
    check(false, |it| it.extra_json = r#"{ "user": "u1", "seed": 7.0 }"#.into());
    check(false, |it| {
        it.tools[0].parameters_json = r#"{ "required" : ["q"], "type" : "object" }"#.into();
    });
    check(false, |it| {
        it.messages[1].tool_calls[0].arguments_json = r#"{"n":1e0, "q":"tea"}"#.into();
    });
}

#[test]
fn what_does_not_reach_the_model_makes_no_other_request() {
    check(false, |it| it.extra_json = r#"{"seed":7,"user":"u2","metadata":{"a":1}}"#.into());
    check(false, |it| it.extra_json = r#"{"seed":7,"stream":true,"trace":"t1"}"#.into());
    check(false, |it| it.messages[0].extra_json = r#"{"id":"msg_1"}"#.into());
    check(false, |it| it.tools[0].extra_json = r#"{"cache_control":{"type":"x"}}"#.into());
    check(false, |it| *it = conversation("call_9", "call_3"));
}

#[test]
fn whatever_the_model_reads_makes_another_request() {
    check(true, |it| it.model = "n".into());
    check(true, |it| it.messages[0] = message("user", "ho"));
    check(true, |it| it.messages[0] = message("system", "hi"));
    check(true, |it| it.messages[0].name = "ada".into());
    check(true, |it| it.messages[0].extra_json = r#"{"refusal":"no"}"#.into());
    check(true, |it| it.messages.swap(2, 3));
    check(true, |it| it.messages.truncate(3));
    check(true, |it| it.messages[1].tool_calls[0].name = "search".into());
    check(true, |it| it.messages[1].tool_calls[1].arguments_json = r#"{"q":1}"#.into());
    check(true, |it| it.tools.clear());
    check(true, |it| it.tools[0].description = "finds".into());
    check(true, |it| it.tool_choice_json = "\"auto\"".into());
    check(true, |it| it.temperature = None);
    check(true, |it| it.temperature = Some(0.999));
    check(true, |it| it.top_p = Some(1.0));
    check(true, |it| it.max_tokens = Some(1));
    check(true, |it| it.stop = vec!["x".into()]);
    check(true, |it| it.response_format_json = "{}".into());
    check(true, |it| it.extra_json = r#"{"seed":8}"#.into());
    check(true, |it| it.extra_json = "no json".into());
}

#[test]
fn which_result_belongs_to_which_call_counts() {
    check(true, |it| it.messages[3].tool_call_id = "c1".into());
    check(true, |it| it.messages[2].tool_call_id.clear());
}

#[test]
fn parts_and_media_count_by_what_they_hold() {
    use v1::content_part::Kind;
    let media = |data: &[u8], url: &str| v1::Media {
        data: data.to_vec(),
        url: url.into(),
        ..v1::Media::default()
    };
    let kinds = [
        Kind::Text("a".into()),
        Kind::Reasoning("a".into()),
        Kind::OtherJson("\"a\"".into()),
        Kind::OtherJson("a".into()),
        Kind::Image(media(b"a", "")),
        Kind::Image(media(b"b", "")),
        Kind::Image(media(b"", "a")),
        Kind::Audio(media(b"a", "")),
        Kind::File(media(b"a", "")),
    ];
    let mut keys: Vec<Key> = kinds
        .map(|kind| {
            let part = v1::ContentPart { kind: Some(kind), ..v1::ContentPart::default() };
            let content = Some(Content::Parts(v1::ContentParts { parts: vec![part] }));
            let messages = vec![v1::Message { content, ..v1::Message::default() }];
            key(&v1::ChatRequest { messages, ..v1::ChatRequest::default() })
        })
        .to_vec();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 9);
}
