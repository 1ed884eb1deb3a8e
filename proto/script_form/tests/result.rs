//! The result of a tool.

use super::javascript::{changed, made, seen, unchanged};
use crate::v1::{ContentPart, ContentParts, ToolResult, content_part::Kind, tool_result::Output};
use serde_json::{Value, json};

fn result(output: Output) -> ToolResult {
    ToolResult { output: Some(output), ..ToolResult::default() }
}

fn parts() -> ToolResult {
    let part = ContentPart { kind: Some(Kind::Text("a".into())), ..ContentPart::default() };
    result(Output::Parts(ContentParts { parts: vec![part] }))
}

#[track_caller]
fn output(form: &Value) -> Option<Output> {
    made::<ToolResult>(form).unwrap().output
}

#[test]
fn a_text_is_a_string_and_json_is_a_value() {
    assert_eq!(seen(&result(Output::Text("1".into()))), json!({ "result": "1" }));
    assert_eq!(seen(&result(Output::ResultJson("[1]".into()))), json!({ "result": [1] }));
    assert_eq!(seen(&parts()), json!({ "content": [{ "type": "text", "text": "a" }] }));
    assert_eq!(seen(&ToolResult::default()), json!({}));
}

#[test]
fn every_kind_of_output_stays_what_it_is() {
    for output in ["null", "\"a\"", "{broken", " {\"a\": 1.0} ", "9007199254740993"] {
        let result = result(Output::ResultJson(output.into()));
        assert_eq!(unchanged(&result), Ok(result));
    }
    for result in [result(Output::Text("a".into())), parts(), ToolResult::default()] {
        assert_eq!(unchanged(&result), Ok(result));
    }
}

#[test]
fn a_failure_and_what_else_there_is_come_along() {
    let result = ToolResult {
        error: Some("timed out".into()),
        extra_json: r#"{"ms":5}"#.into(),
        ..ToolResult::default()
    };
    assert_eq!(seen(&result), json!({ "error": "timed out", "extra": { "ms": 5 } }));
    assert_eq!(unchanged(&result), Ok(result));
}

#[test]
fn a_script_answers_with_a_string_a_value_or_parts() {
    assert_eq!(output(&json!({ "result": "a" })), Some(Output::Text("a".into())));
    assert_eq!(output(&json!({ "result": [1] })), Some(Output::ResultJson("[1]".into())));
    assert_eq!(output(&json!({ "result": null })), Some(Output::ResultJson("null".into())));
    assert_eq!(output(&seen(&parts())), parts().output);
    assert_eq!(output(&json!({ "error": "no" })), None);
}

#[test]
fn a_result_that_a_script_adds_to_parts_takes_their_place() {
    let result = changed(&parts(), |seen| seen["result"] = json!("[removed]")).unwrap();
    assert_eq!(result.output, Some(Output::Text("[removed]".into())));
}

#[test]
fn the_call_that_it_is_for_may_be_named() {
    let form = json!({ "callId": "c1", "name": "find", "result": "a" });
    assert_eq!(made(&form), Ok(result(Output::Text("a".into()))));
}
