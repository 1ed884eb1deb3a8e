//! What a script does about one event.
//!
//! An event is handed to the script, then the jobs that it started run until none
//! is left. Everything that runs between two events belongs to the call that the
//! first is about, so that a script which runs on can be charged to that call.

use super::{
    entry::Entry,
    event::{Call, Event, Returned, Target},
    open::Shared,
    realm::Realm,
    reserve::Reserve,
};
use crate::{engine::Fault, hooks::HookId};
use rquickjs::{CatchResultExt, CaughtError, Ctx};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// Whether a runtime can go on, or why it cannot.
pub(super) type Health = Result<(), &'static str>;

/// Somebody who works inside a script's runtime.
pub(super) struct Work<'a, 'js> {
    pub(super) ctx: &'a Ctx<'js>,
    pub(super) entry: Entry<'a, 'js>,
    pub(super) realm: &'a Realm,
}

impl<'js> Work<'_, 'js> {
    /// Hands an event to the script.
    pub(super) fn handle(&self, event: Event) -> Health {
        let shared = &self.realm.shared;
        match event {
            Event::Call(call) => {
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
                let Some(ticket) = shared.ticket(id, taken) else { return Ok(()) };
                let charged = Charged { call: Some(id), ticket: Some(ticket) };
                self.stretch(charged, |entry| entry.stream.call((id, invocation, ticket, delta)))
            }
            Event::Cancelled(id) => {
                let timers = shared.timers.lock().clear_call(id);
                for timer in timers {
                    let _unknown = self.entry.forget.call::<_, ()>((timer,));
                }
                let open = shared.cancelled(id).is_some();
                shared.forget(id);
                if !open {
                    return Ok(());
                }
                self.stretch(Charged::default(), |entry| entry.cancelled.call((id,)))
            }
        }
    }

    /// Starts a call.
    fn call(&self, call: Call) -> Health {
        let shared = &self.realm.shared;
        let (id, target) = (call.id, call.target);
        let hook = match target {
            Target::Hook(hook) => hook as usize,
            Target::Enabled => HookId::ALL.len(),
        };
        let started = shared.begin(call);
        let dispatch = |entry: &Entry<'_, 'js>| {
            let flags = (started.marked, started.has_effects);
            let arguments = (id, started.index, hook, started.text, flags.0, flags.1);
            let said: Option<String> = entry.dispatch.call(arguments)?;
            if let Some(text) = said {
                shared.settle(id, Ok(text));
            }
            Ok(())
        };
        self.stretch(Charged::to(id), dispatch)
    }

    /// Fires the timers that are due now, and not those that they set.
    pub(super) fn fire(&self) -> Health {
        let now = Instant::now();
        loop {
            let due = self.realm.shared.timers.lock().take_due(now);
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
        work: impl FnOnce(&Entry<'_, 'js>) -> rquickjs::Result<()>,
    ) -> Health {
        let shared = &self.realm.shared;
        let cancelled: Option<Arc<AtomicBool>> = charged.call.and_then(|id| shared.cancelled(id));
        *shared.current.lock() = charged.call;
        shared.clock.start(cancelled);
        let done = work(&self.entry).catch(self.ctx);
        let drained = settle_jobs(self.ctx, shared);
        *shared.current.lock() = None;
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
        let shared = &self.realm.shared;
        let Charged { call: Some(id), ticket } = charged else { return };
        if ticket.is_some_and(|ticket| shared.taken(id, ticket, Err(fault.clone()))) {
            return;
        }
        shared.settle(id, Err(fault));
        let _unknown = self.entry.drop.call::<_, ()>((id,));
    }

    /// Whether memory is left to go on with, after something went wrong.
    fn memory(&self, suspicious: bool) -> Health {
        let short = self.realm.shared.is_short.swap(false, Ordering::Relaxed);
        if !suspicious && !short {
            return Ok(());
        }
        self.ctx.run_gc();
        let needed = self.realm.limits.memory / 4;
        let has_room = self.entry.has_room.call((needed,)).unwrap_or(false);
        if has_room && Reserve::renew(self.ctx).is_ok() {
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
        if extended || Reserve::renew(ctx).is_err() {
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
