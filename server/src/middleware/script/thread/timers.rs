//! The timers that a script has set.

use super::super::limits::MAX_TIMERS;
use std::{
    collections::{BTreeSet, HashMap},
    time::{Duration, Instant},
};

/// A timer that has not fired yet.
#[derive(Debug, Clone, Copy)]
struct Timer {
    due: Instant,
    /// How often it repeats.
    every: Option<Duration>,
    /// The hook call that set it, if one did.
    call: Option<u64>,
}

/// The timers of a script, by when they are due.
#[derive(Debug, Default)]
pub(super) struct Timers {
    timers: HashMap<u32, Timer>,
    due: BTreeSet<(Instant, u32)>,
    last: u32,
}

impl Timers {
    /// Sets a timer and returns its number, or `None` when there are too many.
    pub(super) fn start(
        &mut self,
        after: Duration,
        repeats: bool,
        call: Option<u64>,
    ) -> Option<u32> {
        if self.timers.len() >= MAX_TIMERS {
            return None;
        }
        self.last = self.last.wrapping_add(1);
        // Timers without a pause would leave no time for anything else.
        let after = after.max(Duration::from_millis(1));
        let every = repeats.then_some(after);
        self.put(self.last, Timer { due: Instant::now() + after, every, call });
        Some(self.last)
    }

    /// Clears a timer.
    pub(super) fn clear(&mut self, id: u32) {
        if let Some(timer) = self.timers.remove(&id) {
            self.due.remove(&(timer.due, id));
        }
    }

    /// Clears the timers of a call, and returns their numbers.
    pub(super) fn clear_call(&mut self, call: u64) -> Vec<u32> {
        if self.timers.is_empty() {
            return Vec::new();
        }
        let of_call = |(id, timer): (&u32, &Timer)| (timer.call == Some(call)).then_some(*id);
        let mut ids: Vec<_> = self.timers.iter().filter_map(of_call).collect();
        ids.sort_unstable();
        for id in &ids {
            self.clear(*id);
        }
        ids
    }

    /// How long it is until the next timer is due.
    pub(super) fn wait(&self) -> Option<Duration> {
        let (due, _) = self.due.first()?;
        Some(due.saturating_duration_since(Instant::now()))
    }

    /// Whether no timer is set.
    pub(super) fn is_empty(&self) -> bool {
        self.timers.is_empty()
    }

    /// Takes the next timer that is due at `now`: its number and its call.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<(u32, Option<u64>)> {
        let (due, id) = self.due.first().copied()?;
        if due > now {
            return None;
        }
        let timer = self.timers.get(&id).copied()?;
        self.clear(id);
        if let Some(every) = timer.every {
            self.put(id, Timer { due: Instant::now() + every, ..timer });
        }
        Some((id, timer.call))
    }

    fn put(&mut self, id: u32, timer: Timer) {
        self.timers.insert(id, timer);
        self.due.insert((timer.due, id));
    }
}
