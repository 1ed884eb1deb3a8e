//! A script's own thread: its runtime, and the loop that feeds it.

mod clock;
pub(crate) mod event;
mod native;
mod open;
pub(crate) mod realm;
pub(crate) mod run;
pub(crate) mod signs;
mod timers;
