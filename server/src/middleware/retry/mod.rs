//! `retry`: makes a call that failed again, after a while, when that may help.
//!
//! What is tried again is a failure, never a decision: tripwires, a run that was
//! asked to stop and results, also those that say that a tool failed, pass as
//! they are. Nothing is tried again once somebody may have read a part of it.

mod attempts;
mod backoff;
mod config;
mod middleware;

#[cfg(test)]
mod tests;

pub use backoff::{Backoff, Random};
pub use config::{Jitter, RetriedCall, RetryConfig};
pub use middleware::Retry;

pub(super) use config::build;
