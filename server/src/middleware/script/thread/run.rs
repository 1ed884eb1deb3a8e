//! A script's event loop, on a thread of its own.
//!
//! One event at a time: it is handed to the script, then the jobs that it
//! started run until none is left. Everything that runs between two events
//! belongs to the call that the first is about, so that a script which runs on
//! can be charged to that call.

use super::{
    clock::Clock,
    event::{Call, Event, Returned, Target},
    open::Shared,
    realm::{self, Entry, LoadError, Recipe},
    signs::Signs,
};
use crate::{engine::Fault, hooks::HookId, middleware::script::found::Found};
use rquickjs::{CatchResultExt, CaughtError, Ctx, Persistent, String as JsString};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::Instant,
};

/// What a script's thread tells the one that started it.
pub(crate) type Loaded = Result<Vec<Found>, LoadError>;

/// Runs a script until nobody holds it any more. Tells through `loaded` what it
/// found, or why the script does not load.
pub(crate) fn run(
    recipe: &Recipe,
    events: &Receiver<Event>,
    signs: &Arc<Signs>,
    mut loaded: Option<Sender<Loaded>>,
) {
    loop {
        let clock = Clock::new(recipe.limits.time, signs);
        let shared = Rc::new(Shared::new(clock, recipe.limits.output));
        // A panic would leave every later call without an answer.
        let life = AssertUnwindSafe(|| life(recipe, events, signs, &shared, &mut loaded));
        match catch_unwind(life).unwrap_or(Ended::Broken("panicked")) {
            Ended::Unused | Ended::NotLoaded => return,
            Ended::Broken(why) => {
                shared.fail_all(&anew(why));
                if loaded.is_some() || signs.unused.load(Ordering::Relaxed) {
                    return;
                }
                let middleware = &*recipe.name;
                tracing::warn!(middleware, "the script is started anew: it {why}");
            }
        }
    }
}

/// The fault of the calls that a runtime had open when it was given up.
fn anew(why: &str) -> Fault {
    Fault::threw(format!("was started anew, for it {why}"))
}

/// Why a runtime has come to its end.
#[derive(Clone, Copy)]
enum Ended {
    /// Nobody holds the script any more.
    Unused,
    /// It did not load.
    NotLoaded,
    /// It is in a state that nobody should go on with.
    Broken(&'static str),
}

/// One runtime, from its start to its end.
fn life(
    recipe: &Recipe,
    events: &Receiver<Event>,
    signs: &Signs,
    shared: &Rc<Shared>,
    loaded: &mut Option<Sender<Loaded>>,
) -> Ended {
    let context = match realm::runtime(recipe, shared).and_then(|it| realm::context(&it)) {
        Ok(context) => context,
        Err(error) => return refuse(loaded, LoadError::Engine(error.to_string()), events, signs),
    };
    let _reserved = Reserved(shared);
    context.with(|ctx| {
        let installed = Entry::install(&ctx, recipe, shared).and_then(|entry| {
            reserve(&ctx, shared)?;
            Ok(entry)
        });
        let entry = match installed.catch(&ctx) {
            Ok(entry) => entry,
            Err(error) => {
                return refuse(loaded, LoadError::Engine(error.to_string()), events, signs);
            }
        };
        let found = entry.load(&ctx, recipe, shared);
        shared.clock.stop();
        match found {
            Ok(found) => {
                if let Some(loaded) = loaded.take() {
                    let _gone = loaded.send(Ok(found));
                }
            }
            Err(error) => return refuse(loaded, error, events, signs),
        }
        let ended = Loop { ctx, entry, recipe, shared, signs }.run(events);
        if let Ended::Broken(why) = ended {
            // Before the runtime goes, which may take a while.
            shared.fail_all(&anew(why));
        }
        ended
    })
}

/// Puts memory aside for the error of an interrupt.
fn reserve(ctx: &Ctx<'_>, shared: &Shared) -> rquickjs::Result<()> {
    const LENGTH: usize = 16 << 10;
    if shared.reserve.borrow().is_none() {
        let text = JsString::from_str(ctx.clone(), &" ".repeat(LENGTH))?;
        *shared.reserve.borrow_mut() = Some(Persistent::save(ctx, text));
    }
    Ok(())
}

/// Gives the reserve up before the runtime that it belongs to goes.
struct Reserved<'a>(&'a Shared);

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        drop(self.0.reserve.take());
    }
}

/// Says that the script does not load. One that loaded before fails the next call
/// and tries again.
fn refuse(
    loaded: &mut Option<Sender<Loaded>>,
    error: LoadError,
    events: &Receiver<Event>,
    signs: &Signs,
) -> Ended {
    if let Some(loaded) = loaded.take() {
        let _gone = loaded.send(Err(error));
        return Ended::NotLoaded;
    }
    tracing::error!(?error, "a script that was started anew does not load");
    while let Ok(event) = events.recv() {
        if let Event::Call(call) = event {
            signs.waiting.fetch_sub(call.weight(), Ordering::Relaxed);
            let fault = Fault::unreachable("broke, and could not be started anew");
            let effects = sidehook_proto::v1::Effects::default();
            call.caller.answer(super::event::Said { answer: Err(fault), effects });
            return Ended::Broken("did not load");
        }
    }
    Ended::Unused
}

struct Loop<'a, 'js> {
    ctx: Ctx<'js>,
    entry: Entry<'js>,
    recipe: &'a Recipe,
    shared: &'a Rc<Shared>,
    signs: &'a Signs,
}

impl Loop<'_, '_> {
    fn run(&self, events: &Receiver<Event>) -> Ended {
        loop {
            let wait = self.shared.timers.borrow().wait();
            let event = match wait {
                None => events.recv().map_err(|_gone| RecvTimeoutError::Disconnected),
                Some(wait) => events.recv_timeout(wait),
            };
            let health = match event {
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => return Ended::Unused,
            };
            // Neither timers nor events make the other wait for ever.
            if let Err(why) = health.and_then(|()| self.fire()) {
                return Ended::Broken(why);
            }
        }
    }

    fn handle(&self, event: Event) -> Result<(), &'static str> {
        match event {
            Event::Call(call) => {
                self.signs.waiting.fetch_sub(call.weight(), Ordering::Relaxed);
                if call.cancelled.load(Ordering::Relaxed) {
                    return Ok(());
                }
                self.call(*call)
            }
            Event::Returned { id, invocation, result } => {
                self.stretch(Charged::to(id), |entry| match result {
                    Returned::Result { text, marked } => {
                        entry.returned.call((id, invocation, text, marked))
                    }
                    Returned::Nothing(text) => entry.rejected.call((id, invocation, text)),
                })
            }
            Event::Stream { id, invocation, delta, taken } => {
                let Some(ticket) = self.shared.ticket(id, taken) else { return Ok(()) };
                let charged = Charged { call: Some(id), ticket: Some(ticket) };
                self.stretch(charged, |entry| entry.stream.call((id, invocation, ticket, delta)))
            }
            Event::Cancelled(id) => {
                let timers = self.shared.timers.borrow_mut().clear_call(id);
                for timer in timers {
                    let _unknown = self.entry.forget.call::<_, ()>((timer,));
                }
                let open = self.shared.cancelled(id).is_some();
                self.shared.forget(id);
                if !open {
                    return Ok(());
                }
                self.stretch(Charged::default(), |entry| entry.cancelled.call((id,)))
            }
        }
    }

    /// Starts a call.
    fn call(&self, call: Call) -> Result<(), &'static str> {
        let (id, target) = (call.id, call.target);
        let hook = match target {
            Target::Hook(hook) => hook as usize,
            Target::Enabled => HookId::ALL.len(),
        };
        let started = self.shared.begin(call);
        let dispatch = |entry: &Entry<'_>| {
            let flags = (started.marked, started.has_effects);
            let arguments = (id, started.index, hook, started.text, flags.0, flags.1);
            let said: Option<String> = entry.dispatch.call(arguments)?;
            if let Some(text) = said {
                self.shared.settle(id, Ok(text));
            }
            Ok(())
        };
        self.stretch(Charged::to(id), dispatch)
    }

    /// Fires the timers that are due now, and not those that they set.
    fn fire(&self) -> Result<(), &'static str> {
        if self.shared.timers.borrow().is_empty() {
            return Ok(());
        }
        let now = Instant::now();
        loop {
            let due = self.shared.timers.borrow_mut().take_due(now);
            let Some((timer, call)) = due else { return Ok(()) };
            let charged = Charged { call, ticket: None };
            self.stretch(charged, |entry| entry.fire.call((timer,)))?;
        }
    }

    /// Lets the script work on something, and on everything that follows from it.
    /// Says why it cannot go on, if it cannot.
    fn stretch(
        &self,
        charged: Charged,
        work: impl FnOnce(&Entry<'_>) -> rquickjs::Result<()>,
    ) -> Result<(), &'static str> {
        let shared = self.shared;
        let cancelled: Option<Arc<AtomicBool>> = charged.call.and_then(|id| shared.cancelled(id));
        shared.current.set(charged.call);
        shared.clock.start(cancelled);
        let done = work(&self.entry).catch(&self.ctx);
        let drained = settle_jobs(&self.ctx, shared);
        shared.current.set(None);
        shared.clock.stop();
        let interrupted = shared.clock.was_interrupted();
        if interrupted || done.is_err() {
            let fault = match &done {
                Err(error) if !interrupted => broken(error),
                _ => Fault::timeout(shared.clock.limit()),
            };
            self.charge(charged, fault);
        }
        if !drained {
            return Err("never came to rest");
        }
        self.memory(done.is_err() || interrupted)
    }

    /// Answers what a stretch was about with a fault: a sink that still has a
    /// piece, or else the whole call.
    fn charge(&self, charged: Charged, fault: Fault) {
        let Charged { call: Some(id), ticket } = charged else { return };
        if ticket.is_some_and(|ticket| self.shared.taken(id, ticket, Err(fault.clone()))) {
            return;
        }
        self.shared.settle(id, Err(fault));
        let _unknown = self.entry.drop.call::<_, ()>((id,));
    }

    /// Whether memory is left to go on with, after something went wrong.
    fn memory(&self, suspicious: bool) -> Result<(), &'static str> {
        if !suspicious && !self.shared.is_short.take() {
            return Ok(());
        }
        self.ctx.run_gc();
        let needed = self.recipe.limits.memory / 4;
        let has_room = self.entry.has_room.call((needed,)).unwrap_or(false);
        if has_room && reserve(&self.ctx, self.shared).is_ok() {
            return Ok(());
        }
        Err("has used up its memory")
    }
}

/// What a stretch of work is about.
#[derive(Debug, Clone, Copy, Default)]
struct Charged {
    call: Option<u64>,
    /// The piece of a stream that a sink of the call got.
    ticket: Option<u32>,
}

impl Charged {
    fn to(call: u64) -> Self {
        Self { call: Some(call), ticket: None }
    }
}

/// Runs the jobs that are left until there is none. Says whether it came to an
/// end.
pub(super) fn settle_jobs(ctx: &Ctx<'_>, shared: &Shared) -> bool {
    let clock = &shared.clock;
    let mut extended = false;
    while ctx.execute_pending_job() {
        if !clock.must_end() {
            continue;
        }
        // A second interrupt would find no room for its error.
        if extended || reserve(ctx, shared).is_err() {
            return false;
        }
        // One job ran on, and what follows from it is short; or nobody waits any
        // more for what the jobs were about.
        clock.extend();
        extended = true;
    }
    true
}

/// The fault of a script whose own half of Sidehook failed, for want of memory
/// most of the time.
fn broken(error: &CaughtError<'_>) -> Fault {
    let text = error.to_string();
    if text.contains("out of memory")
        || matches!(error, CaughtError::Error(rquickjs::Error::Allocation))
    {
        return Fault::threw("ran out of memory");
    }
    Fault::threw(format!("broke: {text}"))
}
