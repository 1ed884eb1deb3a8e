//! `cache`: answers calls to models from memory.
//!
//! A call's key is a digest of a canonical form of its request (`key`,
//! `canonical`). Equal calls at the same time are joined (`flights`): one is
//! made, and the others get its answer. What is kept (`store`) is bounded in
//! bytes and time, and is given back as it came, also piece by piece.

mod cached;
mod canonical;
mod config;
mod flights;
mod kept;
mod key;
mod middleware;
mod recorder;
mod store;
mod tool_calls;

#[cfg(test)]
mod tests;

pub use config::{CacheConfig, CacheScope, CachedCall};
pub use middleware::Cache;

pub(super) use config::build;
