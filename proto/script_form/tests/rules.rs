//! What the forms of all regular messages have in common.

use super::javascript::{changed, made, seen, unchanged};
use crate::{
    ScriptEnum, ScriptForm,
    v1::{
        BeforeToolCallAnswer, ChatRequest, CompanionMove, HookContext, Initiator, InitiatorKind,
        NotifyScheduledAnswer, SshCommandSendingRequest, SshOperationKind, StartRunAnswer,
        StopList, TransformAnswer, Usage,
    },
};
use serde_json::{Value, json};

#[track_caller]
fn problem<M: ScriptForm + std::fmt::Debug>(form: &Value) -> String {
    made::<M>(form).unwrap_err().to_string()
}

#[test]
fn names_are_camel_case_and_json_is_parsed() {
    let request = ChatRequest {
        tool_choice_json: "\"auto\"".into(),
        max_tokens: Some(5),
        stop: vec!["x".into()],
        extra_json: "{}".into(),
        ..ChatRequest::default()
    };
    assert_eq!(
        seen(&request),
        json!({
            "model": "",
            "messages": [],
            "tools": [],
            "toolChoice": "auto",
            "maxTokens": 5,
            "stop": ["x"],
            "extra": {},
        })
    );
    assert_eq!(unchanged(&request), Ok(request));
}

#[test]
fn values_of_enums_are_named_without_their_prefix() {
    assert_eq!(SshOperationKind::script_name(SshOperationKind::ReadFile.into()), Some("read_file"));
    assert_eq!(
        InitiatorKind::script_name(InitiatorKind::ChannelSender.into()),
        Some("channelSender")
    );
    assert_eq!(InitiatorKind::script_name(0), None);
    assert_eq!(InitiatorKind::script_name(99), None);
    let initiator =
        Initiator { kind: InitiatorKind::ChannelSender.into(), is_verified_person: true };
    assert_eq!(seen(&initiator), json!({ "kind": "channelSender", "isVerifiedPerson": true }));
    assert_eq!(seen(&Initiator::default()), json!({ "isVerifiedPerson": false }));
}

#[test]
fn what_is_unset_is_null_for_a_platform_and_left_out_elsewhere() {
    assert_eq!(
        seen(&CompanionMove::default()),
        json!({ "name": "", "description": "", "motionId": null })
    );
    assert_eq!(
        seen(&SshCommandSendingRequest::default()),
        json!({
            "sshHostId": "",
            "hostDisplayName": "",
            "command": null,
            "path": null,
            "content": null,
            "isBackground": false,
        })
    );
    assert_eq!(
        seen(&ChatRequest::default()),
        json!({ "model": "", "messages": [], "tools": [], "stop": [] })
    );
}

#[test]
fn ids_that_a_context_does_not_have_are_left_out() {
    let context = HookContext { run_id: "r".into(), ..HookContext::default() };
    assert_eq!(
        seen(&context),
        json!({ "runId": "r", "iteration": 0, "hopCount": 0, "middleware": [], "explain": false })
    );
}

#[test]
fn a_message_that_is_a_list_is_an_array() {
    let answer: TransformAnswer = made(&json!({ "stop": ["a"], "tools": [] })).unwrap();
    assert_eq!(answer.stop, Some(StopList { stop: vec!["a".into()] }));
    assert_eq!(answer.tools, Some(crate::v1::ToolDefinitionList::default()));
    assert_eq!(answer.messages, None);
    assert_eq!(
        seen(&answer),
        json!({ "addMessages": [], "tools": [], "addTools": [], "stop": ["a"] })
    );
    assert_eq!(
        problem::<TransformAnswer>(&json!({ "stop": "a" })),
        "stop must be an array, got string"
    );
}

#[test]
fn what_the_chain_fills_is_no_part_of_an_answer() {
    assert_eq!(BeforeToolCallAnswer::MEMBERS, ["decision", "reason", "updatedArguments"]);
    assert_eq!(
        problem::<StartRunAnswer>(&json!({ "plan": {} })),
        "has the unknown field `plan`; there are addedContext"
    );
}

#[test]
fn an_answer_is_read_from_its_fields() {
    let form = json!({ "decision": "deny", "reason": "no", "updatedArguments": { "a": 1 } });
    let answer: BeforeToolCallAnswer = made(&form).unwrap();
    assert_eq!(answer.decision().as_str_name(), "TOOL_DECISION_DENY");
    assert_eq!(answer.reason, "no");
    assert_eq!(answer.updated_arguments_json.as_deref(), Some(r#"{"a":1}"#));
    assert_eq!(made::<BeforeToolCallAnswer>(&json!({})), Ok(BeforeToolCallAnswer::default()));
}

#[test]
fn an_unknown_key_goes_where_the_providers_parameters_are() {
    let request = ChatRequest { extra_json: r#"{ "seed": 1 }"#.into(), ..ChatRequest::default() };
    let read = changed(&request, |seen| seen["top_k"] = json!(5)).unwrap();
    assert_eq!(read.extra_json, r#"{"seed":1,"top_k":5}"#);
    let read = changed(&request, |seen| seen["seed"] = json!(2)).unwrap();
    assert_eq!(read.extra_json, r#"{"seed":2}"#);
    let patch: TransformAnswer = made(&json!({ "seed": 2 })).unwrap();
    assert_eq!(patch.extra_json.as_deref(), Some(r#"{"seed":2}"#));
    assert_eq!(
        problem::<ChatRequest>(&json!({ "extra": "a", "seed": 1 })),
        "extra must be an object to take in `seed`, got string"
    );
}

#[test]
fn an_unknown_key_is_refused_elsewhere() {
    assert_eq!(
        problem::<BeforeToolCallAnswer>(&json!({ "verdict": "deny" })),
        "has the unknown field `verdict`; there are decision, reason, updatedArguments"
    );
    assert_eq!(
        problem::<crate::v1::AfterRunAnswer>(&json!({ "a": 1 })),
        "has the unknown field `a`; it has none"
    );
}

#[test]
fn a_value_of_a_wrong_type_is_refused_at_its_place() {
    for (form, expected) in [
        (json!({ "messages": [{ "role": 5 }] }), "messages[0].role must be a string, got number"),
        (json!({ "model": null }), "model must be a string, got null"),
        (json!({ "stop": ["a", {}] }), "stop[1] must be a string, got object"),
        (json!({ "maxTokens": 1.5 }), "maxTokens must be a whole number, got 1.5"),
        (
            json!({ "maxTokens": 2_147_483_648_i64 }),
            "maxTokens must be from -2147483648 to 2147483647, got 2147483648",
        ),
        (json!({ "maxTokens": "5" }), "maxTokens must be a number, got string"),
        (json!({ "temperature": true }), "temperature must be a number, got boolean"),
        (json!({ "extra": [] }), "extra must be an object, got array"),
    ] {
        assert_eq!(problem::<ChatRequest>(&form), expected);
    }
    assert_eq!(
        problem::<Usage>(&json!({ "inputTokenCount": 1e19 })),
        "inputTokenCount must be of 64 bits, got 1e+19"
    );
    assert_eq!(
        problem::<BeforeToolCallAnswer>(&json!({ "decision": "block" })),
        "decision must be one of 'allow', 'ask', 'defer', 'deny', got 'block'"
    );
    assert_eq!(
        problem::<BeforeToolCallAnswer>(&json!({ "updatedArguments": "a" })),
        "updatedArguments must be an object, got string"
    );
}

#[test]
fn whole_numbers_may_be_written_as_any_number() {
    let form: Value = serde_json::from_str(r#"{"maxTokens":1e3,"temperature":2}"#).unwrap();
    let request: ChatRequest = made(&form).unwrap();
    assert_eq!((request.max_tokens, request.temperature), (Some(1000), Some(2.0)));
}

#[test]
fn null_is_absent_but_a_number_that_is_none_is_no_answer() {
    let form = json!({ "temperature": null, "maxTokens": null, "extra": null });
    assert_eq!(made::<ChatRequest>(&form), Ok(ChatRequest::default()));
    let form = json!({ "message": null });
    assert_eq!(made::<NotifyScheduledAnswer>(&form), Ok(NotifyScheduledAnswer::default()));
    assert_eq!(
        problem::<NotifyScheduledAnswer>(&json!({ "delaySeconds": null })),
        "delaySeconds must be a number, got null (NaN has no JSON)"
    );
}
