//! Bounds a middleware's work in time, and contains its panics.

use super::Fault;
use futures::FutureExt;
use std::{panic::AssertUnwindSafe, time::Duration};

/// How long a link may take where nothing says otherwise.
///
/// Source: document 004, "Rules that apply to every hook"; document 001,
/// "Timeouts".
pub(super) const DEFAULT: Duration = Duration::from_secs(5);

/// Waits for `work`, at most `limit`. A timeout and a panic are faults.
///
/// # Cancel safety
///
/// `work` is dropped with the future, and when the limit passes.
pub(super) async fn within<T>(
    limit: Option<Duration>,
    work: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let contained = AssertUnwindSafe(work).catch_unwind();
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
