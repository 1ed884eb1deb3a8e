//! What a script's thread and those who hold it can see of each other while it
//! runs.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

/// Signs of life, and of its end.
#[derive(Debug)]
pub(crate) struct Signs {
    born: Instant,
    /// When the stretch of work that goes on began, in milliseconds of the
    /// thread's life and at least 1. 0 while it rests.
    busy: AtomicU64,
    /// How many bytes of calls the thread has not looked at yet.
    pub(crate) waiting: AtomicUsize,
    /// Set when nobody holds the thread any more.
    pub(crate) unused: AtomicBool,
}

impl Signs {
    pub(crate) fn new() -> Self {
        Self {
            born: Instant::now(),
            busy: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            unused: AtomicBool::new(false),
        }
    }

    /// A stretch of work begins.
    pub(super) fn works(&self, since: Instant) {
        let age = since.saturating_duration_since(self.born).as_millis();
        self.busy.store(u64::try_from(age).unwrap_or(u64::MAX).max(1), Ordering::Relaxed);
    }

    /// A stretch of work is over.
    pub(super) fn rests(&self) {
        self.busy.store(0, Ordering::Relaxed);
    }

    /// Whether one stretch of work has gone on for longer than `limit`.
    pub(crate) fn is_stuck(&self, limit: Duration) -> bool {
        let since = self.busy.load(Ordering::Relaxed);
        since > 0 && self.born.elapsed() > Duration::from_millis(since) + limit
    }
}
