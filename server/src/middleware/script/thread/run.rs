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
};
use crate::{engine::Fault, hooks::HookId, middleware::script::found::Found};
use rquickjs::{CatchResultExt, CaughtError, Ctx};
use std::{
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
};

/// What a script's thread tells the one that started it.
pub(crate) type Loaded = Result<Vec<Found>, LoadError>;

/// Runs a script until nobody holds it any more. Tells through `loaded` what it
/// found, or why the script does not load.
pub(crate) fn run(
    recipe: &Recipe,
    events: &Receiver<Event>,
    waiting: &AtomicUsize,
    loaded: Sender<Loaded>,
) {
    let mut loaded = Some(loaded);
    loop {
        let shared = Rc::new(Shared::new(Clock::new(recipe.limits.time), recipe.limits.output));
        let ended = life(recipe, events, waiting, &shared, &mut loaded);
        match ended {
            Ended::Unused | Ended::NotLoaded => return,
            Ended::Broken(why) => {
                let middleware = &*recipe.name;
                tracing::warn!(middleware, "the script is started anew: it {why}");
                shared.fail_all(&Fault::threw(format!("was started anew, for it {why}")));
            }
        }
    }
}

/// Why a runtime has come to its end.
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
    waiting: &AtomicUsize,
    shared: &Rc<Shared>,
    loaded: &mut Option<Sender<Loaded>>,
) -> Ended {
    let context = match realm::runtime(recipe, shared).and_then(|it| realm::context(&it)) {
        Ok(context) => context,
        Err(error) => return refuse(loaded, LoadError::Engine(error.to_string()), events, waiting),
    };
    context.with(|ctx| {
        let entry = match Entry::install(&ctx, recipe, shared).catch(&ctx) {
            Ok(entry) => entry,
            Err(error) => {
                return refuse(loaded, LoadError::Engine(error.to_string()), events, waiting);
            }
        };
        match entry.load(&ctx, recipe, shared) {
            Ok(found) => {
                if let Some(loaded) = loaded.take() {
                    let _gone = loaded.send(Ok(found));
                }
            }
            Err(error) => return refuse(loaded, error, events, waiting),
        }
        Loop { ctx, entry, recipe, shared, waiting }.run(events)
    })
}

/// Says that the script does not load. One that loaded before fails every call
/// from now on.
fn refuse(
    loaded: &mut Option<Sender<Loaded>>,
    error: LoadError,
    events: &Receiver<Event>,
    waiting: &AtomicUsize,
) -> Ended {
    if let Some(loaded) = loaded.take() {
        let _gone = loaded.send(Err(error));
        return Ended::NotLoaded;
    }
    tracing::error!(?error, "a script that was started anew does not load");
    while let Ok(event) = events.recv() {
        if let Event::Call(call) = event {
            waiting.fetch_sub(1, Ordering::Relaxed);
            let fault = Fault::unreachable("broke, and could not be started anew");
            let effects = sidehook_proto::v1::Effects::default();
            call.caller.answer(super::event::Said { answer: Err(fault), effects });
        }
    }
    Ended::Unused
}

struct Loop<'a, 'js> {
    ctx: Ctx<'js>,
    entry: Entry<'js>,
    recipe: &'a Recipe,
    shared: &'a Rc<Shared>,
    waiting: &'a AtomicUsize,
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
                Err(RecvTimeoutError::Timeout) => self.fire(),
                Err(RecvTimeoutError::Disconnected) => return Ended::Unused,
            };
            if let Err(why) = health {
                return Ended::Broken(why);
            }
        }
    }

    fn handle(&self, event: Event) -> Result<(), &'static str> {
        match event {
            Event::Call(call) => {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                if call.cancelled.load(Ordering::Relaxed) {
                    return Ok(());
                }
                self.call(*call)
            }
            Event::Returned { id, invocation, result } => {
                self.stretch(Some(id), |entry| match result {
                    Returned::Result { text, marked } => {
                        entry.returned.call((id, invocation, text, marked))
                    }
                    Returned::Nothing(text) => entry.rejected.call((id, invocation, text)),
                })
            }
            Event::Stream { id, invocation, delta, taken } => {
                let ticket = self.shared.ticket(taken);
                self.stretch(Some(id), |entry| entry.stream.call((id, invocation, ticket, delta)))
            }
            Event::Cancelled(id) => {
                for timer in self.shared.timers.borrow_mut().clear_call(id) {
                    let _unknown = self.entry.forget.call::<_, ()>((timer,));
                }
                let open = self.shared.cancelled(id).is_some();
                self.shared.forget(id);
                if open { self.stretch(None, |entry| entry.cancelled.call((id,))) } else { Ok(()) }
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
        self.stretch(Some(id), dispatch)
    }

    /// Fires the timers that are due.
    fn fire(&self) -> Result<(), &'static str> {
        loop {
            let due = self.shared.timers.borrow_mut().take_due();
            let Some((timer, call)) = due else { return Ok(()) };
            self.stretch(call, |entry| entry.fire.call((timer,)))?;
        }
    }

    /// Lets the script work on something for `call`, and everything that follows
    /// from it. Says why it cannot go on, if it cannot.
    fn stretch(
        &self,
        call: Option<u64>,
        work: impl FnOnce(&Entry<'_>) -> rquickjs::Result<()>,
    ) -> Result<(), &'static str> {
        let shared = self.shared;
        let cancelled: Option<Arc<AtomicBool>> = call.and_then(|id| shared.cancelled(id));
        shared.current.set(call);
        shared.clock.start(cancelled);
        let done = work(&self.entry).catch(&self.ctx);
        let drained = settle_jobs(&self.ctx, shared);
        shared.current.set(None);
        let interrupted = shared.clock.was_interrupted();
        if let (Some(id), true) = (call, interrupted || done.is_err()) {
            let fault = match &done {
                Err(error) if !interrupted => broken(error),
                _ => Fault::timeout(shared.clock.limit()),
            };
            shared.settle(id, Err(fault));
            let _unknown = self.entry.drop.call::<_, ()>((id,));
        }
        if !drained {
            return Err("never came to rest");
        }
        self.memory(done.is_err() || interrupted)
    }

    /// Whether memory is left to go on with, after something went wrong.
    fn memory(&self, suspicious: bool) -> Result<(), &'static str> {
        if !suspicious && !self.shared.is_short.take() {
            return Ok(());
        }
        self.ctx.run_gc();
        let needed = self.recipe.limits.memory / 4;
        match self.entry.has_room.call((needed,)) {
            Ok(true) => Ok(()),
            Ok(false) | Err(_) => Err("has used up its memory"),
        }
    }
}

/// Runs the jobs that are left until there is none. Says whether it came to an
/// end.
pub(super) fn settle_jobs(ctx: &Ctx<'_>, shared: &Shared) -> bool {
    let clock = &shared.clock;
    let mut extended = false;
    while ctx.execute_pending_job() {
        if !clock.is_endless() {
            continue;
        }
        if extended || !clock.was_interrupted() {
            return false;
        }
        // One job ran on and was interrupted; what follows from that is short.
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
