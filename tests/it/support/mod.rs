//! The actors of the tests: a sidecar, its middleware, a runtime, a process.

mod contract;
mod exchange;
mod guard;
mod process;
mod runtime;
mod sidecar;

pub(crate) use contract::{method, pool, unary_requests};
pub(crate) use exchange::Exchange;
pub(crate) use guard::{Around, Said, answer, around, guard, no_opinion, slow_guard};
pub(crate) use process::{Process, address, binary, sidehook, sidehook_in};
use runtime::Bytes;
pub(crate) use runtime::{Runtime, refusal};
pub(crate) use sidecar::Sidecar;

use serde_json::{Value, json};
use std::{path::PathBuf, time::Duration};

/// Longer than anything takes that is not stuck.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The context of a run.
pub(crate) fn run(id: &str) -> Value {
    json!({ "run_id": id })
}

/// The root of the workspace.
pub(crate) fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Waits for `work`, and fails instead of hanging.
#[track_caller]
pub(crate) fn soon<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    let place = std::panic::Location::caller();
    async move {
        let done = tokio::time::timeout(PATIENCE, work).await;
        done.unwrap_or_else(|_| panic!("nothing happens at {place}"))
    }
}
