//! A caller's turn: an event is worked on where its caller is, which saves two
//! threads from being woken.
//!
//! It is a task of its own, beside that of the caller, so that the caller can
//! still be dropped: when its link's time is over, or when nobody waits any more,
//! the script is interrupted as it is on its own thread. Tokio runs a task that
//! was just spawned next, on the same worker.

use super::{
    super::limits::STACK_BESIDE,
    desk::{Desk, anew},
    outbox::Message,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    task::block_in_place,
};

#[cfg(test)]
mod tests;

/// So many scripts may be worked on by callers at once. Each may hold a thread of
/// the runtime for as long as it may run, and the runtime has 512 for everything.
const MAX_INLINE: usize = 64;

static INLINE: AtomicUsize = AtomicUsize::new(0);

/// The runtime of the worker that this is called on, if a script may run there
/// that needs so much stack.
pub(super) fn worker(stack: usize) -> Option<Handle> {
    let handle = Handle::try_current().ok()?;
    let may = handle.runtime_flavor() == RuntimeFlavor::MultiThread
        && INLINE.load(Ordering::Relaxed) < MAX_INLINE
        && has_stack(stack);
    may.then_some(handle)
}

/// Whether this thread has so much stack left for a script, and what is needed
/// beside it.
fn has_stack(stack: usize) -> bool {
    stacker::remaining_stack().is_some_and(|left| left >= stack.saturating_add(STACK_BESIDE))
}

/// A caller's turn. Dropped without having been used, it is the thread's.
pub(super) struct Inline {
    desk: Arc<Desk>,
    is_over: bool,
}

impl Inline {
    pub(super) fn new(desk: Arc<Desk>) -> Self {
        Self { desk, is_over: false }
    }

    /// Works on the event that waits.
    pub(super) fn work(mut self) {
        let Some(_place) = Place::take() else { return };
        if !has_stack(self.desk.recipe.limits.stack) {
            return;
        }
        // The worker's other tasks go on elsewhere while the script runs.
        let said = block_in_place(|| self.turn());
        said.into_iter().for_each(Message::send);
    }

    /// The turn itself. Returns what is to be told to callers after it.
    fn turn(&mut self) -> Vec<Message> {
        let Some((health, said)) = self.desk.handle_first() else { return Vec::new() };
        self.is_over = true;
        match health {
            Ok(due) => self.desk.inbox.give_back(due),
            Err(why) => self.desk.inbox.hand_over(Some(why)),
        }
        said
    }
}

/// When the next timer of a script is due, or what is wrong with it; and what is to
/// be told to its callers.
type Handled = (Result<Option<Instant>, &'static str>, Vec<Message>);

impl Desk {
    /// Hands the first event to the script.
    fn handle_first(&self) -> Option<Handled> {
        let realm = self.realm.lock();
        let realm = realm.as_ref()?;
        let event = self.inbox.take()?;
        realm.shared.outbox.hold();
        let handled = catch_unwind(AssertUnwindSafe(|| realm.handle(event)));
        let health = handled.unwrap_or(Err("panicked"));
        if let Err(why) = health {
            realm.shared.fail_all(&anew(why));
        }
        Some((health.map(|()| realm.due()), realm.shared.outbox.release()))
    }
}

impl Drop for Inline {
    fn drop(&mut self) {
        if !self.is_over {
            self.desk.inbox.hand_over(None);
        }
    }
}

/// One of the places for callers that work on a script.
struct Place;

impl Place {
    fn take() -> Option<Self> {
        let place = Self;
        // Given back by the drop, also when it is one too many.
        (INLINE.fetch_add(1, Ordering::Relaxed) < MAX_INLINE).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        INLINE.fetch_sub(1, Ordering::Relaxed);
    }
}
