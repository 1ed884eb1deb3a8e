//! What a script's function gets: its arguments as one JSON text.
//!
//! Source: documents 000 and 001, "Hooks" and "The four hooks"; document 004,
//! "The shape of a hook".

use crate::{engine::Context, hooks::Named};
use cel::Value as Cel;
use sidehook_proto::{HookRequest, Marks, Payloads, ScriptForm, ScriptWriter, Written, v1};
use std::any::Any;

/// The arguments of a unary hook.
pub(super) fn unary<H>(marks: &Marks, context: &Context<'_>, request: &H::Request) -> Written
where
    H: Named,
    H::Request: ScriptForm + HookRequest,
{
    let mut out = ScriptWriter::marking(marks);
    out.object(|out| {
        if H::ID.is_platform() {
            out.member("context").object(|out| {
                request.write_members(out);
                members(context, "", out);
            });
            initiator(context, out);
            return;
        }
        out.member("event");
        // Document 001 hands over the request and the event themselves.
        let request: &dyn Any = request;
        let mut stage = "";
        if let Some(attempt) = request.downcast_ref::<v1::TransformRequest>() {
            stage = "attempt";
            out.message(&attempt.request.clone().unwrap_or_default());
        } else if let Some(told) = request.downcast_ref::<v1::OnEventRequest>() {
            out.message(&told.event.clone().unwrap_or_default());
        } else {
            let request = request.downcast_ref::<H::Request>();
            out.object(|out| request.into_iter().for_each(|it| it.write_members(out)));
        }
        out.member("context").object(|out| members(context, stage, out));
    });
    out.finish()
}

/// The arguments of a hook around a call.
pub(super) fn around<C: ScriptForm>(
    marks: &Marks,
    context: &Context<'_>,
    call: &C,
    stage: &str,
    streams: bool,
) -> Written {
    let mut out = ScriptWriter::marking(marks);
    out.object(|out| {
        out.member("event").message(call);
        out.member("context").object(|out| members(context, stage, out));
        out.member("streams").boolean(streams);
    });
    out.finish()
}

/// The arguments of `enabled`.
pub(super) fn enabled(context: &Context<'_>, stage: &str) -> Written {
    let mut out = ScriptWriter::new();
    out.object(|out| out.member("context").object(|out| members(context, stage, out)));
    out.finish()
}

/// A result from inside, as a further value of a call.
pub(super) fn result<R: ScriptForm>(earlier: &Payloads, result: &R) -> Written {
    let mut out = ScriptWriter::after(earlier);
    out.message(result);
    out.finish()
}

/// The context's own members: who asks and on whose behalf, and what the hook
/// adds.
fn members(context: &Context<'_>, stage: &str, out: &mut ScriptWriter) {
    context.run().write_members(out);
    if !stage.is_empty() {
        out.member("stage").text(stage);
    }
    for (name, value) in context.variables() {
        let name = camel(name);
        match value {
            Cel::String(text) => out.member(&name).text(text),
            Cel::Int(number) => out.member(&name).integer(*number),
            Cel::Bool(truth) => out.member(&name).boolean(*truth),
            _ => {}
        }
    }
}

/// What started the turn.
fn initiator(context: &Context<'_>, out: &mut ScriptWriter) {
    if let Some(initiator) = &context.run().initiator {
        out.member("initiator").message(initiator);
    }
}

fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}
