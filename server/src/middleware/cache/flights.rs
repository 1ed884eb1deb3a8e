//! Calls that are being made, so that equal ones can wait for them.

use super::{kept::Kept, key::Key};
use parking_lot::Mutex;
use std::{collections::HashMap, sync::Arc};
use tokio::sync::watch;

/// What a call came to, for those that wait for it.
#[derive(Debug, Clone)]
pub(super) enum Landed {
    /// An answer that they share.
    Shared(Arc<Kept>),
    /// Nothing that can be shared: each makes its own call.
    Alone,
}

/// The calls that are being made, by key.
#[derive(Debug, Default)]
pub(super) struct Flights(Mutex<HashMap<Key, watch::Receiver<Option<Landed>>>>);

/// What a call is to do.
#[derive(Debug)]
pub(super) enum Entered {
    /// There is an answer.
    Hit(Arc<Kept>),
    /// An equal call is being made.
    Joins(Waiting),
    /// It is made, and equal ones wait for it.
    Leads(Flight),
}

/// Waits for an equal call.
#[derive(Debug)]
pub(super) struct Waiting(watch::Receiver<Option<Landed>>);

/// A call that equal ones wait for. Dropped before it has landed, it leaves them to make it.
#[derive(Debug)]
pub(super) struct Flight {
    flights: Arc<Flights>,
    key: Key,
    landed: watch::Sender<Option<Landed>>,
}

impl Flights {
    /// Says what a call with `key` is to do; `kept` looks for an answer.
    pub(super) fn enter(
        self: &Arc<Self>,
        key: Key,
        kept: impl FnOnce() -> Option<Arc<Kept>>,
    ) -> Entered {
        let mut flights = self.0.lock();
        // Under the lock: an answer is there before its flight is gone.
        if let Some(kept) = kept() {
            return Entered::Hit(kept);
        }
        if let Some(flight) = flights.get(&key) {
            return Entered::Joins(Waiting(flight.clone()));
        }
        let (landed, waiting) = watch::channel(None);
        flights.insert(key, waiting);
        Entered::Leads(Flight { flights: Arc::clone(self), key, landed })
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }
}

impl Waiting {
    /// What the call came to, or `None` when whoever made it went away.
    pub(super) async fn landed(mut self) -> Option<Landed> {
        let landed = self.0.wait_for(Option::is_some).await;
        landed.ok().and_then(|landed| landed.clone())
    }
}

impl Flight {
    /// The call came to this.
    pub(super) fn land(self, landed: Landed) {
        self.landed.send_replace(Some(landed));
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.flights.0.lock().remove(&self.key);
    }
}
