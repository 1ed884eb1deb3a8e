//! Runs and their state: which runs are open, and what their middleware
//! remembers.

mod answers;
mod memory;
mod registry;
mod state;

#[cfg(test)]
mod conformance;

pub use answers::Answers;
pub use memory::MemoryStore;
pub use registry::{Admission, Bounds, Ending, Refused, Run, Runs};
pub use state::{RunState, Scope, StateBounds, StateError, StateStore};
