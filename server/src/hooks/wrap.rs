//! `Wrap`: wraps one logical call of an LLM client.
//!
//! - **Fires** exactly once a logical call, around its retries and fallbacks,
//!   also over a cache hit or a joined call.
//! - **Sees** the request, the primary target, and the result with its meta.
//! - **Answers** the result; a link that never calls `next` answers itself, and
//!   the links inside it never run.
//! - **Rule** onion: links nest, the first outermost.
//! - **Veto** does not exist.
//! - **Faults** before `next` succeeded end the call with a failure, unless the
//!   link says otherwise; after it they are logged, and the original result is
//!   returned.
//! - **Limits** the request cannot be changed; the caller's deadline bounds the
//!   whole.
//! - **Source** document 001, "wrap" and "Error handling".

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
use v1::{wrap_request as request, wrap_response as response};

/// Wraps one logical call.
#[derive(Debug)]
pub struct Wrap;

impl Wrapped for Wrap {
    const ID: HookId = HookId::Wrap;
    const STAGE: &'static str = "pre-dispatch";
    const KEEPS_RESULT: bool = true;
    const CALL: &'static str = "request";
    const RESULT: &'static str = "value_json";

    type Request = v1::WrapRequest;
    type Response = v1::WrapResponse;
    type Open = v1::WrapOpen;
    type Call = v1::ChatRequest;
    type Delta = v1::CallDelta;
    type Result = v1::CallResult;
    type Finished = v1::WrapFinished;

    fn read(request: Self::Request) -> Result<Incoming<Self>, InvalidField> {
        request.validate()?;
        let frame = request.frame.ok_or_else(|| InvalidField::new("frame", "is required"))?;
        Ok(match frame {
            request::Frame::Open(open) => Incoming::Open(open),
            request::Frame::Delta(delta) => Incoming::Delta {
                invocation: delta.invocation,
                sequence: delta.sequence,
                delta: v1::CallDelta { invocation: 0, sequence: 0, ..delta },
            },
            request::Frame::End(end) => {
                Incoming::End { invocation: end.invocation, result: end.result }
            }
            request::Frame::Failed(failed) => Incoming::Failed(failed),
        })
    }

    fn opened(open: Self::Open) -> Opened<Self::Call> {
        let dispatch = open.dispatch.unwrap_or_default();
        Opened {
            context: open.context.unwrap_or_default(),
            call: Arc::new(open.request.unwrap_or_default()),
            streaming: open.streaming,
            variables: vec![
                ("primary_provider", dispatch.primary_provider.into()),
                ("primary_model", dispatch.primary_model.into()),
            ],
        }
    }

    fn next(next: NextCall<'_, Self::Call>) -> Self::Response {
        frame(response::Frame::Next(v1::WrapNext {
            invocation: next.invocation,
            relay: next.relay.into(),
            answer_needed: next.answer_needed,
        }))
    }

    fn emit(delta: Self::Delta) -> Self::Response {
        frame(response::Frame::Emit(v1::WrapEmit { delta: Some(delta) }))
    }

    fn keep_alive() -> Self::Response {
        frame(response::Frame::KeepAlive(v1::KeepAlive {}))
    }

    fn finish(finished: Self::Finished, by: v1::AnsweredBy) -> Self::Response {
        frame(response::Frame::Finished(v1::WrapFinished { answered_by: Some(by), ..finished }))
    }

    fn answer(result: Option<Self::Result>) -> v1::WrapAnswer {
        match result {
            Some(result) => {
                v1::WrapAnswer { value_json: Some(result.value_json), meta: result.meta }
            }
            None => v1::WrapAnswer::default(),
        }
    }

    fn wrap<'a>(
        middleware: &'a dyn Middleware,
        context: &'a Context<'a>,
        call: Arc<Self::Call>,
        next: &'a Next<'a, Self>,
    ) -> Wrapping<'a, Self::Result> {
        middleware.wrap(context, call, next)
    }

    fn hand_on(
        got: &Arc<Self::Call>,
        handed: Arc<Self::Call>,
    ) -> Result<HandedOn<Self::Call, Self::Result>, String> {
        if Arc::ptr_eq(got, &handed) || *got == handed {
            return Ok(HandedOn::Call(Arc::clone(got)));
        }
        Err("changed the request, which only a transform can".into())
    }
}

fn frame(frame: response::Frame) -> v1::WrapResponse {
    v1::WrapResponse { frame: Some(frame) }
}
