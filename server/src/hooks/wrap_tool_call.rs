//! `WrapToolCall`: wraps one tool call that passed approval.
//!
//! - **Fires** around each tool call that passed approval.
//! - **Sees** the call as the model made it, its parsed arguments, whether a
//!   person approved it, and the result.
//! - **Answers** the result; calls the tool never, once, or again.
//! - **Rule** onion: links nest, the first outermost.
//! - **Veto** does not exist.
//! - **Faults** end the call with a failure, unless the link says otherwise.
//! - **Limits** the tool, the call's id and name, and `approved` cannot be
//!   changed. New arguments lose the approval; if they do not fit the tool's
//!   schema, the link gets a result that says so, and the tool does not run.
//! - **Source** document 000, "wrapToolCall".

use super::{
    HookId, Wrapped, tool_schema,
    wrapped::{HandedOn, Incoming, NextCall, Opened, Wrapping},
};
use crate::{
    engine::{Context, Next},
    middleware::Middleware,
};
use sidehook_proto::{InvalidField, Validate, v1};
use std::sync::Arc;
use v1::{wrap_tool_call_request as request, wrap_tool_call_response as response};

/// Wraps one tool call that passed approval.
#[derive(Debug)]
pub struct WrapToolCall;

impl Wrapped for WrapToolCall {
    const ID: HookId = HookId::WrapToolCall;
    const CALL: &'static str = "call";
    const RESULT: &'static str = "result";

    type Request = v1::WrapToolCallRequest;
    type Response = v1::WrapToolCallResponse;
    type Open = v1::WrapToolCallOpen;
    type Call = v1::ToolInvocation;
    type Delta = v1::ToolDelta;
    type Result = v1::ToolResult;
    type Finished = v1::WrapToolCallFinished;

    fn read(request: Self::Request) -> Result<Incoming<Self>, InvalidField> {
        request.validate()?;
        let frame = request.frame.ok_or_else(|| InvalidField::new("frame", "is required"))?;
        Ok(match frame {
            request::Frame::Open(open) => Incoming::Open(open),
            request::Frame::Delta(delta) => Incoming::Delta {
                invocation: delta.invocation,
                sequence: delta.sequence,
                delta: v1::ToolDelta { invocation: 0, sequence: 0, ..delta },
            },
            request::Frame::End(end) => {
                Incoming::End { invocation: end.invocation, result: end.result }
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
        frame(response::Frame::Next(v1::WrapToolCallNext {
            invocation: next.invocation,
            call: next.call.cloned(),
            relay: next.relay.into(),
            answer_needed: next.answer_needed,
            approval_needed: next.call.is_some_and(|call| {
                call.approved != next.opened.approved || new_arguments(next.opened, call).is_some()
            }),
        }))
    }

    fn emit(delta: Self::Delta) -> Self::Response {
        frame(response::Frame::Emit(v1::WrapToolCallEmit { delta: Some(delta) }))
    }

    fn keep_alive() -> Self::Response {
        frame(response::Frame::KeepAlive(v1::KeepAlive {}))
    }

    fn finish(finished: Self::Finished, by: v1::AnsweredBy) -> Self::Response {
        frame(response::Frame::Finished(v1::WrapToolCallFinished {
            answered_by: Some(by),
            ..finished
        }))
    }

    fn answer(result: Option<Self::Result>) -> v1::WrapToolCallAnswer {
        v1::WrapToolCallAnswer { result }
    }

    fn wrap<'a>(
        middleware: &'a dyn Middleware,
        context: &'a Context<'a>,
        call: Arc<Self::Call>,
        next: &'a Next<'a, Self>,
    ) -> Wrapping<'a, Self::Result> {
        middleware.wrap_tool_call(context, call, next)
    }

    fn hand_on(
        got: &Arc<Self::Call>,
        mut handed: Arc<Self::Call>,
    ) -> Result<HandedOn<Self::Call, Self::Result>, String> {
        if Arc::ptr_eq(got, &handed) || *got == handed {
            return Ok(HandedOn::Call(Arc::clone(got)));
        }
        if let Some(field) = fixed_field(got, &handed) {
            return Err(format!("changed the call's {field}, which is fixed"));
        }
        let arguments = new_arguments(got, &handed);
        if let Err(problem) = tool_schema::check(got.tool.as_ref(), arguments.as_deref()) {
            return Ok(HandedOn::Answer(Arc::new(refused(&problem))));
        }
        if let Some(arguments) = arguments {
            // An approval never carries over to new arguments.
            let call = Arc::make_mut(&mut handed);
            call.approved = false;
            call.args_json.clone_from(&arguments);
            call.tool_call.get_or_insert_default().arguments_json = arguments;
        }
        Ok(HandedOn::Call(handed))
    }
}

fn frame(frame: response::Frame) -> v1::WrapToolCallResponse {
    v1::WrapToolCallResponse { frame: Some(frame) }
}

/// The first part of the call that `handed` changes although it is fixed.
fn fixed_field(got: &v1::ToolInvocation, handed: &v1::ToolInvocation) -> Option<&'static str> {
    let empty = v1::ToolCall::default();
    let before = got.tool_call.as_ref().unwrap_or(&empty);
    let after = handed.tool_call.as_ref().unwrap_or(&empty);
    if before.id != after.id {
        Some("id")
    } else if before.name != after.name {
        Some("name")
    } else if got.tool != handed.tool {
        Some("tool")
    } else if got.approved != handed.approved {
        Some("approval")
    } else {
        None
    }
}

/// The arguments that `handed` asks for, if they are others. Either of the two
/// places where arguments stand may carry them; the call's own counts first.
fn new_arguments(got: &v1::ToolInvocation, handed: &v1::ToolInvocation) -> Option<String> {
    let of = |call: &v1::ToolInvocation| {
        call.tool_call.as_ref().map(|call| call.arguments_json.clone()).unwrap_or_default()
    };
    let (before, after) = (of(got), of(handed));
    if before != after {
        Some(after)
    } else if got.args_json != handed.args_json {
        Some(handed.args_json.clone())
    } else {
        None
    }
}

/// What the model reads when new arguments do not fit the tool.
fn refused(problem: &str) -> v1::ToolResult {
    v1::ToolResult {
        error: Some(format!("The call was not made: a middleware {problem}.")),
        ..v1::ToolResult::default()
    }
}
