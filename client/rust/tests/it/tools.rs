//! Wrapped tool calls, and the logical calls of an LLM client.

use crate::support::{Call, Sidecar};
use sidehook_client::{
    Approval, Deltas, LogicalCall,
    v1::{
        AnsweredBy, CallDelta, CallMeta, CallResult, Relay, ToolCall, ToolDelta, ToolInvocation,
        ToolResult, WrapAnswer, WrapFinished, WrapNext, WrapRequest, WrapResponse,
        WrapToolCallAnswer, WrapToolCallFinished, WrapToolCallNext, WrapToolCallRequest,
        WrapToolCallResponse, tool_result::Output, wrap_finished, wrap_request, wrap_response,
        wrap_tool_call_finished, wrap_tool_call_request, wrap_tool_call_response,
    },
};

fn invocation(arguments: &str) -> ToolInvocation {
    let tool_call = ToolCall { arguments_json: arguments.into(), ..ToolCall::default() };
    ToolInvocation { tool_call: Some(tool_call), ..ToolInvocation::default() }
}

fn result(text: &str) -> ToolResult {
    ToolResult { output: Some(Output::Text(text.into())), ..ToolResult::default() }
}

/// Makes the tool call with other arguments, held, and gives what came of it.
async fn rewrite_arguments(mut call: Call) {
    let _: WrapToolCallRequest = call.read().await;
    let next = WrapToolCallNext {
        invocation: 1,
        call: Some(invocation(r#"{"id":9007199254740993}"#)),
        relay: Relay::Held.into(),
        answer_needed: true,
        approval_needed: true,
    };
    call.send(&WrapToolCallResponse { frame: Some(wrap_tool_call_response::Frame::Next(next)) });
    let frame = call.read::<WrapToolCallRequest>().await.frame;
    let Some(wrap_tool_call_request::Frame::End(end)) = frame else { panic!("{frame:?}") };
    assert_eq!(end.result, Some(result(r#"ran {"id":9007199254740993}"#)));
    let answer = WrapToolCallAnswer::default();
    let finished = WrapToolCallFinished {
        outcome: Some(wrap_tool_call_finished::Outcome::Answer(answer)),
        answered_by: Some(AnsweredBy { invocation: 1, middleware: String::new() }),
        ..WrapToolCallFinished::default()
    };
    let frame = Some(wrap_tool_call_response::Frame::Finished(finished));
    call.send(&WrapToolCallResponse { frame });
    while let Ok(Some(_)) = call.try_read::<WrapToolCallRequest>().await {}
}

#[tokio::test]
async fn a_tool_is_told_that_new_arguments_need_an_approval() {
    let sidecar = Sidecar::new(rewrite_arguments);
    let make = |call: ToolInvocation, approval: Approval| async move {
        assert_eq!(approval, Approval::Needed);
        Ok(result(&format!("ran {}", call.tool_call.unwrap().arguments_json)))
    };
    let wrapped = sidecar.run().wrap_tool_call(invocation("{}"), make).await.unwrap();
    assert_eq!(wrapped.output, result(r#"ran {"id":9007199254740993}"#));
}

#[tokio::test]
async fn a_tools_held_output_is_shown_at_the_end() {
    let sidecar = Sidecar::new(rewrite_arguments);
    let make = |call: ToolInvocation, _, mut deltas: Deltas<ToolDelta>| async move {
        deltas.put_text("ran ").await;
        Ok(result(&format!("ran {}", call.tool_call.unwrap().arguments_json)))
    };
    let mut shown = Vec::new();
    let show = |piece: ToolDelta| shown.push(piece.text);
    let run = sidecar.run();
    let _ = run.wrap_tool_call_streaming(invocation("{}"), make, show).await.unwrap();
    assert_eq!(shown, [r#"ran {"id":9007199254740993}"#]);
}

/// Makes the logical call once, direct, and answers with `value_json`.
fn logical(value_json: Option<&'static str>) -> Sidecar {
    Sidecar::new(move |mut call: Call| async move {
        let _: WrapRequest = call.read().await;
        let next = WrapNext { invocation: 1, relay: Relay::Held.into(), answer_needed: true };
        call.send(&WrapResponse { frame: Some(wrap_response::Frame::Next(next)) });
        let frame = call.read::<WrapRequest>().await.frame;
        let Some(wrap_request::Frame::End(_)) = frame else { panic!("{frame:?}") };
        let answer = WrapAnswer { value_json: value_json.map(Into::into), meta: None };
        let finished = WrapFinished {
            outcome: Some(wrap_finished::Outcome::Answer(answer)),
            answered_by: Some(AnsweredBy { invocation: 1, middleware: String::new() }),
            ..WrapFinished::default()
        };
        call.send(&WrapResponse { frame: Some(wrap_response::Frame::Finished(finished)) });
        while let Ok(Some(_)) = call.try_read::<WrapRequest>().await {}
    })
}

fn own() -> CallResult {
    let meta = Some(CallMeta { attempt_count: 2, ..CallMeta::default() });
    CallResult { value_json: r#""own""#.into(), meta }
}

#[tokio::test]
async fn a_logical_calls_result_comes_back_as_it_came_with_its_meta() {
    let make = |_| async { Ok(own()) };
    let wrapped = logical(None).run().wrap(LogicalCall::default(), make).await.unwrap();
    assert_eq!(wrapped.output, own());
}

#[tokio::test]
async fn a_middlewares_value_has_no_meta_and_its_text_is_shown() {
    let sidecar = logical(Some(r#""theirs""#));
    let make = |_, _: Deltas<CallDelta>| async { Ok(own()) };
    let mut shown = String::new();
    let show = |piece: CallDelta| shown.push_str(&piece.text);
    let run = sidecar.run();
    let wrapped = run.wrap_streaming(LogicalCall::default(), make, show).await.unwrap();
    let theirs = CallResult { value_json: r#""theirs""#.into(), meta: None };
    assert_eq!((wrapped.output, shown.as_str()), (theirs, "theirs"));
}
