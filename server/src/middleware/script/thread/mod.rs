//! A script's runtime, the thread that it has, and the turns in which the thread
//! and callers work on what happens to it.

mod clock;
pub(crate) mod desk;
mod entry;
pub(crate) mod event;
mod inbox;
mod inline;
mod native;
mod open;
mod outbox;
pub(crate) mod realm;
mod reserve;
pub(crate) mod run;
pub(crate) mod signs;
mod timers;
mod work;
