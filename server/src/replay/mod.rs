//! Plays a recorded agent run through a sidecar, as its runtime would.

mod play;
mod recorded;

pub use play::{Happened, Seen, Tools, play};
pub use recorded::{NotRecorded, Recorded, Turn};
