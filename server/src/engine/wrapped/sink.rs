//! Streamed text on its way out: sinks of links, innermost first, then the
//! runtime.

use super::{Inner, Port, next::Trail};
use crate::{
    engine::{Fault, Link, OnFault, timed},
    hooks::Wrapped,
};
use async_trait::async_trait;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use tokio::sync::Mutex;

/// What a middleware does with streamed text, which decides the relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StreamUse {
    /// It leaves it alone.
    Untouched,
    /// It sees or rewrites it as it passes, through a [`Sink`].
    Rewrites,
    /// It needs it to be held until the call is done.
    Holds,
}

/// Sees and rewrites streamed text as it passes.
#[async_trait]
pub trait Sink<D>: Send {
    /// Takes a piece and returns what may go on now.
    ///
    /// # Errors
    ///
    /// The sink fails, which is a fault of its link.
    async fn push(&mut self, delta: D) -> Result<Vec<D>, Fault>;

    /// Returns what was held back, at the end of the stream.
    ///
    /// # Errors
    ///
    /// As for [`Sink::push`].
    async fn finish(&mut self) -> Result<Vec<D>, Fault>;
}

/// A link's sink, and where its text goes on to.
pub struct Outlet<'a, W: Wrapped> {
    sink: Mutex<Box<dyn Sink<W::Delta>>>,
    link: &'a Link,
    limit: Option<Duration>,
    outer: Option<&'a Outlet<'a, W>>,
    trail: &'a Trail<W>,
    /// A sink that failed under `skip` lets the rest pass as it is.
    broken: AtomicBool,
    /// Whether a piece came, which the sink may still hold back.
    taken: AtomicBool,
}

impl<W: Wrapped> std::fmt::Debug for Outlet<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outlet").field("link", &self.link.name).finish_non_exhaustive()
    }
}

impl<'a, W: Wrapped> Outlet<'a, W> {
    pub(super) fn new(
        sink: Box<dyn Sink<W::Delta>>,
        link: &'a Link,
        limit: Option<Duration>,
        outer: Option<&'a Self>,
        trail: &'a Trail<W>,
    ) -> Self {
        let (broken, taken) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { sink: Mutex::new(sink), link, limit, outer, trail, broken, taken }
    }

    /// Whether a piece came here or further out: it cannot be taken back, also
    /// while a sink holds it.
    pub(super) fn has_taken(&self) -> bool {
        self.taken.load(Ordering::Relaxed) || self.outer.is_some_and(Self::has_taken)
    }

    /// Takes a piece and returns what goes on to the next outlet.
    async fn pass(&self, delta: W::Delta) -> Result<Vec<W::Delta>, Inner> {
        self.taken.store(true, Ordering::Relaxed);
        if self.broken.load(Ordering::Relaxed) {
            return Ok(vec![delta]);
        }
        let spare = delta.clone();
        let mut sink = self.sink.lock().await;
        match timed::within(self.limit, || sink.push(delta)).await {
            Ok(deltas) => Ok(deltas),
            Err(fault) => self.fault(&fault).map(|()| vec![spare]),
        }
    }

    /// Sends what the sink held back on to the outer outlets.
    pub(super) async fn finish(&self, port: &Port<W>) -> Result<(), Inner> {
        if self.broken.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut sink = self.sink.lock().await;
        let rest = timed::within(self.limit, || sink.finish()).await;
        drop(sink);
        match rest {
            Ok(deltas) => send(self.outer, deltas, port).await,
            Err(fault) => self.fault(&fault),
        }
    }

    fn fault(&self, fault: &Fault) -> Result<(), Inner> {
        self.link.counters.failed();
        let (middleware, hook) = (&*self.link.name, W::ID.name());
        tracing::warn!(middleware, hook, %fault, "sink failed");
        self.trail.state.lock().sink_fault.get_or_insert_with(|| fault.clone());
        if self.link.on_fault.at(W::ID) == OnFault::Skip {
            self.broken.store(true, Ordering::Relaxed);
            return Ok(());
        }
        Err(Inner::failure(fault.to_failure(&self.link.name)))
    }
}

/// Sends `deltas` through `outlet` and everything outside it to the runtime.
pub(super) async fn send<W: Wrapped>(
    mut outlet: Option<&Outlet<'_, W>>,
    mut deltas: Vec<W::Delta>,
    port: &Port<W>,
) -> Result<(), Inner> {
    while let Some(current) = outlet {
        let mut passed = Vec::new();
        for delta in deltas {
            passed.extend(current.pass(delta).await?);
        }
        deltas = passed;
        outlet = current.outer;
    }
    for delta in deltas {
        port.emit(delta).await;
    }
    Ok(())
}
