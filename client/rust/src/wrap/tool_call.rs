//! `WrapToolCall`: one tool call that passed approval.

use super::{
    CallFailure, Deltas, Wrapped,
    driver::{Output, drive},
    frames::{Approval, Frame, Next, Wrapping},
    session::Invocation,
};
use crate::{
    HookError, Run,
    hook::{Hook, WRAP_TOOL_CALL},
};
use sidehook_proto::v1::{
    HookContext, ToolDelta, ToolEnd, ToolInvocation, ToolResult, WrapToolCallAnswer,
    WrapToolCallFinished, WrapToolCallOpen, WrapToolCallRequest, WrapToolCallResponse,
    content_part::Kind, tool_result, wrap_tool_call_request as sent,
    wrap_tool_call_response as received,
};
use std::future::Future;

impl Run {
    /// Wraps one tool call that passed approval.
    ///
    /// `make` makes the real call, as for [`wrap_model_call`](Self::wrap_model_call). With
    /// [`Approval::Needed`] it must ask for an approval first: the arguments are no longer those
    /// that were approved. A tool that fails returns its error in the result; a
    /// [`CallFailure`] means that the call could not be made.
    ///
    /// # Errors
    ///
    /// See [`HookError`]. A failure whose `middleware` is empty is the tool's own.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future cancels the call and the real calls that run.
    pub async fn wrap_tool_call<F, Fut>(
        &self,
        call: ToolInvocation,
        mut make: F,
    ) -> Result<Wrapped<ToolResult>, HookError>
    where
        F: FnMut(ToolInvocation, Approval) -> Fut,
        Fut: Future<Output = Result<ToolResult, CallFailure>>,
    {
        let make = |made: Invocation<ToolCalls>| make(made.call, made.approval);
        drive::<ToolCalls, _, _, _>(self, call, Output::Whole, make, |_| {}).await
    }

    /// Wraps one tool call whose output is streamed to somebody, as
    /// [`wrap_model_call_streaming`](Self::wrap_model_call_streaming) does for a model's.
    ///
    /// # Errors
    ///
    /// As for [`wrap_tool_call`](Self::wrap_tool_call).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future cancels the call and the real calls that run.
    pub async fn wrap_tool_call_streaming<F, Fut, S>(
        &self,
        call: ToolInvocation,
        mut make: F,
        show: S,
    ) -> Result<Wrapped<ToolResult>, HookError>
    where
        F: FnMut(ToolInvocation, Approval, Deltas<ToolDelta>) -> Fut,
        Fut: Future<Output = Result<ToolResult, CallFailure>>,
        S: FnMut(ToolDelta),
    {
        let make = |made: Invocation<ToolCalls>| make(made.call, made.approval, made.deltas);
        drive::<ToolCalls, _, _, _>(self, call, Output::Streamed, make, show).await
    }
}

/// The frames of `WrapToolCall`.
struct ToolCalls;

impl Wrapping for ToolCalls {
    const HOOK: Hook = WRAP_TOOL_CALL;
    type Call = ToolInvocation;
    type Output = ToolResult;
    type Delta = ToolDelta;
    type Sent = WrapToolCallRequest;
    type Received = WrapToolCallResponse;
    type Finished = WrapToolCallFinished;

    fn open(context: HookContext, call: ToolInvocation, streaming: bool) -> Self::Sent {
        let open = WrapToolCallOpen { context: Some(context), call: Some(call), streaming };
        WrapToolCallRequest { frame: Some(sent::Frame::Open(open)) }
    }

    fn end(invocation: i32, result: Option<ToolResult>) -> Self::Sent {
        let end = ToolEnd { invocation, result };
        WrapToolCallRequest { frame: Some(sent::Frame::End(end)) }
    }

    fn failed(invocation: i32, failure: CallFailure) -> Self::Sent {
        let failed = failure.into_frame(invocation);
        WrapToolCallRequest { frame: Some(sent::Frame::Failed(failed)) }
    }

    fn read(frame: WrapToolCallResponse) -> Option<Frame<Self>> {
        Some(match frame.frame? {
            received::Frame::Next(next) => Frame::Next(Next {
                invocation: next.invocation,
                relay: next.relay(),
                call: next.call,
                answer_needed: next.answer_needed,
                approval: match next.approval_needed {
                    true => Approval::Needed,
                    false => Approval::AsOpened,
                },
            }),
            received::Frame::Emit(emit) => Frame::Emit(emit.delta),
            received::Frame::KeepAlive(_) => Frame::KeepAlive,
            received::Frame::Finished(mut finished) => {
                let answered_by = finished.answered_by.take().unwrap_or_default();
                Frame::Finished(finished, answered_by)
            }
        })
    }

    fn settle(answer: WrapToolCallAnswer, own: Option<ToolResult>) -> Option<ToolResult> {
        answer.result.or(own)
    }

    fn whole(result: &ToolResult) -> ToolDelta {
        let text = match &result.output {
            Some(tool_result::Output::Text(text) | tool_result::Output::ResultJson(text)) => {
                text.clone()
            }
            Some(tool_result::Output::Parts(parts)) => {
                let texts = parts.parts.iter().filter_map(|part| match &part.kind {
                    Some(Kind::Text(text)) => Some(text.as_str()),
                    Some(
                        Kind::Reasoning(_)
                        | Kind::Image(_)
                        | Kind::Audio(_)
                        | Kind::File(_)
                        | Kind::OtherJson(_),
                    )
                    | None => None,
                });
                texts.collect()
            }
            None => String::new(),
        };
        ToolDelta { text, ..ToolDelta::default() }
    }
}
