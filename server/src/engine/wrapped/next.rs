//! `next`: what a link calls to go on inwards.

use super::{
    audit::Audited,
    guarded::Flight,
    onion::Onion,
    sink::{self, Outlet, Sink},
};
use crate::{
    engine::{Fault, Link, run::in_form},
    hooks::{Wrapped, wrapped::HandedOn},
};
use parking_lot::Mutex;
use sidehook_proto::v1::{self, Relay};
use std::{fmt, sync::Arc, time::Duration};

/// Why a wrapped call has no result.
#[derive(Debug, Clone)]
pub enum WrapError {
    /// The link ends the run.
    Tripwire(v1::Tripwire),
    /// The link failed.
    Fault(Fault),
    /// What is inside the link has no result; it may be passed on with `?`.
    Inner(Inner),
}

impl WrapError {
    /// Ends the run.
    pub fn trip(reason: impl Into<String>) -> Self {
        Self::Tripwire(v1::Tripwire { reason: reason.into(), ..v1::Tripwire::default() })
    }
}

impl From<Fault> for WrapError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Inner> for WrapError {
    fn from(inner: Inner) -> Self {
        Self::Inner(inner)
    }
}

/// What is inside a link ended without a result: the real call failed, or a
/// link further in failed or ended the run.
#[derive(Debug, Clone)]
pub struct Inner(pub(super) Arc<Ending>);

#[derive(Debug)]
pub(super) enum Ending {
    Tripwire(v1::Tripwire),
    Failure(v1::Failure),
}

impl Inner {
    pub(super) fn failure(failure: v1::Failure) -> Self {
        Self(Arc::new(Ending::Failure(failure)))
    }

    pub(super) fn tripwire(tripwire: v1::Tripwire) -> Self {
        Self(Arc::new(Ending::Tripwire(in_form(tripwire))))
    }

    /// The failure, if it is one. A tripwire is not: it must be passed on, and
    /// never be retried.
    #[must_use]
    pub fn as_failure(&self) -> Option<&v1::Failure> {
        match &*self.0 {
            Ending::Failure(failure) => Some(failure),
            Ending::Tripwire(_) => None,
        }
    }

    /// The tripwire, if it is one.
    #[must_use]
    pub fn as_tripwire(&self) -> Option<&v1::Tripwire> {
        match &*self.0 {
            Ending::Tripwire(tripwire) => Some(tripwire),
            Ending::Failure(_) => None,
        }
    }
}

/// Why a call that failed must not be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unrepeatable {
    /// The chain is over, or the link only watches.
    Over,
    /// A link asked the run to stop.
    Stopping,
    /// Streamed text was released, or may have been.
    Shown,
}

/// What a link calls to go on inwards: zero times, once, or again, also at the
/// same time.
pub struct Next<'a, W: Wrapped> {
    pub(super) onion: &'a Onion<'a, W>,
    pub(super) link: &'a Link,
    /// The index of the next link inside.
    pub(super) depth: usize,
    /// What the link got.
    pub(super) got: Arc<W::Call>,
    pub(super) outlet: Option<&'a Outlet<'a, W>>,
    pub(super) flight: &'a Flight,
    pub(super) trail: &'a Trail<W>,
    pub(super) limit: Option<Duration>,
}

/// What a link did with `next`.
pub(super) struct Trail<W: Wrapped> {
    audited: Option<Arc<Audited<W>>>,
    pub(super) state: Mutex<Trodden<W>>,
}

pub(super) struct Trodden<W: Wrapped> {
    pub(super) calls: u32,
    pub(super) changed_call: bool,
    /// Every result that came from inside.
    pub(super) results: Vec<Arc<W::Result>>,
    /// The last failure that came from inside.
    failure: Option<Inner>,
    /// Why the link's sink failed.
    pub(super) sink_fault: Option<Fault>,
}

impl<W: Wrapped> fmt::Debug for Next<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").field("link", &self.link.name).finish_non_exhaustive()
    }
}

impl<W: Wrapped> Next<'_, W> {
    /// Goes on inwards with `call`, the one that the link got or a changed copy
    /// of it.
    ///
    /// # Errors
    ///
    /// What is inside has no result, or the link changed what it must not.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future abandons the real call: what the runtime still sends
    /// of it is dropped.
    pub async fn run(&self, call: Arc<W::Call>) -> Result<Arc<W::Result>, WrapError> {
        self.go(call, None).await
    }

    /// As [`Next::run`], and streamed text passes through `sink`. Works only for
    /// a middleware whose `stream_use` says that it rewrites streams.
    ///
    /// # Errors
    ///
    /// As for [`Next::run`].
    pub async fn run_through(
        &self,
        call: Arc<W::Call>,
        sink: Box<dyn Sink<W::Delta>>,
    ) -> Result<Arc<W::Result>, WrapError> {
        let outlet = Outlet::new(sink, self.link, self.limit, self.outlet, self.trail);
        self.go(call, Some(&outlet)).await
    }

    /// Releases streamed text of the link's own, through the sinks outside it.
    /// Does nothing unless [`Next::is_relayed`].
    ///
    /// # Errors
    ///
    /// A sink outside the link failed, which ended the chain.
    pub async fn emit(&self, deltas: Vec<W::Delta>) -> Result<(), WrapError> {
        if !self.is_relayed() || self.trail.audited.is_some() {
            return Ok(());
        }
        let sent = sink::send(self.outlet, deltas, self.onion.port).await;
        Ok(sent.map_err(|inner| self.onion.notes.end(inner))?)
    }

    /// Whether streamed text passes the links, so that a sink sees it.
    #[must_use]
    pub fn is_relayed(&self) -> bool {
        self.onion.relay == Relay::Relayed
    }

    /// Whether streamed text was released already, so that another try would
    /// show it twice. Text that a link further out holds back counts too.
    #[must_use]
    pub fn has_emitted(&self) -> bool {
        self.onion.port.has_emitted() || self.outlet.is_some_and(Outlet::has_taken)
    }

    /// Whether a call that failed may be made again, as far as the chain is
    /// concerned.
    ///
    /// # Errors
    ///
    /// Why it must not.
    pub fn may_repeat(&self) -> Result<(), Unrepeatable> {
        let shown = match self.onion.relay {
            Relay::Held => false,
            Relay::Relayed => self.has_emitted(),
            // The runtime shows what comes, and does not say what came.
            Relay::Direct | Relay::Unspecified => self.onion.streaming,
        };
        if self.is_audited() || self.onion.notes.over().is_some() {
            Err(Unrepeatable::Over)
        } else if self.onion.notes.is_stopping() {
            Err(Unrepeatable::Stopping)
        } else if shown {
            Err(Unrepeatable::Shown)
        } else {
            Ok(())
        }
    }

    /// Whether the links inside did more than give their result: one failed,
    /// added context or asked the run to stop. The result alone is then not what
    /// the call came to.
    #[must_use]
    pub fn did_more_inside(&self) -> bool {
        self.onion.notes.has_more_beyond(self.onion.place(self.depth.saturating_sub(1)))
    }

    /// Whether the result is streamed to somebody.
    #[must_use]
    pub fn is_streaming(&self) -> bool {
        self.onion.streaming
    }

    /// Whether the link is in audit mode, so that nothing may wait for it.
    #[must_use]
    pub fn is_audited(&self) -> bool {
        self.trail.audited.is_some()
    }

    async fn go(
        &self,
        call: Arc<W::Call>,
        own: Option<&Outlet<'_, W>>,
    ) -> Result<Arc<W::Result>, WrapError> {
        let handed = W::hand_on(&self.got, call).map_err(Fault::malformed)?;
        let call = match handed {
            HandedOn::Answer(result) => return Ok(result),
            HandedOn::Call(call) => call,
        };
        let changed = !Arc::ptr_eq(&call, &self.got);
        {
            let mut trail = self.trail.state.lock();
            trail.calls += 1;
            trail.changed_call |= changed;
        }
        let away = self.flight.depart();
        let result = match &self.trail.audited {
            Some(audited) => audited.result().await,
            None => self.inwards(call, own).await,
        };
        drop(away);
        let mut trail = self.trail.state.lock();
        match &result {
            Ok(result) => trail.results.push(Arc::clone(result)),
            Err(inner) => trail.failure = Some(inner.clone()),
        }
        Ok(result?)
    }

    async fn inwards(
        &self,
        call: Arc<W::Call>,
        own: Option<&Outlet<'_, W>>,
    ) -> Result<Arc<W::Result>, Inner> {
        if let Some(over) = self.onion.notes.over() {
            return Err(over);
        }
        // Text that is not relayed comes past no sink, so that there is nothing
        // to finish either.
        let Some(own) = own.filter(|_| self.onion.relay == Relay::Relayed) else {
            return self.onion.descend(self.depth, call, self.outlet).await;
        };
        let result = self.onion.descend(self.depth, call, Some(own)).await?;
        let finished = own.finish(self.onion.port).await;
        finished.map_err(|inner| self.onion.notes.end(inner))?;
        Ok(result)
    }
}

impl<W: Wrapped> Trail<W> {
    pub(super) fn new(audited: Option<Arc<Audited<W>>>) -> Self {
        let state = Trodden {
            calls: 0,
            changed_call: false,
            results: Vec::new(),
            failure: None,
            sink_fault: None,
        };
        Self { audited, state: Mutex::new(state) }
    }
}

impl<W: Wrapped> Trodden<W> {
    /// The result from inside that equals `result`, so that a copy counts as
    /// unchanged, or else `result`.
    pub(super) fn original(&self, result: Arc<W::Result>) -> Arc<W::Result> {
        if self.results.iter().any(|inner| Arc::ptr_eq(inner, &result)) {
            return result;
        }
        self.results.iter().rev().find(|inner| **inner == result).cloned().unwrap_or(result)
    }

    /// What came from inside: rather a result than a failure.
    pub(super) fn best(&self) -> Option<Result<Arc<W::Result>, Inner>> {
        let result = self.results.last().cloned().map(Ok);
        result.or_else(|| self.failure.clone().map(Err))
    }
}

/// Whether two are equal, without a look inside when they are one.
pub(super) fn same<T: PartialEq>(one: &Arc<T>, other: &Arc<T>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}
