//! Bounds a middleware's work in time, and contains its panics.

use super::Fault;
use futures::FutureExt;
use std::{panic::AssertUnwindSafe, pin::pin, task::Poll, time::Duration};
use tokio::time::{Instant, timeout};

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
    let started = Instant::now();
    let mut contained = pin!(AssertUnwindSafe(async { start().await }).catch_unwind());
    // Most links answer when they are first polled; those need no timer.
    let finished = match (futures::poll!(contained.as_mut()), limit) {
        (Poll::Ready(finished), _) => Ok(finished),
        (Poll::Pending, None) => Ok(contained.await),
        (Poll::Pending, Some(limit)) => {
            let left = limit.saturating_sub(started.elapsed());
            timeout(left, contained).await.map_err(|_elapsed| limit)
        }
    };
    match finished {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => Err(Fault::panicked(&*panic)),
        Err(limit) => Err(Fault::timeout(limit)),
    }
}
