//! `Wrap`: one logical call of an LLM client, with its retries and fallbacks.

use super::{
    CallFailure, Deltas, Wrapped,
    driver::{Output, drive},
    frames::{Approval, Frame, Next, Wrapping},
    session::Invocation,
};
use crate::{
    HookError, Run,
    hook::{Hook, WRAP},
};
use sidehook_proto::v1::{
    CallDelta, CallEnd, CallResult, ChatRequest, HookContext, PreDispatch, WrapAnswer,
    WrapFinished, WrapOpen, WrapRequest, WrapResponse, wrap_request as sent,
    wrap_response as received,
};
use std::future::Future;

/// One logical call of an LLM client. A middleware cannot change it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LogicalCall {
    /// The request.
    pub request: ChatRequest,
    /// What is known before a target is chosen.
    pub dispatch: Option<PreDispatch>,
}

impl Run {
    /// Wraps one logical call, once, also over a cache hit or a joined call. The run's
    /// `request_id` ties it to the `transform` of each attempt.
    ///
    /// `make` makes the real call, as for [`wrap_model_call`](Self::wrap_model_call).
    ///
    /// # Errors
    ///
    /// See [`HookError`]. A failure whose `middleware` is empty is the call's own, with its type.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future cancels the call and the real calls that run.
    pub async fn wrap<F, Fut>(
        &self,
        call: LogicalCall,
        mut make: F,
    ) -> Result<Wrapped<CallResult>, HookError>
    where
        F: FnMut(LogicalCall) -> Fut,
        Fut: Future<Output = Result<CallResult, CallFailure>>,
    {
        let make = |invocation: Invocation<LogicalCalls>| make(invocation.call);
        drive::<LogicalCalls, _, _, _>(self, call, Output::Whole, make, |_| {}).await
    }

    /// Wraps one logical call whose result is streamed to somebody, as
    /// [`wrap_model_call_streaming`](Self::wrap_model_call_streaming) does for a model's answer.
    /// A result that is shown in one piece is shown as it is when it is a string, else as JSON.
    ///
    /// # Errors
    ///
    /// As for [`wrap`](Self::wrap).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future cancels the call and the real calls that run.
    pub async fn wrap_streaming<F, Fut, S>(
        &self,
        call: LogicalCall,
        mut make: F,
        show: S,
    ) -> Result<Wrapped<CallResult>, HookError>
    where
        F: FnMut(LogicalCall, Deltas<CallDelta>) -> Fut,
        Fut: Future<Output = Result<CallResult, CallFailure>>,
        S: FnMut(CallDelta),
    {
        let make = |invocation: Invocation<LogicalCalls>| make(invocation.call, invocation.deltas);
        drive::<LogicalCalls, _, _, _>(self, call, Output::Streamed, make, show).await
    }
}

/// The frames of `Wrap`.
struct LogicalCalls;

impl Wrapping for LogicalCalls {
    const HOOK: Hook = WRAP;
    type Call = LogicalCall;
    type Output = CallResult;
    type Delta = CallDelta;
    type Sent = WrapRequest;
    type Received = WrapResponse;
    type Finished = WrapFinished;

    fn open(context: HookContext, call: LogicalCall, streaming: bool) -> Self::Sent {
        let LogicalCall { request, dispatch } = call;
        let open = WrapOpen { context: Some(context), request: Some(request), dispatch, streaming };
        WrapRequest { frame: Some(sent::Frame::Open(open)) }
    }

    fn end(invocation: i32, result: Option<CallResult>) -> Self::Sent {
        WrapRequest { frame: Some(sent::Frame::End(CallEnd { invocation, result })) }
    }

    fn failed(invocation: i32, failure: CallFailure) -> Self::Sent {
        WrapRequest { frame: Some(sent::Frame::Failed(failure.into_frame(invocation))) }
    }

    fn read(frame: WrapResponse) -> Option<Frame<Self>> {
        Some(match frame.frame? {
            received::Frame::Next(next) => Frame::Next(Next {
                invocation: next.invocation,
                call: None,
                relay: next.relay(),
                answer_needed: next.answer_needed,
                approval: Approval::AsOpened,
            }),
            received::Frame::Emit(emit) => Frame::Emit(emit.delta),
            received::Frame::KeepAlive(_) => Frame::KeepAlive,
            received::Frame::Finished(mut finished) => {
                let answered_by = finished.answered_by.take().unwrap_or_default();
                Frame::Finished(finished, answered_by)
            }
        })
    }

    fn settle(answer: WrapAnswer, own: Option<CallResult>) -> Option<CallResult> {
        match answer.value_json {
            Some(value_json) => Some(CallResult { value_json, meta: answer.meta }),
            None => own.map(|own| CallResult { meta: answer.meta.or(own.meta), ..own }),
        }
    }

    fn whole(result: &CallResult) -> CallDelta {
        let string = serde_json::from_str(&result.value_json);
        let text = string.unwrap_or_else(|_| result.value_json.clone());
        CallDelta { text, ..CallDelta::default() }
    }
}
