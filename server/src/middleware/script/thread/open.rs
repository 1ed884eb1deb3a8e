//! The calls that a script works on, and what else its native functions share.

use super::{
    clock::Clock,
    event::{Asked, Call, Caller, Said},
    timers::Timers,
};
use crate::{
    engine::{Fault, RunWatch, State},
    runs::StateError,
};
use serde_json::Value;
use sidehook_proto::v1;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    pin::pin,
    sync::{Arc, atomic::AtomicBool},
    task::{Context, Poll, Waker},
};
use tokio::{runtime::Handle, sync::oneshot};

/// A call that has not been answered.
pub(super) struct Open {
    pub(super) caller: Caller,
    pub(super) state: State,
    pub(super) runtime: Handle,
    pub(super) effects: v1::Effects,
    pub(super) cancelled: Arc<AtomicBool>,
}

/// What the event loop and the native functions share. Everything happens on the
/// script's own thread, and nothing is borrowed while the script runs.
pub(super) struct Shared {
    pub(super) clock: Clock,
    pub(super) timers: RefCell<Timers>,
    pub(super) tickets: RefCell<HashMap<u32, oneshot::Sender<Result<(), String>>>>,
    /// The call that the current stretch of work belongs to.
    pub(super) current: Cell<Option<u64>>,
    pub(super) output: usize,
    /// Set when the script ran out of memory.
    pub(super) is_short: Cell<bool>,
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
            tickets: RefCell::default(),
            current: Cell::new(None),
            output,
            is_short: Cell::new(false),
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
        let open = Open { caller, state, runtime, effects: v1::Effects::default(), cancelled };
        self.open.borrow_mut().insert(id, open);
        Started { index, text, marked, has_effects }
    }

    /// A call is answered.
    pub(super) fn settle(&self, id: u64, answer: Result<String, Fault>) {
        let Some(open) = self.open.borrow_mut().remove(&id) else { return };
        if answer.as_ref().is_ok_and(|text| text.starts_with('E') && text.contains("out of memory"))
        {
            self.is_short.set(true);
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
        self.tickets.borrow_mut().clear();
    }

    /// A number under which the script says that it has taken a piece of a stream.
    pub(super) fn ticket(&self, taken: oneshot::Sender<Result<(), String>>) -> u32 {
        let ticket = self.last_ticket.get().wrapping_add(1);
        self.last_ticket.set(ticket);
        self.tickets.borrow_mut().insert(ticket, taken);
        ticket
    }

    /// Changes the effects of a call.
    pub(super) fn effects(&self, id: u64, change: impl FnOnce(&mut v1::Effects)) {
        if let Some(open) = self.open.borrow_mut().get_mut(&id) {
            change(&mut open.effects);
        }
    }

    /// Asks the engine for something, around a call.
    pub(super) fn ask(&self, id: u64, asked: Asked) {
        if let Some(Open { caller: Caller::Wrapped(caller), .. }) = self.open.borrow().get(&id) {
            let _gone = caller.send(asked);
        }
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

/// A value of state as the script writes it.
pub(super) fn value(json: &str) -> Result<Value, StateError> {
    serde_json::from_str(json).map_err(|error| StateError::Unavailable(error.to_string()))
}
