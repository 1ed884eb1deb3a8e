//! `WrapModelCall`: wraps one call to one model.
//!
//! - **Fires** around each call, once per model that a turn tries.
//! - **Sees** the model and the request as its backend gets it, and the answer.
//! - **Answers** the response; calls the model never, once, or again.
//! - **Rule** onion: links nest, the first outermost; `pii` is the innermost.
//! - **Veto** does not exist.
//! - **Faults** end the call with a failure, unless the link says otherwise. A
//!   provider's error keeps its type.
//! - **Limits** the caller's deadline bounds the whole; a link's own work between
//!   frames is bounded by its timeout.
//! - **Source** document 000, "wrapModelCall".

use super::{
    HookId, Wrapped,
    wrapped::{HandedOn, Incoming, NextCall, Opened, Wrapping},
};
use crate::{
    engine::{Context, Next},
    middleware::Middleware,
};
use sidehook_proto::{InvalidField, Validate, v1};
use std::sync::Arc;
use v1::{wrap_model_call_request as request, wrap_model_call_response as response};

/// Wraps one call to one model.
#[derive(Debug)]
pub struct WrapModelCall;

impl Wrapped for WrapModelCall {
    const ID: HookId = HookId::WrapModelCall;
    const CALL: &'static str = "call";
    const RESULT: &'static str = "response";

    type Request = v1::WrapModelCallRequest;
    type Response = v1::WrapModelCallResponse;
    type Open = v1::WrapModelCallOpen;
    type Call = v1::ModelCall;
    type Delta = v1::ModelDelta;
    type Result = v1::ChatResponse;
    type Finished = v1::WrapModelCallFinished;

    fn read(request: Self::Request) -> Result<Incoming<Self>, InvalidField> {
        request.validate()?;
        let frame = request.frame.ok_or_else(|| InvalidField::new("frame", "is required"))?;
        Ok(match frame {
            request::Frame::Open(open) => Incoming::Open(open),
            request::Frame::Delta(delta) => Incoming::Delta {
                invocation: delta.invocation,
                sequence: delta.sequence,
                delta: v1::ModelDelta { invocation: 0, sequence: 0, ..delta },
            },
            request::Frame::End(end) => {
                Incoming::End { invocation: end.invocation, result: end.response }
            }
            request::Frame::Failed(failed) => Incoming::Failed(failed),
        })
    }

    fn opened(open: Self::Open) -> Opened<Self::Call> {
        Opened {
            context: open.context.unwrap_or_default(),
            call: Arc::new(open.call.unwrap_or_default()),
            streaming: open.streaming,
            variables: Vec::new(),
        }
    }

    fn next(next: NextCall<'_, Self::Call>) -> Self::Response {
        frame(response::Frame::Next(v1::WrapModelCallNext {
            invocation: next.invocation,
            call: next.call.cloned(),
            relay: next.relay.into(),
            answer_needed: next.answer_needed,
        }))
    }

    fn emit(delta: Self::Delta) -> Self::Response {
        frame(response::Frame::Emit(v1::WrapModelCallEmit { delta: Some(delta) }))
    }

    fn keep_alive() -> Self::Response {
        frame(response::Frame::KeepAlive(v1::KeepAlive {}))
    }

    fn finish(finished: Self::Finished, by: v1::AnsweredBy) -> Self::Response {
        frame(response::Frame::Finished(v1::WrapModelCallFinished {
            answered_by: Some(by),
            ..finished
        }))
    }

    fn answer(result: Option<Self::Result>) -> v1::WrapModelCallAnswer {
        v1::WrapModelCallAnswer { response: result }
    }

    fn wrap<'a>(
        middleware: &'a dyn Middleware,
        context: &'a Context<'a>,
        call: Arc<Self::Call>,
        next: &'a Next<'a, Self>,
    ) -> Wrapping<'a, Self::Result> {
        middleware.wrap_model_call(context, call, next)
    }

    fn hand_on(
        got: &Arc<Self::Call>,
        handed: Arc<Self::Call>,
    ) -> Result<HandedOn<Self::Call, Self::Result>, String> {
        if Arc::ptr_eq(got, &handed) || *got == handed {
            return Ok(HandedOn::Call(Arc::clone(got)));
        }
        Ok(HandedOn::Call(handed))
    }
}

fn frame(frame: response::Frame) -> v1::WrapModelCallResponse {
    v1::WrapModelCallResponse { frame: Some(frame) }
}
