//! What waits for a script, and whose turn it is to work on it.

use super::{super::limits::MAX_WAITING, event::Event};
use crate::engine::Fault;
use parking_lot::{Condvar, Mutex};
use std::{collections::VecDeque, mem, time::Instant};

/// The events of a script, in their order.
///
/// Whoever has the turn takes the first of them. The turn is the thread's when
/// there are several, and a caller's for the one that it brought when nobody had
/// the turn.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    inner: Mutex<Inner>,
    /// The turn is the thread's, or the thread slept for longer than it may.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    events: VecDeque<Event>,
    /// Bytes of calls among the events.
    weight: usize,
    turn: Turn,
    /// When the next timer is due.
    due: Option<Instant>,
    /// Until when the thread sleeps at most; `None` is for ever.
    sleeps_until: Option<Instant>,
    /// Why the runtime has to be given up.
    broken: Option<&'static str>,
    /// Nobody brings anything any more, or nobody works on it.
    is_closed: bool,
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Turn {
    /// The thread's, which begins by loading the script.
    #[default]
    Thread,
    /// That of a caller.
    Caller,
    /// Nobody has anything to do.
    Nobody,
}

/// What the thread has to do.
#[derive(Debug)]
pub(super) enum Next {
    /// To hand an event to the script.
    Event(Event),
    /// To fire the timers that are due.
    Timers,
    /// To start the script anew: this is what is wrong with it.
    Broken(&'static str),
    /// Nothing, ever again.
    End,
}

impl Inbox {
    /// Puts an event at the end. Says whether the turn is the caller's now, who
    /// may be given it.
    pub(super) fn put(&self, event: Event, may_be_given: bool) -> Result<bool, Fault> {
        let mut inner = self.inner.lock();
        if inner.is_closed {
            return Err(gone());
        }
        let weight = event.weight();
        if weight > 0 && inner.weight > 0 && inner.weight + weight > MAX_WAITING {
            return Err(Fault::busy("1,024 calls, or 64 MiB of them,"));
        }
        inner.weight += weight;
        inner.events.push_back(event);
        if inner.turn != Turn::Nobody {
            return Ok(false);
        }
        if may_be_given {
            inner.turn = Turn::Caller;
            return Ok(true);
        }
        self.to_thread(&mut inner);
        Ok(false)
    }

    /// The first event, for the caller whose turn it is.
    pub(super) fn take(&self) -> Option<Event> {
        self.inner.lock().take()
    }

    /// A caller is done, and the next timer is due then.
    pub(super) fn give_back(&self, due: Option<Instant>) {
        let mut inner = self.inner.lock();
        inner.due = due;
        if inner.is_closed || !inner.events.is_empty() || inner.is_due() {
            self.to_thread(&mut inner);
            return;
        }
        inner.turn = Turn::Nobody;
        let oversleeps = due.is_some_and(|due| inner.sleeps_until.is_none_or(|until| due < until));
        if oversleeps {
            self.changed.notify_one();
        }
    }

    /// A caller leaves the rest to the thread, which starts the script anew if
    /// something is wrong with it.
    pub(super) fn hand_over(&self, broken: Option<&'static str>) {
        let mut inner = self.inner.lock();
        inner.broken = inner.broken.or(broken);
        self.to_thread(&mut inner);
    }

    /// Waits for what the thread has to do, who has the turn then. Until then it
    /// gives the turn away; `due` is when the next timer is due.
    pub(super) fn next(&self, due: Option<Instant>) -> Next {
        let mut inner = self.inner.lock();
        if inner.turn == Turn::Thread {
            inner.due = due;
        }
        loop {
            if inner.turn == Turn::Caller {
                inner.sleeps_until = None;
                self.changed.wait(&mut inner);
                continue;
            }
            let next = if let Some(why) = inner.broken.take() {
                Next::Broken(why)
            } else if inner.is_closed {
                Next::End
            } else if let Some(event) = inner.take() {
                Next::Event(event)
            } else if inner.is_due() {
                Next::Timers
            } else {
                inner.turn = Turn::Nobody;
                inner.sleeps_until = inner.due;
                match inner.due {
                    None => self.changed.wait(&mut inner),
                    Some(due) => drop(self.changed.wait_until(&mut inner, due)),
                }
                continue;
            };
            inner.turn = Turn::Thread;
            return next;
        }
    }

    /// Nobody brings anything any more, or nobody works on it. What waits is
    /// dropped.
    pub(super) fn close(&self) {
        let mut inner = self.inner.lock();
        inner.is_closed = true;
        inner.weight = 0;
        let events = mem::take(&mut inner.events);
        self.changed.notify_one();
        drop(inner);
        // Each tells its caller.
        drop(events);
    }

    /// Whether nobody has the turn.
    #[cfg(test)]
    pub(super) fn is_free(&self) -> bool {
        self.inner.lock().turn == Turn::Nobody
    }

    fn to_thread(&self, inner: &mut Inner) {
        inner.turn = Turn::Thread;
        self.changed.notify_one();
    }
}

impl Inner {
    fn take(&mut self) -> Option<Event> {
        let event = self.events.pop_front()?;
        self.weight = self.weight.saturating_sub(event.weight());
        Some(event)
    }

    fn is_due(&self) -> bool {
        self.due.is_some_and(|due| due <= Instant::now())
    }
}

/// The fault of a script whose thread has ended, which only a panic makes it do.
fn gone() -> Fault {
    Fault::unreachable("has lost its thread")
}
