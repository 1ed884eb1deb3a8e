//! The messages of the three hooks around a call, as far as tests make and read
//! them: as texts.

use crate::hooks::{Wrap, WrapModelCall, WrapToolCall, Wrapped};
use sidehook_proto::{HookResponse, v1};

/// A frame to the runtime.
#[derive(Debug)]
pub(in crate::engine) enum Frame {
    Next { invocation: i32, text: String },
    Emit(String),
}

/// A hook around a call whose messages are texts.
pub(in crate::engine) trait Texts: Wrapped<Open: Default> {
    fn call(text: &str, approved: bool) -> Self::Call;
    fn call_text(call: &mut Self::Call) -> &mut String;
    fn result(text: &str) -> Self::Result;
    fn result_text(result: &Self::Result) -> String;
    fn delta(text: &str) -> Self::Delta;
    fn delta_text(delta: &Self::Delta) -> String;
    /// The answer's text; `None` is the real call's result.
    fn answered(answer: <Self::Finished as HookResponse>::Answer) -> Option<String>;
    fn frame(frame: Self::Response) -> Frame;
}

fn next(
    invocation: i32,
    call: Option<String>,
    relay: v1::Relay,
    needed: bool,
    approval: bool,
) -> Frame {
    let relay = match relay {
        v1::Relay::Unspecified => " unspecified",
        v1::Relay::Direct => "",
        v1::Relay::Relayed => " relayed",
        v1::Relay::Held => " held",
    };
    let call = call.map(|call| format!(" ({call})")).unwrap_or_default();
    let needed = if needed { "" } else { " unneeded" };
    let approval = if approval { " approval" } else { "" };
    Frame::Next { invocation, text: format!("next {invocation}{call}{relay}{needed}{approval}") }
}

impl Texts for WrapModelCall {
    fn call(text: &str, _: bool) -> v1::ModelCall {
        v1::ModelCall { model: text.into(), ..v1::ModelCall::default() }
    }

    fn call_text(call: &mut v1::ModelCall) -> &mut String {
        &mut call.model
    }

    fn result(text: &str) -> v1::ChatResponse {
        v1::ChatResponse { id: text.into(), ..v1::ChatResponse::default() }
    }

    fn result_text(result: &v1::ChatResponse) -> String {
        result.id.clone()
    }

    fn delta(text: &str) -> v1::ModelDelta {
        v1::ModelDelta { text: text.into(), ..v1::ModelDelta::default() }
    }

    fn delta_text(delta: &v1::ModelDelta) -> String {
        delta.text.clone()
    }

    fn answered(answer: v1::WrapModelCallAnswer) -> Option<String> {
        answer.response.map(|response| response.id)
    }

    fn frame(frame: v1::WrapModelCallResponse) -> Frame {
        use v1::wrap_model_call_response::Frame as Of;
        match frame.frame.unwrap() {
            Of::Next(next_call) => next(
                next_call.invocation,
                next_call.call.as_ref().map(|call| call.model.clone()),
                next_call.relay(),
                next_call.answer_needed,
                false,
            ),
            Of::Emit(emit) => Frame::Emit(emit.delta.unwrap().text),
            other => panic!("{other:?} is none of the chain's frames"),
        }
    }
}

impl Texts for WrapToolCall {
    fn call(text: &str, approved: bool) -> v1::ToolInvocation {
        let schema = r#"{"type":"object","properties":{"id":{"type":"string"}}}"#;
        v1::ToolInvocation {
            tool_call: Some(v1::ToolCall {
                id: "c1".into(),
                name: "refund".into(),
                arguments_json: text.into(),
                ..v1::ToolCall::default()
            }),
            args_json: text.into(),
            approved,
            tool: Some(v1::ToolDefinition {
                name: "refund".into(),
                parameters_json: schema.into(),
                ..v1::ToolDefinition::default()
            }),
        }
    }

    fn call_text(call: &mut v1::ToolInvocation) -> &mut String {
        &mut call.tool_call.as_mut().unwrap().arguments_json
    }

    fn result(text: &str) -> v1::ToolResult {
        v1::ToolResult {
            output: Some(v1::tool_result::Output::Text(text.into())),
            ..v1::ToolResult::default()
        }
    }

    fn result_text(result: &v1::ToolResult) -> String {
        match (&result.error, &result.output) {
            (Some(error), _) => format!("error: {error}"),
            (None, Some(v1::tool_result::Output::Text(text))) => text.clone(),
            (None, other) => panic!("{other:?} is no text"),
        }
    }

    fn delta(text: &str) -> v1::ToolDelta {
        v1::ToolDelta { text: text.into(), ..v1::ToolDelta::default() }
    }

    fn delta_text(delta: &v1::ToolDelta) -> String {
        delta.text.clone()
    }

    fn answered(answer: v1::WrapToolCallAnswer) -> Option<String> {
        answer.result.as_ref().map(Self::result_text)
    }

    fn frame(frame: v1::WrapToolCallResponse) -> Frame {
        use v1::wrap_tool_call_response::Frame as Of;
        match frame.frame.unwrap() {
            Of::Next(next_call) => next(
                next_call.invocation,
                next_call.call.as_ref().map(|call| {
                    assert_eq!(call.args_json, call.tool_call.as_ref().unwrap().arguments_json);
                    let approved = if call.approved { " approved" } else { "" };
                    format!("{}{approved}", call.args_json)
                }),
                next_call.relay(),
                next_call.answer_needed,
                next_call.approval_needed,
            ),
            Of::Emit(emit) => Frame::Emit(emit.delta.unwrap().text),
            other => panic!("{other:?} is none of the chain's frames"),
        }
    }
}

impl Texts for Wrap {
    fn call(text: &str, _: bool) -> v1::ChatRequest {
        v1::ChatRequest { model: text.into(), ..v1::ChatRequest::default() }
    }

    fn call_text(call: &mut v1::ChatRequest) -> &mut String {
        &mut call.model
    }

    fn result(text: &str) -> v1::CallResult {
        v1::CallResult { value_json: text.into(), ..v1::CallResult::default() }
    }

    fn result_text(result: &v1::CallResult) -> String {
        result.value_json.clone()
    }

    fn delta(text: &str) -> v1::CallDelta {
        v1::CallDelta { text: text.into(), ..v1::CallDelta::default() }
    }

    fn delta_text(delta: &v1::CallDelta) -> String {
        delta.text.clone()
    }

    fn answered(answer: v1::WrapAnswer) -> Option<String> {
        answer.value_json
    }

    fn frame(frame: v1::WrapResponse) -> Frame {
        use v1::wrap_response::Frame as Of;
        match frame.frame.unwrap() {
            Of::Next(call) => next(call.invocation, None, call.relay(), call.answer_needed, false),
            Of::Emit(emit) => Frame::Emit(emit.delta.unwrap().text),
            other => panic!("{other:?} is none of the chain's frames"),
        }
    }
}
