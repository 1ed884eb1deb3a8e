//! Bounds a link's own work on a wrapped call: the time between frames, not the
//! time that the call takes.

use crate::engine::Fault;
use std::{
    pin::Pin,
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Sleep, sleep};

/// Whether a link waits for what is inside it.
#[derive(Debug, Default)]
pub(super) struct Flight {
    waiting: AtomicU32,
    /// Grows with every return from inside, which starts the clock anew.
    returns: AtomicU64,
}

impl Flight {
    /// The link waits until the guard is dropped.
    pub(super) fn depart(&self) -> impl Drop + use<'_> {
        struct Away<'a>(&'a Flight);
        impl Drop for Away<'_> {
            fn drop(&mut self) {
                self.0.waiting.fetch_sub(1, Ordering::Relaxed);
                self.0.returns.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Away(self)
    }
}

/// Waits for `work`, which may take at most `limit` whenever it does not wait
/// for what is inside it.
pub(super) async fn guarded<T>(
    limit: Option<Duration>,
    flight: &Flight,
    work: impl Future<Output = T>,
) -> Result<T, Fault> {
    let mut work = std::pin::pin!(work);
    let mut clock: Option<(u64, Pin<Box<Sleep>>)> = None;
    std::future::poll_fn(move |task: &mut Context<'_>| {
        if let Poll::Ready(value) = work.as_mut().poll(task) {
            return Poll::Ready(Ok(value));
        }
        let Some(limit) = limit else { return Poll::Pending };
        if flight.waiting.load(Ordering::Relaxed) > 0 {
            clock = None;
            return Poll::Pending;
        }
        let returns = flight.returns.load(Ordering::Relaxed);
        if clock.as_ref().is_none_or(|(since, _)| *since != returns) {
            clock = Some((returns, Box::pin(sleep(limit))));
        }
        match &mut clock {
            Some((_, sleep)) => sleep.as_mut().poll(task).map(|()| Err(Fault::timeout(limit))),
            None => Poll::Pending,
        }
    })
    .await
}
