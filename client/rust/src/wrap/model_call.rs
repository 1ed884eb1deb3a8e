//! `WrapModelCall`: one call to one model.

use super::{
    CallFailure, Deltas, Wrapped,
    driver::{Output, drive},
    frames::{Approval, Frame, Next, Wrapping},
    session::Invocation,
};
use crate::{
    HookError, Run,
    hook::{Hook, WRAP_MODEL_CALL},
};
use sidehook_proto::v1::{
    ChatResponse, ContentPart, HookContext, ModelCall, ModelDelta, ModelEnd, WrapModelCallAnswer,
    WrapModelCallFinished, WrapModelCallOpen, WrapModelCallRequest, WrapModelCallResponse,
    chat_response::Content, content_part::Kind, wrap_model_call_request as sent,
    wrap_model_call_response as received,
};
use std::future::Future;

impl Run {
    /// Wraps one call to one model; call it for each model that a turn tries.
    ///
    /// `make` makes the real call. It may be asked never, once, or again, also while an earlier
    /// call still runs; a call whose result is no longer wanted is dropped.
    ///
    /// ```no_run
    /// # use sidehook_client::{CallFailure, Run, v1::{ChatResponse, ModelCall}};
    /// # async fn ask_model(_: ModelCall) -> Result<ChatResponse, CallFailure> { todo!() }
    /// # async fn f(run: Run, call: ModelCall) -> Result<(), sidehook_client::HookError> {
    /// let wrapped = run.wrap_model_call(call, |call| async { ask_model(call).await }).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// See [`HookError`]. A failure whose `middleware` is empty is the model's own, with its type.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future cancels the call and the real calls that run.
    pub async fn wrap_model_call<F, Fut>(
        &self,
        call: ModelCall,
        mut make: F,
    ) -> Result<Wrapped<ChatResponse>, HookError>
    where
        F: FnMut(ModelCall) -> Fut,
        Fut: Future<Output = Result<ChatResponse, CallFailure>>,
    {
        let make = |invocation: Invocation<ModelCalls>| make(invocation.call);
        drive::<ModelCalls, _, _, _>(self, call, Output::Whole, make, |_| {}).await
    }

    /// Wraps one call to one model whose answer is streamed to somebody.
    ///
    /// `make` puts every piece into its [`Deltas`] and returns the whole answer as well. `show`
    /// gets what may be shown, in order: at once, after the chain has seen it, or the whole
    /// answer in one piece at the end, as the chain needs it.
    ///
    /// ```no_run
    /// # use sidehook_client::{CallFailure, Deltas, Run, v1::{ChatResponse, ModelCall, ModelDelta}};
    /// # async fn f(run: Run, call: ModelCall) -> Result<(), sidehook_client::HookError> {
    /// let make = |call: ModelCall, mut deltas: Deltas<ModelDelta>| async move {
    ///     deltas.put_text("Hel").await;
    ///     deltas.put_text("lo").await;
    ///     # let _ = call;
    ///     Ok(ChatResponse::default())
    /// };
    /// let mut screen = String::new();
    /// let wrapped = run
    ///     .wrap_model_call_streaming(call, make, |piece| screen.push_str(&piece.text))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`wrap_model_call`](Self::wrap_model_call).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future cancels the call and the real calls that run.
    pub async fn wrap_model_call_streaming<F, Fut, S>(
        &self,
        call: ModelCall,
        mut make: F,
        show: S,
    ) -> Result<Wrapped<ChatResponse>, HookError>
    where
        F: FnMut(ModelCall, Deltas<ModelDelta>) -> Fut,
        Fut: Future<Output = Result<ChatResponse, CallFailure>>,
        S: FnMut(ModelDelta),
    {
        let make = |invocation: Invocation<ModelCalls>| make(invocation.call, invocation.deltas);
        drive::<ModelCalls, _, _, _>(self, call, Output::Streamed, make, show).await
    }
}

/// The frames of `WrapModelCall`.
struct ModelCalls;

impl Wrapping for ModelCalls {
    const HOOK: Hook = WRAP_MODEL_CALL;
    type Call = ModelCall;
    type Output = ChatResponse;
    type Delta = ModelDelta;
    type Sent = WrapModelCallRequest;
    type Received = WrapModelCallResponse;
    type Finished = WrapModelCallFinished;

    fn open(context: HookContext, call: ModelCall, streaming: bool) -> Self::Sent {
        let open = WrapModelCallOpen { context: Some(context), call: Some(call), streaming };
        WrapModelCallRequest { frame: Some(sent::Frame::Open(open)) }
    }

    fn end(invocation: i32, response: Option<ChatResponse>) -> Self::Sent {
        let end = ModelEnd { invocation, response };
        WrapModelCallRequest { frame: Some(sent::Frame::End(end)) }
    }

    fn failed(invocation: i32, failure: CallFailure) -> Self::Sent {
        let failed = failure.into_frame(invocation);
        WrapModelCallRequest { frame: Some(sent::Frame::Failed(failed)) }
    }

    fn read(frame: WrapModelCallResponse) -> Option<Frame<Self>> {
        Some(match frame.frame? {
            received::Frame::Next(next) => Frame::Next(Next {
                invocation: next.invocation,
                relay: next.relay(),
                call: next.call,
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

    fn settle(answer: WrapModelCallAnswer, own: Option<ChatResponse>) -> Option<ChatResponse> {
        answer.response.or(own)
    }

    fn whole(response: &ChatResponse) -> ModelDelta {
        let mut whole = ModelDelta::default();
        match &response.content {
            Some(Content::Text(text)) => whole.text.clone_from(text),
            Some(Content::Parts(parts)) => {
                for ContentPart { kind, .. } in &parts.parts {
                    match kind {
                        Some(Kind::Text(text)) => whole.text.push_str(text),
                        Some(Kind::Reasoning(text)) => whole.reasoning.push_str(text),
                        Some(
                            Kind::Image(_) | Kind::Audio(_) | Kind::File(_) | Kind::OtherJson(_),
                        )
                        | None => {}
                    }
                }
            }
            None => {}
        }
        whole
    }
}
