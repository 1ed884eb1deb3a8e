//! Interrupts a script that runs for too long at a stretch, or that nobody waits
//! for any more.

use super::signs::Signs;
use parking_lot::Mutex;
use std::{
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
    stretch: Mutex<Stretch>,
    interrupted: AtomicBool,
}

#[derive(Debug)]
struct Stretch {
    started: Instant,
    /// Set when nobody waits for what the stretch works on.
    cancelled: Option<Arc<AtomicBool>>,
}

impl Clock {
    pub(super) fn new(limit: Duration, signs: &Arc<Signs>) -> Self {
        let stretch = Stretch { started: Instant::now(), cancelled: None };
        Self {
            limit,
            signs: Arc::clone(signs),
            stretch: Mutex::new(stretch),
            interrupted: AtomicBool::new(false),
        }
    }

    /// A stretch starts, for a call with this flag.
    pub(super) fn start(&self, cancelled: Option<Arc<AtomicBool>>) {
        let started = Instant::now();
        self.signs.works(started);
        self.interrupted.store(false, Ordering::Relaxed);
        *self.stretch.lock() = Stretch { started, cancelled };
    }

    /// The stretch is over.
    pub(super) fn stop(&self) {
        self.signs.rests();
    }

    /// Whether the work has to end now. Called by the engine while it runs.
    pub(super) fn interrupts(&self) -> bool {
        let over = self.must_end();
        if over {
            self.interrupted.store(true, Ordering::Relaxed);
        }
        over
    }

    /// Whether the stretch was interrupted.
    pub(super) fn was_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether the stretch has gone on for as long as it may.
    pub(super) fn must_end(&self) -> bool {
        let stretch = self.stretch.lock();
        let spent = stretch.started.elapsed();
        spent >= self.limit
            || (spent >= GRACE && stretch.is_abandoned())
            || self.signs.unused.load(Ordering::Relaxed)
    }

    /// Leaves a little time for what follows from the end of one piece of work.
    pub(super) fn extend(&self) {
        let (now, spent) = (Instant::now(), self.limit.saturating_sub(GRACE));
        let started = now.checked_sub(spent).unwrap_or(now);
        *self.stretch.lock() = Stretch { started, cancelled: None };
    }

    pub(super) fn limit(&self) -> Duration {
        self.limit
    }
}

impl Stretch {
    fn is_abandoned(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }
}
