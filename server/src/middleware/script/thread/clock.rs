//! Interrupts a script that runs for too long at a stretch, or that nobody waits
//! for any more.

use super::signs::Signs;
use std::{
    cell::{Cell, RefCell},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// How long work may go on that nobody waits for. Others of the script's calls
/// may have a share in it.
const GRACE: Duration = Duration::from_millis(100);

/// Watches one stretch of work at a time.
#[derive(Debug)]
pub(super) struct Clock {
    limit: Duration,
    signs: Arc<Signs>,
    started: Cell<Instant>,
    /// Set when nobody waits for what the stretch works on.
    cancelled: RefCell<Option<Arc<AtomicBool>>>,
    interrupted: Cell<bool>,
}

impl Clock {
    pub(super) fn new(limit: Duration, signs: &Arc<Signs>) -> Self {
        Self {
            limit,
            signs: Arc::clone(signs),
            started: Cell::new(Instant::now()),
            cancelled: RefCell::new(None),
            interrupted: Cell::new(false),
        }
    }

    /// A stretch starts, for a call with this flag.
    pub(super) fn start(&self, cancelled: Option<Arc<AtomicBool>>) {
        let now = Instant::now();
        self.signs.works(now);
        self.started.set(now);
        self.interrupted.set(false);
        *self.cancelled.borrow_mut() = cancelled;
    }

    /// The stretch is over.
    pub(super) fn stop(&self) {
        self.signs.rests();
    }

    /// Whether the work has to end now. Called by the engine while it runs.
    pub(super) fn interrupts(&self) -> bool {
        let over = self.must_end();
        if over {
            self.interrupted.set(true);
        }
        over
    }

    /// Whether the stretch was interrupted.
    pub(super) fn was_interrupted(&self) -> bool {
        self.interrupted.get()
    }

    /// Whether the stretch has gone on for as long as it may.
    pub(super) fn must_end(&self) -> bool {
        let spent = self.started.get().elapsed();
        spent >= self.limit
            || (spent >= GRACE && self.is_abandoned())
            || self.signs.unused.load(Ordering::Relaxed)
    }

    /// Leaves a little time for what follows from the end of one piece of work.
    pub(super) fn extend(&self) {
        let spent = self.limit.saturating_sub(GRACE);
        self.started.set(Instant::now().checked_sub(spent).unwrap_or_else(Instant::now));
        *self.cancelled.borrow_mut() = None;
    }

    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    fn is_abandoned(&self) -> bool {
        let cancelled = self.cancelled.borrow();
        cancelled.as_ref().is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }
}
