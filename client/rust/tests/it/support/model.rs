//! The sidecar's side of a `WrapModelCall`.

use super::Call;
use sidehook_client::v1::{
    AnsweredBy, CallFailed, ChatResponse, KeepAlive, ModelCall, ModelDelta, ModelEnd, Relay,
    WrapModelCallAnswer, WrapModelCallEmit, WrapModelCallFinished, WrapModelCallNext,
    WrapModelCallOpen, WrapModelCallRequest, WrapModelCallResponse, chat_response::Content,
    wrap_model_call_finished::Outcome, wrap_model_call_request as received,
    wrap_model_call_response::Frame,
};

/// A `WrapModelCall` as the sidecar sees it.
pub(crate) struct Model {
    pub(crate) call: Call,
    pub(crate) open: WrapModelCallOpen,
}

impl Model {
    /// Takes the opening frame.
    pub(crate) async fn open(mut call: Call) -> Self {
        match call.read::<WrapModelCallRequest>().await.frame {
            Some(received::Frame::Open(open)) => Self { call, open },
            other => panic!("expected `open`, got {other:?}"),
        }
    }

    pub(crate) fn next(&self, next: WrapModelCallNext) {
        self.send(Frame::Next(next));
    }

    pub(crate) fn emit(&self, text: &str) {
        self.send(Frame::Emit(WrapModelCallEmit { delta: Some(delta(0, 0, text)) }));
    }

    pub(crate) fn keep_alive(&self) {
        self.send(Frame::KeepAlive(KeepAlive {}));
    }

    pub(crate) async fn frame(&mut self) -> received::Frame {
        self.call.read::<WrapModelCallRequest>().await.frame.expect("a frame")
    }

    pub(crate) async fn end(&mut self) -> ModelEnd {
        match self.frame().await {
            received::Frame::End(end) => end,
            other => panic!("expected `end`, got {other:?}"),
        }
    }

    pub(crate) async fn failed(&mut self) -> CallFailed {
        match self.frame().await {
            received::Frame::Failed(failed) => failed,
            other => panic!("expected `failed`, got {other:?}"),
        }
    }

    /// Finishes with the response of an invocation as it came.
    pub(crate) async fn finish_as_came(self, invocation: i32) {
        self.finish(Outcome::Answer(WrapModelCallAnswer::default()), invocation).await;
    }

    /// Finishes with a response of the chain's own.
    pub(crate) async fn finish_with(self, response: ChatResponse) {
        let answer = WrapModelCallAnswer { response: Some(response) };
        self.finish(Outcome::Answer(answer), 0).await;
    }

    /// Finishes, and reads on until the caller half-closes.
    pub(crate) async fn finish(mut self, outcome: Outcome, invocation: i32) {
        self.send(Frame::Finished(WrapModelCallFinished {
            outcome: Some(outcome),
            answered_by: Some(AnsweredBy { invocation, middleware: String::new() }),
            ..WrapModelCallFinished::default()
        }));
        while let Ok(Some(_)) = self.call.try_read::<WrapModelCallRequest>().await {}
    }

    pub(crate) fn send(&self, frame: Frame) {
        self.call.send(&WrapModelCallResponse { frame: Some(frame) });
    }
}

/// Asks for the call as it was opened.
pub(crate) fn next(invocation: i32, relay: Relay) -> WrapModelCallNext {
    WrapModelCallNext { invocation, call: None, relay: relay.into(), answer_needed: true }
}

pub(crate) fn delta(invocation: i32, sequence: i64, text: &str) -> ModelDelta {
    ModelDelta { invocation, sequence, text: text.into(), ..ModelDelta::default() }
}

pub(crate) fn text(text: &str) -> ChatResponse {
    ChatResponse { content: Some(Content::Text(text.into())), ..ChatResponse::default() }
}

pub(crate) fn model_call(model: &str) -> ModelCall {
    ModelCall { model: model.into(), request: None }
}
