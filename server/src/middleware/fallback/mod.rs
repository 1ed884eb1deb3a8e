//! `fallback`: asks other models, in order, when one fails.
//!
//! What goes to the next model is the call as it came, but for the model and the
//! settings that this one does not know. Decisions pass as they are, and nothing
//! is asked again once somebody may have read a part of an answer.

mod config;
mod middleware;
mod strip;

#[cfg(test)]
mod tests;

pub use config::{FallbackConfig, FallbackModel};
pub use middleware::Fallback;

pub(super) use config::build;
