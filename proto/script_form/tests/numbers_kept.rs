//! Numbers that a double cannot hold.

use super::javascript::{changed, read, seen, unchanged, written};
use crate::{
    PAYLOAD_MARK,
    v1::{BeforeToolCallAnswer, ChatRequest, ToolCall, ToolDefinition},
};
use serde_json::{Value, json};

fn call(arguments: &str) -> ToolCall {
    ToolCall { arguments_json: arguments.into(), ..ToolCall::default() }
}

/// Changes a member of the arguments in place, which keeps their mark.
#[track_caller]
fn edited(arguments: &str, name: &str, value: &Value) -> Result<String, String> {
    changed(&call(arguments), |seen| seen["arguments"]["value"][name] = value.clone())
        .map(|call| call.arguments_json)
        .map_err(|error| error.to_string())
}

/// What becomes of new arguments that a script made beside these.
#[track_caller]
fn copied(arguments: &str, new: &Value) -> Result<String, String> {
    let answer = json!({ "updatedArguments": new }).to_string();
    read::<BeforeToolCallAnswer>(&answer, &written(&call(arguments)).payloads)
        .map(|answer| answer.updated_arguments_json.unwrap())
        .map_err(|error| error.to_string())
}

#[test]
fn a_payload_with_such_a_number_is_marked() {
    let arguments = r#"{ "n": 9007199254740993 }"#;
    let written = written(&call(arguments));
    assert!(written.marked);
    let marked = &seen(&call(arguments))["arguments"];
    assert_eq!(marked[PAYLOAD_MARK], 0);
    assert_eq!(marked["value"].to_string(), r#"{"n":9007199254740993}"#);
    assert!(!super::javascript::written(&call(r#"{"n":9007199254740992}"#)).marked);
}

#[test]
fn it_survives_untouched() {
    for text in [
        r#"{ "n": 9007199254740993 }"#,
        r#"[1e400, -1e400, 0.1234567890123456789]"#,
        "9007199254740993",
        "1e400",
        r#"{"a":[{"b":1e-400}]}"#,
    ] {
        assert_eq!(unchanged(&call(text)), Ok(call(text)));
    }
}

#[test]
fn it_survives_a_change_of_something_else() {
    assert_eq!(
        edited(r#"{ "n": 9007199254740993, "to": "bob" }"#, "to", &json!("eve")),
        Ok(r#"{"n":9007199254740993,"to":"eve"}"#.into())
    );
    assert_eq!(
        edited(r#"{"n":[0.1234567890123456789]}"#, "to", &json!(0.5)),
        Ok(r#"{"n":[0.1234567890123456789],"to":0.5}"#.into())
    );
}

#[test]
fn it_survives_in_a_copy() {
    assert_eq!(
        copied(r#"{"n":9007199254740993}"#, &json!({ "m": [9_007_199_254_740_992_i64, 5] })),
        Ok(r#"{"m":[9007199254740993,5]}"#.into())
    );
}

#[test]
fn a_number_that_nothing_is_left_of_survives_in_its_place() {
    let Ok(text) = edited(r#"{"big":1e400,"small":1e-400,"a":1}"#, "a", &Value::Null) else {
        panic!("refused")
    };
    assert!(text.contains(r#""a":null"#), "{text}");
    let original = json!({ "big": "1e400", "small": "1e-400" });
    let value: Value = serde_json::from_str(&text).unwrap();
    for (name, literal) in original.as_object().unwrap() {
        let read = value[name].as_number().unwrap().as_str();
        assert_eq!(
            crate::script_form::numbers::Exact::of(read),
            crate::script_form::numbers::Exact::of(literal.as_str().unwrap())
        );
    }
}

#[test]
fn a_null_or_zero_elsewhere_is_what_it_says() {
    assert_eq!(
        copied(r#"{"big":1e400}"#, &json!({ "a": null, "b": 0 })),
        Ok(r#"{"a":null,"b":0}"#.into())
    );
}

#[test]
fn a_copy_of_a_number_that_nothing_is_left_of_is_refused() {
    let error = copied(r#"{"big":1e400}"#, &json!({ "big": null, "a": 1 })).unwrap_err();
    assert!(error.starts_with("updatedArguments.big may be 1e"), "{error}");
    assert!(error.ends_with(
        "or null: a number that is too large or too long for JavaScript cannot be told from \
         another"
    ));
}

#[test]
fn two_numbers_that_look_the_same_are_refused_where_it_matters() {
    let two = r#"{"a":9007199254740993,"b":9007199254740992}"#;
    assert_eq!(unchanged(&call(two)), Ok(call(two)));
    assert_eq!(
        edited(two, "c", &json!(1)).unwrap_err(),
        "arguments.a may be 9007199254740993 or 9007199254740992: a number that is too large or \
         too long for JavaScript cannot be told from another"
    );
}

#[test]
fn a_changed_payload_takes_its_own_numbers_first() {
    let tool = |parameters: &str| ToolDefinition {
        parameters_json: parameters.into(),
        ..ToolDefinition::default()
    };
    let tools = vec![tool(r#"{"n":9007199254740993}"#), tool(r#"{"n":9007199254740992.5}"#)];
    let request = ChatRequest { tools, ..ChatRequest::default() };
    let read = changed(&request, |seen| {
        seen["tools"][1]["parameters"]["value"]["a"] = json!(1);
    });
    let read = read.unwrap();
    assert_eq!(read.tools[0], request.tools[0]);
    assert_eq!(read.tools[1].parameters_json, r#"{"n":9007199254740992.5,"a":1}"#);
}

#[test]
fn a_payload_within_another_keeps_its_text() {
    let request = ChatRequest {
        tool_choice_json: r#"{ "n": 9007199254740993 }"#.into(),
        ..ChatRequest::default()
    };
    let read = changed(&request, |seen| {
        let choice = seen["toolChoice"].clone();
        seen["saved"] = json!([choice]);
    });
    assert_eq!(read.unwrap().extra_json, r#"{"saved":[{ "n": 9007199254740993 }]}"#);
}
