//! What bounds a script.

use std::time::Duration;

/// What bounds a script, so that it harms nobody but itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScriptLimits {
    /// Bytes of memory for everything that it keeps and makes.
    pub(crate) memory: usize,
    /// Bytes of stack.
    pub(crate) stack: usize,
    /// How long it may run at a stretch, without waiting for anything.
    pub(crate) time: Duration,
    /// Characters of JSON of one answer, or of what it hands on at once.
    pub(crate) output: usize,
}

/// So many bytes of calls may wait for a script that is busy.
pub(super) const MAX_WAITING: usize = 64 << 20;

/// What a call counts for at least among them, so that 1,024 may wait.
pub(super) const LEAST_WEIGHT: usize = MAX_WAITING / 1024;

/// So many timers may run at once in a script. Those that a race against a
/// timeout leaves behind must find room, too.
pub(super) const MAX_TIMERS: usize = 65_536;

/// So often may one hook call use `next`.
pub(super) const MAX_NEXT: u32 = 256;

impl Default for ScriptLimits {
    fn default() -> Self {
        Self { memory: 32 << 20, stack: 512 << 10, time: Duration::from_secs(5), output: 4 << 20 }
    }
}
