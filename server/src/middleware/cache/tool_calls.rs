//! Whether an answer calls tools, wherever its provider says so.

use serde_json::Value;
use sidehook_proto::v1;

/// Members that hold calls.
const MEMBERS: [&str; 4] = ["tool_calls", "toolCalls", "function_call", "functionCall"];

/// Types of parts that are calls.
const TYPES: [&str; 4] = ["tool_use", "tool-call", "tool_call", "function_call"];

/// Whether a model's answer calls tools.
pub(super) fn in_response(response: &v1::ChatResponse) -> bool {
    let in_part = |part: &v1::ContentPart| {
        let other = match &part.kind {
            Some(v1::content_part::Kind::OtherJson(other)) => in_json(other),
            _ => false,
        };
        other || in_json(&part.extra_json)
    };
    let parts = match &response.content {
        Some(v1::chat_response::Content::Parts(parts)) => parts.parts.as_slice(),
        _ => &[],
    };
    !response.tool_calls.is_empty() || parts.iter().any(in_part) || in_json(&response.extra_json)
}

/// Whether a JSON text has calls in it. A text that is no JSON has none.
pub(super) fn in_json(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|value| in_value(&value))
}

fn in_value(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(in_value),
        Value::Object(members) => {
            let calls = |value: &Value| match value {
                Value::Array(calls) => !calls.is_empty(),
                Value::Object(_) => true,
                _ => false,
            };
            let is_call = members.get("type").and_then(Value::as_str);
            MEMBERS.iter().any(|name| members.get(*name).is_some_and(calls))
                || is_call.is_some_and(|name| TYPES.contains(&name))
                || members.values().any(in_value)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_in_the_forms_of_every_provider() {
        for (json, found) in [
            (r#"{"choices":[{"message":{"tool_calls":[{"id":"c"}]}}]}"#, true),
            (r#"{"content":[{"type":"text"},{"type":"tool_use","id":"c"}]}"#, true),
            (r#"{"parts":[{"functionCall":{"name":"f"}}]}"#, true),
            (r#"{"output":[{"type":"function_call"}]}"#, true),
            (r#"{"toolCalls":[{"toolName":"f"}]}"#, true),
            (r#"{"content":"use tool_calls","tool_calls":[],"function_call":null}"#, false),
            (r#""tool_use""#, false),
            ("no json", false),
            ("", false),
        ] {
            assert_eq!(in_json(json), found, "{json}");
        }
    }

    #[test]
    fn a_response_calls_tools_in_its_calls_its_parts_or_beside_them() {
        let empty = v1::ChatResponse::default();
        assert!(!in_response(&empty));
        let tool_calls = vec![v1::ToolCall::default()];
        assert!(in_response(&v1::ChatResponse { tool_calls, ..empty.clone() }));
        let kind = v1::content_part::Kind::OtherJson(r#"{"type":"tool_use"}"#.into());
        let parts = vec![v1::ContentPart { kind: Some(kind), ..v1::ContentPart::default() }];
        let content = Some(v1::chat_response::Content::Parts(v1::ContentParts { parts }));
        assert!(in_response(&v1::ChatResponse { content, ..empty.clone() }));
        let extra_json = r#"{"function_call":{"name":"f"}}"#.into();
        assert!(in_response(&v1::ChatResponse { extra_json, ..empty }));
    }
}
