//! The configurations that are in use: the one in force, and older ones that
//! runs or calls still have.

use crate::engine::{Chains, Link};
use arc_swap::ArcSwap;
use parking_lot::Mutex;
use std::{
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};
use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

/// One configuration's chains.
#[derive(Debug)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u64,
    /// A digest of the configuration's content.
    pub hash: String,
    /// Its chains.
    pub chains: Chains,
    /// When it was put in force.
    pub load_time: SystemTime,
    /// The last words of generations that are gone.
    flushes: TaskTracker,
}

/// Nobody uses it any more, so this is the last chance to write out what its
/// middleware hold back.
impl Drop for Generation {
    fn drop(&mut self) {
        let links = self.chains.links().to_vec();
        if let (false, Ok(runtime)) = (links.is_empty(), Handle::try_current()) {
            self.flushes.spawn_on(flush(links), &runtime);
        }
    }
}

async fn flush(links: Vec<Arc<Link>>) {
    for link in links {
        link.middleware.flush().await;
    }
}

/// Why the last changed configuration was not taken up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReloadFailure {
    /// When it was tried.
    pub time: SystemTime,
    /// Everything that is wrong with it.
    pub error: String,
}

/// Every generation that is in use.
#[derive(Debug)]
pub(super) struct Generations {
    current: ArcSwap<Generation>,
    /// All that were made and may still be in use. Taken to make one.
    made: Mutex<Vec<Weak<Generation>>>,
    flushes: TaskTracker,
    failure: Mutex<Option<ReloadFailure>>,
}

impl Generations {
    /// None but one without chains, whose number is 0.
    pub(super) fn new() -> Self {
        let flushes = TaskTracker::new();
        let none = Generation {
            number: 0,
            hash: String::new(),
            chains: Chains::new(Vec::new(), Duration::ZERO),
            load_time: SystemTime::now(),
            flushes: flushes.clone(),
        };
        Self {
            current: ArcSwap::from_pointee(none),
            made: Mutex::new(Vec::new()),
            flushes,
            failure: Mutex::new(None),
        }
    }

    /// The one in force.
    pub(super) fn current(&self) -> Arc<Generation> {
        self.current.load_full()
    }

    /// Whether one is in force yet.
    pub(super) fn is_empty(&self) -> bool {
        self.current.load().number == 0
    }

    /// Puts chains in force, unless they are those of the same content. Returns
    /// the number of the generation in force.
    pub(super) fn install(&self, chains: Chains, hash: &str) -> u64 {
        *self.failure.lock() = None;
        let mut made = self.made.lock();
        let current = self.current.load();
        if current.number > 0 && current.hash == hash {
            return current.number;
        }
        let number = current.number + 1;
        let next = Arc::new(Generation {
            number,
            hash: hash.into(),
            chains,
            load_time: SystemTime::now(),
            flushes: self.flushes.clone(),
        });
        made.retain(|generation| generation.strong_count() > 0);
        made.push(Arc::downgrade(&next));
        self.current.store(next);
        number
    }

    /// Notes that a changed configuration was not taken up.
    pub(super) fn fail(&self, error: String) {
        *self.failure.lock() = Some(ReloadFailure { time: SystemTime::now(), error });
    }

    /// Why the last changed configuration was not taken up, if it was not.
    pub(super) fn failure(&self) -> Option<ReloadFailure> {
        self.failure.lock().clone()
    }

    /// Lets the middleware of every generation write out what it holds back,
    /// also of those that have just gone out of use.
    pub(super) async fn flush(&self) {
        let alive: Vec<_> = self.made.lock().iter().filter_map(Weak::upgrade).collect();
        let links = alive.iter().map(|generation| generation.chains.links().to_vec());
        futures::future::join_all(links.map(flush)).await;
        self.flushes.close();
        self.flushes.wait().await;
    }
}

#[cfg(test)]
#[path = "generations_tests.rs"]
mod tests;
