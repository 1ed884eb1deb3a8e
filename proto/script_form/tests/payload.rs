//! JSON payloads: what is not touched comes back as the text that it was.

use super::javascript::{changed, read, seen, through, unchanged, written};
use crate::{
    ScriptReader, ScriptWriter, parse_answer,
    v1::{BeforeToolCallAnswer, ChatRequest, ToolCall, ToolDefinition, ToolInvocation},
};
use serde_json::{Value, json};

fn call(arguments: &str) -> ToolCall {
    ToolCall { arguments_json: arguments.into(), ..ToolCall::default() }
}

fn request(extra: &str) -> ChatRequest {
    ChatRequest { extra_json: extra.into(), ..ChatRequest::default() }
}

#[test]
fn the_text_that_was_there_comes_back() {
    for text in
        [r#" { "b" : 1.0, "a" : [ 1e2 , "\u0041" ] } "#, "[]", "null", "\"a\"", "1.50", "{}"]
    {
        assert_eq!(unchanged(&request(text)), Ok(request(text)));
        assert_eq!(unchanged(&call(text)), Ok(call(text)));
    }
}

#[test]
fn valid_json_is_spliced_as_it_is() {
    let text = written(&request(r#"{ "a" : 1.0 }"#)).text;
    assert!(text.ends_with(r#""extra":{ "a" : 1.0 }}"#), "{text}");
}

#[test]
fn a_call_without_arguments_has_empty_ones_until_it_gets_some() {
    let invocation = ToolInvocation { tool_call: Some(call("")), ..ToolInvocation::default() };
    let form = json!({
        "toolCall": { "id": "", "name": "", "arguments": {} },
        "args": {},
        "approved": false,
    });
    assert_eq!(seen(&invocation), form);
    assert_eq!(unchanged(&invocation), Ok(invocation));
    let read = changed(&call(""), |seen| seen["arguments"]["a"] = json!(1)).unwrap();
    assert_eq!(read.arguments_json, r#"{"a":1}"#);
}

#[test]
fn empty_arguments_are_no_text_for_any_other_field() {
    let call = written(&call(""));
    let answer: BeforeToolCallAnswer = read(r#"{"updatedArguments":{}}"#, &call.payloads).unwrap();
    assert_eq!(answer.updated_arguments_json.as_deref(), Some("{}"));
}

#[test]
fn other_payloads_are_left_out_when_there_are_none() {
    let tool = ToolDefinition { name: "find".into(), ..ToolDefinition::default() };
    assert_eq!(seen(&tool), json!({ "name": "find", "description": "" }));
    assert_eq!(unchanged(&tool), Ok(tool));
}

#[test]
fn broken_json_is_a_string_until_it_is_changed() {
    let broken = call("{\"a\": 'x");
    assert_eq!(seen(&broken)["arguments"], "{\"a\": 'x");
    assert_eq!(unchanged(&broken), Ok(broken.clone()));
    let read = changed(&broken, |seen| seen["arguments"] = json!({ "a": "x" })).unwrap();
    assert_eq!(read.arguments_json, r#"{"a":"x"}"#);
    let other = changed(&broken, |seen| seen["arguments"] = json!("{"));
    assert_eq!(other.unwrap_err().to_string(), "arguments must be an object, got string");
}

#[test]
fn arguments_that_are_handed_on_are_the_text_that_the_model_wrote() {
    let call = written(&call(r#"{"to": "bob", "n": 1.0}"#));
    for answer in
        [r#"{"updatedArguments":{"to":"bob","n":1}}"#, r#"{"updatedArguments":{"n":1,"to":"bob"}}"#]
    {
        let answer: BeforeToolCallAnswer = read(answer, &call.payloads).unwrap();
        assert_eq!(answer.updated_arguments_json.as_deref(), Some(r#"{"to": "bob", "n": 1.0}"#));
    }
}

#[test]
fn of_equal_payloads_each_keeps_its_own_text() {
    let texts = [r#"{"a":1}"#, r#"{ "a": 1.0 }"#, r#"{"b":2}"#, r#"{"a":1e0}"#];
    let tools: Vec<_> = texts
        .iter()
        .map(|text| ToolDefinition { parameters_json: (*text).into(), ..ToolDefinition::default() })
        .collect();
    let request = ChatRequest { tools: tools.clone(), ..ChatRequest::default() };
    assert_eq!(unchanged(&request), Ok(request.clone()));
    let read = changed(&request, |seen| {
        seen["tools"].as_array_mut().unwrap().remove(1);
    });
    let mut rest = tools;
    rest.remove(1);
    let rest: Vec<_> = rest.iter().skip(1).collect();
    let read = read.unwrap();
    assert_eq!(read.tools.iter().skip(1).collect::<Vec<_>>(), rest);
}

#[test]
fn a_payload_that_would_pass_for_a_mark_is_a_string() {
    let spoofed = r#"{"\u0000payload":0,"value":{"a":1}}"#;
    let call = call(spoofed);
    assert_eq!(seen(&call)["arguments"], spoofed);
    assert_eq!(unchanged(&call), Ok(call));
}

#[test]
fn a_mark_that_no_payload_has_is_refused() {
    let answer = json!({ "updatedArguments": { "\u{0}payload": 7, "value": { "a": 1 } } });
    let answer: Result<BeforeToolCallAnswer, _> =
        read(&answer.to_string(), &written(&call("{}")).payloads);
    let error = answer.unwrap_err().to_string();
    assert!(error.starts_with("updatedArguments was kept from an earlier call"), "{error}");
}

#[test]
fn half_a_surrogate_pair_does_not_make_a_payload_another() {
    let call = call(r#"{"a":"\ud800"}"#);
    assert_eq!(unchanged(&call), Ok(call));
}

#[test]
fn several_values_of_one_call_share_their_payloads() {
    let opened = written(&call(r#"{"n":9007199254740993}"#));
    let mut payloads = opened.payloads;
    let mut out = ScriptWriter::after(&payloads);
    out.message(&call(r#"{"n":9007199254740995}"#));
    let next = out.finish();
    payloads.merge(next.payloads);
    assert!(opened.marked && next.marked);
    let both = format!("[{},{}]", through(&opened.text), through(&next.text));
    let Value::Array(both) = parse_answer(&both).unwrap() else { panic!("{both}") };
    let reader = ScriptReader::new(&payloads);
    let texts: Vec<_> = both
        .into_iter()
        .map(|value| <ToolCall as crate::ScriptForm>::read(value, &reader).unwrap().arguments_json)
        .collect();
    assert_eq!(texts, [r#"{"n":9007199254740993}"#, r#"{"n":9007199254740995}"#]);
}
