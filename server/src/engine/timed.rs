//! Bounds a middleware's work in time, and contains its panics.

use super::Fault;
use futures::FutureExt;
use std::{panic::AssertUnwindSafe, time::Duration};

/// Waits for what `start` begins, at most `limit`. A timeout and a panic are
/// faults, also a panic in `start` itself, before there is a future.
///
/// # Cancel safety
///
/// The work is dropped with the future, and when the limit passes.
pub(super) async fn within<T, W>(
    limit: Option<Duration>,
    start: impl FnOnce() -> W,
) -> Result<T, Fault>
where
    W: Future<Output = Result<T, Fault>>,
{
    let contained = AssertUnwindSafe(async { start().await }).catch_unwind();
    let finished = match limit {
        None => Ok(contained.await),
        Some(limit) => tokio::time::timeout(limit, contained).await.map_err(|_elapsed| limit),
    };
    match finished {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => Err(Fault::panicked(&*panic)),
        Err(limit) => Err(Fault::timeout(limit)),
    }
}
