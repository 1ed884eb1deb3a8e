//! The functions of Rust that the JavaScript half calls.

use super::{
    super::limits::MAX_NEXT,
    event::Asked,
    open::{Shared, wait},
};
use crate::{hooks::HookId, runs::StateError};
use rquickjs::{Ctx, Exception, Function, Object, Result};
use serde_json::Value;
use sidehook_proto::{parse_answer, v1};
use std::{rc::Rc, time::Duration};

/// The object that holds them.
pub(super) fn object<'js>(ctx: &Ctx<'js>, shared: &Rc<Shared>) -> Result<Object<'js>> {
    let native = Object::new(ctx.clone())?;
    let hook = |hook: &HookId| format!("{}:{}", hook.script_name(), shape(*hook));
    let hooks: Vec<_> = HookId::ALL.iter().map(hook).collect();
    native.set("hooks", hooks.join(" "))?;
    native.set("outputLimit", shared.output)?;
    native.set("nextLimit", MAX_NEXT)?;
    state(ctx, &native, shared)?;
    effects(ctx, &native, shared)?;
    calls(ctx, &native, shared)?;
    timers(ctx, &native, shared)?;
    Ok(native)
}

fn state<'js>(ctx: &Ctx<'js>, native: &Object<'js>, shared: &Rc<Shared>) -> Result<()> {
    let open = Rc::clone(shared);
    let get = move |ctx: Ctx<'js>, id: u64, key: String| {
        let (state, runtime) = thrown(&ctx, open.state(id))?;
        let found = thrown(&ctx, wait(&runtime, state.get(&key)))?;
        Ok::<_, rquickjs::Error>(found.map(|value| value.to_string()))
    };
    native.set("stateGet", Function::new(ctx.clone(), get)?)?;
    let open = Rc::clone(shared);
    let set = move |ctx: Ctx<'js>, id: u64, key: String, json: String| {
        let (state, runtime) = thrown(&ctx, open.state(id))?;
        let value = value(&ctx, &json)?;
        thrown(&ctx, wait(&runtime, state.set(&key, value)))
    };
    native.set("stateSet", Function::new(ctx.clone(), set)?)?;
    let open = Rc::clone(shared);
    let remove = move |ctx: Ctx<'js>, id: u64, key: String| {
        let (state, runtime) = thrown(&ctx, open.state(id))?;
        let removed = thrown(&ctx, wait(&runtime, state.remove(&key)))?;
        Ok::<_, rquickjs::Error>(removed.is_some())
    };
    native.set("stateRemove", Function::new(ctx.clone(), remove)?)?;
    let open = Rc::clone(shared);
    let add = move |ctx: Ctx<'js>, id: u64, key: String, amount: f64| {
        let (state, runtime) = thrown(&ctx, open.state(id))?;
        #[expect(clippy::cast_possible_truncation, reason = "the caller checks that it is safe")]
        let sum = thrown(&ctx, wait(&runtime, state.add(&key, amount as i64)))?;
        #[expect(clippy::cast_precision_loss, reason = "a number of JavaScript")]
        Ok::<_, rquickjs::Error>(sum as f64)
    };
    native.set("stateAdd", Function::new(ctx.clone(), add)?)?;
    let open = Rc::clone(shared);
    let compare = move |ctx: Ctx<'js>,
                        id: u64,
                        key: String,
                        expected: Option<String>,
                        next: Option<String>| {
        let (state, runtime) = thrown(&ctx, open.state(id))?;
        let parsed = |json: Option<String>| json.map(|json| value(&ctx, &json)).transpose();
        let (expected, next) = (parsed(expected)?, parsed(next)?);
        let done = state.compare_and_set(&key, expected.as_ref(), next);
        thrown(&ctx, wait(&runtime, done))
    };
    native.set("stateCompare", Function::new(ctx.clone(), compare)?)?;
    let open = Rc::clone(shared);
    native.set("run", Function::new(ctx.clone(), move |id: u64| open.run(id))?)?;
    let open = Rc::clone(shared);
    native.set("openRuns", Function::new(ctx.clone(), move || open.open_runs())?)
}

fn effects<'js>(ctx: &Ctx<'js>, native: &Object<'js>, shared: &Rc<Shared>) -> Result<()> {
    let open = Rc::clone(shared);
    let add_context = move |ctx: Ctx<'js>, id: u64, text: String| {
        let added = v1::AddedContext { text, ..v1::AddedContext::default() };
        let size = added.text.len();
        let fits = open.effects(id, size, |effects| effects.added_context.push(added));
        within(&ctx, fits, open.output, "are added to the run")
    };
    native.set("addContext", Function::new(ctx.clone(), add_context)?)?;
    let open = Rc::clone(shared);
    let stop = move |ctx: Ctx<'js>, id: u64, reason: String| {
        let stop = v1::Stop { reason, ..v1::Stop::default() };
        let fits = open.effects(id, stop.reason.len(), |effects| {
            effects.stop.get_or_insert(stop);
        });
        within(&ctx, fits, open.output, "are added to the run")
    };
    native.set("stop", Function::new(ctx.clone(), stop)?)?;
    let open = Rc::clone(shared);
    let log_event = move |ctx: Ctx<'js>, id: u64, event: String, note_json: String| {
        let entry = v1::LogEvent { event, note_json, ..v1::LogEvent::default() };
        let size = entry.event.len() + entry.note_json.len();
        let fits = open.effects(id, size, |effects| effects.log_events.push(entry));
        within(&ctx, fits, open.output, "are added to the run")
    };
    native.set("logEvent", Function::new(ctx.clone(), log_event)?)
}

fn calls<'js>(ctx: &Ctx<'js>, native: &Object<'js>, shared: &Rc<Shared>) -> Result<()> {
    let open = Rc::clone(shared);
    let settle = move |id: u64, text: String| open.settle(id, Ok(text));
    native.set("settle", Function::new(ctx.clone(), settle)?)?;
    let open = Rc::clone(shared);
    let next =
        move |ctx: Ctx<'js>, id: u64, invocation: u32, text: Option<String>, has_sink: bool| {
            let fits = open.ask(id, Asked::Next { invocation, text, has_sink });
            within(&ctx, fits, open.waiting_limit(), WAITING)
        };
    native.set("next", Function::new(ctx.clone(), next)?)?;
    let open = Rc::clone(shared);
    let emit = move |ctx: Ctx<'js>, id: u64, text: String| {
        let fits = open.ask(id, Asked::Emit(text));
        within(&ctx, fits, open.waiting_limit(), WAITING)
    };
    native.set("emit", Function::new(ctx.clone(), emit)?)?;
    let open = Rc::clone(shared);
    let streamed = move |id: u64, ticket: u32, said: String| open.taken(id, ticket, Ok(said));
    native.set("streamed", Function::new(ctx.clone(), streamed)?)
}

fn timers<'js>(ctx: &Ctx<'js>, native: &Object<'js>, shared: &Rc<Shared>) -> Result<()> {
    let open = Rc::clone(shared);
    let start = move |ctx: Ctx<'js>, wait: f64, repeats: bool| {
        let wait = Duration::try_from_secs_f64(wait.min(LONGEST_WAIT) / 1000.0);
        let wait = wait.unwrap_or_default();
        let timer = open.timers.borrow_mut().start(wait, repeats, open.current.get());
        timer.ok_or_else(|| Exception::throw_range(&ctx, "too many timers are set"))
    };
    native.set("startTimer", Function::new(ctx.clone(), start)?)?;
    let open = Rc::clone(shared);
    let clear = move |id: u32| open.timers.borrow_mut().clear(id);
    native.set("clearTimer", Function::new(ctx.clone(), clear)?)
}

/// Milliseconds that a timer waits at most.
const LONGEST_WAIT: f64 = i32::MAX as f64;

/// What there is too much of when a script asks faster than it is served.
const WAITING: &str = "wait for what is outside the call";

/// Throws that there is too much of something, unless it fits.
fn within(ctx: &Ctx<'_>, fits: bool, limit: usize, doing: &str) -> Result<()> {
    if fits {
        return Ok(());
    }
    Err(Exception::throw_range(ctx, &format!("more than {limit} characters {doing}")))
}

/// A value of state as the script writes it.
fn value(ctx: &Ctx<'_>, json: &str) -> Result<Value> {
    let misfit = |problem| Exception::throw_type(ctx, &format!("a value of state {problem}"));
    parse_answer(json).map_err(misfit)
}

/// Throws what went wrong with state as an error of the script.
fn thrown<T>(ctx: &Ctx<'_>, done: std::result::Result<T, StateError>) -> Result<T> {
    done.map_err(|error| Exception::throw_message(ctx, &error.to_string()))
}

/// What the script's function for a hook gets.
fn shape(hook: HookId) -> &'static str {
    match hook {
        HookId::WrapModelCall | HookId::WrapToolCall => "around",
        HookId::Wrap => "wrap",
        _ if hook.is_platform() => "platform",
        _ => "event",
    }
}
