//! The calls that a script works on, and what else its native functions share.

use super::{
    clock::Clock,
    event::{Asked, Call, Caller, Said, Taken},
    timers::Timers,
};
use crate::{
    engine::{Fault, RunWatch, State},
    runs::StateError,
};
use rquickjs::{Persistent, String as JsString};
use sidehook_proto::v1;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};
use tokio::runtime::Handle;

/// A call that has not been answered.
pub(super) struct Open {
    pub(super) caller: Caller,
    pub(super) state: State,
    pub(super) runtime: Handle,
    pub(super) effects: v1::Effects,
    /// Characters of the effects.
    effects_size: usize,
    pub(super) cancelled: Arc<AtomicBool>,
    /// The pieces of streams that its sinks have not taken yet.
    tickets: Vec<(u32, Taken)>,
}

/// What the event loop and the native functions share. Everything happens on the
/// script's own thread, and nothing is borrowed while the script runs.
pub(super) struct Shared {
    pub(super) clock: Clock,
    pub(super) timers: RefCell<Timers>,
    /// The call that the current stretch of work belongs to.
    pub(super) current: Cell<Option<u64>>,
    pub(super) output: usize,
    /// Set when the script ran out of memory.
    pub(super) is_short: Cell<bool>,
    /// Memory of the script that is given up for the error of an interrupt. An
    /// interrupt without room for its error is one that a script can catch.
    pub(super) reserve: RefCell<Option<Persistent<JsString<'static>>>>,
    last_ticket: Cell<u32>,
    open: RefCell<HashMap<u64, Open>>,
    runs: RefCell<HashMap<usize, (RunWatch, u32)>>,
    last_run: Cell<u32>,
}

impl Shared {
    pub(super) fn new(clock: Clock, output: usize) -> Self {
        Self {
            clock,
            timers: RefCell::default(),
            current: Cell::new(None),
            output,
            is_short: Cell::new(false),
            reserve: RefCell::default(),
            last_ticket: Cell::new(0),
            open: RefCell::default(),
            runs: RefCell::default(),
            last_run: Cell::new(0),
        }
    }

    /// A call begins.
    pub(super) fn begin(&self, call: Call) -> Started {
        let Call {
            id, index, text, marked, has_effects, state, runtime, cancelled, caller, ..
        } = call;
        let (effects, tickets) = (v1::Effects::default(), Vec::new());
        let open = Open { caller, state, runtime, effects, effects_size: 0, cancelled, tickets };
        self.open.borrow_mut().insert(id, open);
        Started { index, text, marked, has_effects }
    }

    /// A call is answered.
    pub(super) fn settle(&self, id: u64, mut answer: Result<String, Fault>) {
        let Some(open) = self.open.borrow_mut().remove(&id) else { return };
        if is_error(&answer, "out of memory") {
            self.is_short.set(true);
        }
        // What a promise makes of an interrupt.
        if self.clock.was_interrupted() && is_error(&answer, "interrupted") {
            answer = Err(Fault::timeout(self.clock.limit()));
        }
        open.caller.answer(Said { answer, effects: open.effects });
    }

    /// A call is forgotten: nobody waits for it.
    pub(super) fn forget(&self, id: u64) {
        self.open.borrow_mut().remove(&id);
    }

    /// Whether nobody waits for the call any more; `None` when it is not open.
    pub(super) fn cancelled(&self, id: u64) -> Option<Arc<AtomicBool>> {
        self.open.borrow().get(&id).map(|open| Arc::clone(&open.cancelled))
    }

    /// Ends every open call with a fault.
    pub(super) fn fail_all(&self, fault: &Fault) {
        let open: Vec<_> = self.open.borrow_mut().drain().collect();
        for (_, open) in open {
            let effects = v1::Effects::default();
            open.caller.answer(Said { answer: Err(fault.clone()), effects });
        }
    }

    /// A number under which a sink says that it has taken a piece of a stream.
    /// `None` when the call is not open.
    pub(super) fn ticket(&self, id: u64, taken: Taken) -> Option<u32> {
        let mut open = self.open.borrow_mut();
        let open = open.get_mut(&id)?;
        let ticket = self.last_ticket.get().wrapping_add(1);
        self.last_ticket.set(ticket);
        // Those of a sink that took too long are not waited for any more.
        open.tickets.retain(|(_, taken)| !taken.is_closed());
        open.tickets.push((ticket, taken));
        Some(ticket)
    }

    /// Says what a sink says to a piece of a stream, if it has not said it yet.
    pub(super) fn taken(&self, id: u64, ticket: u32, said: Result<String, Fault>) -> bool {
        let mut open = self.open.borrow_mut();
        let Some(Open { caller: Caller::Wrapped(caller, _), tickets, .. }) = open.get_mut(&id)
        else {
            return false;
        };
        let Some(at) = tickets.iter().position(|(known, _)| *known == ticket) else { return false };
        let (_, taken) = tickets.swap_remove(at);
        caller.send(Asked::Taken(taken, said)).is_ok()
    }

    /// Changes the effects of a call, by a text of this size. Says whether there
    /// was room for it.
    pub(super) fn effects(
        &self,
        id: u64,
        size: usize,
        change: impl FnOnce(&mut v1::Effects),
    ) -> bool {
        let mut open = self.open.borrow_mut();
        let Some(open) = open.get_mut(&id) else { return true };
        open.effects_size += size + size_of::<v1::LogEvent>();
        let fits = open.effects_size <= self.output;
        if fits {
            change(&mut open.effects);
        }
        fits
    }

    /// Asks the engine for something, around a call. Says whether it may still be
    /// asked for so much.
    pub(super) fn ask(&self, id: u64, asked: Asked) -> bool {
        let open = self.open.borrow();
        let Some(Open { caller: Caller::Wrapped(caller, waiting), .. }) = open.get(&id) else {
            return true;
        };
        let weight = asked.weight();
        let fits = waiting.fetch_add(weight, Ordering::Relaxed) + weight <= self.waiting_limit();
        if fits {
            let _gone = caller.send(asked);
        } else {
            waiting.fetch_sub(weight, Ordering::Relaxed);
        }
        fits
    }

    /// So many characters may one call ask for that are not done yet.
    pub(super) fn waiting_limit(&self) -> usize {
        self.output.saturating_mul(4)
    }

    /// The state that a call sees, and where operations on it run.
    pub(super) fn state(&self, id: u64) -> Result<(State, Handle), StateError> {
        let open = self.open.borrow();
        let found = open.get(&id).map(|open| (open.state.clone(), open.runtime.clone()));
        found.ok_or(StateError::CallOver)
    }

    /// A number for the run of a call: the same for every call of the run.
    pub(super) fn run(&self, id: u64) -> Option<u32> {
        let watch = self.state(id).ok()?.0.watch();
        let mut runs = self.runs.borrow_mut();
        match runs.get(&watch.address()) {
            Some((known, number)) if known.is_open() => Some(*number),
            _ => {
                let number = self.last_run.get().wrapping_add(1);
                self.last_run.set(number);
                runs.insert(watch.address(), (watch, number));
                Some(number)
            }
        }
    }

    /// Forgets the runs that have ended, and returns the numbers of the others.
    pub(super) fn open_runs(&self) -> Vec<u32> {
        let mut runs = self.runs.borrow_mut();
        runs.retain(|_, (watch, _)| watch.is_open());
        let mut open: Vec<_> = runs.values().map(|(_, number)| *number).collect();
        open.sort_unstable();
        open
    }
}

/// Whether an answer is an error that says this.
fn is_error(answer: &Result<String, Fault>, says: &str) -> bool {
    answer.as_ref().is_ok_and(|text| text.starts_with('E') && text.contains(says))
}

/// What the script gets of a call that has begun.
pub(super) struct Started {
    pub(super) index: usize,
    pub(super) text: String,
    pub(super) marked: bool,
    pub(super) has_effects: bool,
}

/// Waits for an operation on state. State in memory answers at once.
pub(super) fn wait<T>(
    runtime: &Handle,
    work: impl Future<Output = Result<T, StateError>>,
) -> Result<T, StateError> {
    let mut work = pin!(work);
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => runtime.block_on(work),
    }
}
