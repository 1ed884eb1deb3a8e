//! What a store of run state must do. One conformance suite holds for every
//! store.

use async_trait::async_trait;
use serde_json::Value;
use std::{fmt, sync::Arc};

/// A part of a run's state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Shared by the run's middleware.
    Run,
    /// Shared by the middleware that see one logical model call.
    Call(Arc<str>),
    /// One middleware's scratch space within the run.
    Own(Arc<str>),
}

/// How large state may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateBounds {
    /// Bytes of one value, as JSON.
    pub value_bytes: usize,
    /// Bytes of all keys and values of one run.
    pub run_bytes: usize,
}

/// Why an operation on state failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The hook call is over, so that its late writes are discarded.
    #[error("the hook call is over")]
    CallOver,
    /// The run has ended.
    #[error("the run has ended")]
    RunOver,
    /// The value is too large.
    #[error("the value of `{key}` has {bytes} bytes; at most {limit} are allowed")]
    ValueTooLarge {
        /// Its key.
        key: String,
        /// Its size.
        bytes: usize,
        /// The bound.
        limit: usize,
    },
    /// The run's state is full.
    #[error("the run's state is full: at most {limit} bytes are allowed")]
    RunFull {
        /// The bound.
        limit: usize,
    },
    /// The value is no integer, or the sum is none.
    #[error("the value of `{key}` is no integer that can be added to")]
    NotAnInteger {
        /// Its key.
        key: String,
    },
    /// The store does not answer.
    #[error("the state store does not answer: {0}")]
    Unavailable(String),
}

impl From<StateError> for crate::engine::Fault {
    fn from(error: StateError) -> Self {
        Self::threw(format!("could not use its state: {error}"))
    }
}

/// Where the state of runs lives.
pub trait StateStore: Send + Sync + fmt::Debug + 'static {
    /// The state of a run, empty at first.
    fn open(&self, run_id: &str) -> Arc<dyn RunState>;
}

/// The state of one run. Every operation is atomic.
#[async_trait]
pub trait RunState: Send + Sync + fmt::Debug + 'static {
    /// Reads a value.
    ///
    /// # Errors
    ///
    /// The store does not answer, or the run has ended.
    async fn get(&self, scope: &Scope, key: &str) -> Result<Option<Value>, StateError>;

    /// Writes a value.
    ///
    /// # Errors
    ///
    /// As for [`RunState::get`]; also when a bound is reached.
    async fn set(&self, scope: &Scope, key: &str, value: Value) -> Result<(), StateError>;

    /// Removes a value and returns it.
    ///
    /// # Errors
    ///
    /// As for [`RunState::get`].
    async fn remove(&self, scope: &Scope, key: &str) -> Result<Option<Value>, StateError>;

    /// Adds to an integer, an absent one counting as 0, and returns the sum.
    ///
    /// # Errors
    ///
    /// As for [`RunState::set`]; also when the value is no integer.
    async fn add(&self, scope: &Scope, key: &str, amount: i64) -> Result<i64, StateError>;

    /// Writes `new` if the value is `expected`, and says whether it did. `None`
    /// is an absent value.
    ///
    /// # Errors
    ///
    /// As for [`RunState::set`].
    async fn compare_and_set(
        &self,
        scope: &Scope,
        key: &str,
        expected: Option<&Value>,
        new: Option<Value>,
    ) -> Result<bool, StateError>;

    /// Forgets everything in a scope.
    ///
    /// # Errors
    ///
    /// The store does not answer.
    async fn clear(&self, scope: &Scope) -> Result<(), StateError>;

    /// Forgets everything, for good: later operations fail.
    ///
    /// # Errors
    ///
    /// The store does not answer.
    async fn close(&self) -> Result<(), StateError>;

    /// Bytes of all keys and values, as far as this process knows.
    fn byte_count(&self) -> usize;
}
