//! The open runs: a concurrent map keyed by run id, bounded in number, idle
//! time and age.
//!
//! One queue holds every open run by the time at which it was last found in use.
//! The oldest entry is looked at first: a run that was used since goes back with
//! its new time, another one is the one that was idle longest, and is evicted. So
//! both bounds cost little work per opened run, and memory stays flat when
//! runtimes never say that a run ended.

use super::{Answers, RunState, StateStore};
use dashmap::{DashMap, Entry};
use moka::sync::Cache;
use parking_lot::Mutex;
use std::{
    cmp::Ordering as Compared,
    collections::BinaryHeap,
    fmt,
    hash::{BuildHasher, RandomState},
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};
use tokio::time::Instant;

/// How many runs there may be, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// A run without a hook for so long is evicted.
    pub idle_ttl: Duration,
    /// A run that was opened so long ago is evicted.
    pub max_age: Duration,
    /// When there are more, the one idle for longest is evicted.
    pub max_runs: usize,
}

/// One open run.
pub struct Run<P> {
    id: Box<str>,
    opened: Instant,
    open_time: SystemTime,
    /// Milliseconds after `opened` of the last hook.
    last_used: AtomicU64,
    hooks: AtomicI64,
    state: Arc<dyn RunState>,
    answers: OnceLock<Box<Answers>>,
    /// What the run keeps from its start, here the chains.
    pinned: P,
}

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Its runtime, or an operator, said so.
    Ended,
    /// It was idle or open for too long, or there were too many.
    Evicted,
}

/// How a hook may find a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Opens it if it is new.
    Open,
    /// Opens it also if it has ended: it is resumed.
    Reopen,
    /// Only if it is open: new runs are refused.
    Known,
}

/// Why a hook does not find a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The run has come to an end.
    Over(Ending),
    /// The run is not open, and new ones are refused.
    New,
}

/// Every run that is open, and the endings of recent ones.
pub struct Runs<P> {
    open: DashMap<Box<str>, Arc<Run<P>>>,
    queue: Mutex<Queue<P>>,
    /// Endings by the hash of the run's id, so that a guard's counters never
    /// start anew without notice. Bounded like the open runs.
    endings: Cache<u64, Ending>,
    hasher: RandomState,
    bounds: Bounds,
    store: Arc<dyn StateStore>,
    /// Told of every run that is evicted, so that its state can be closed.
    evicted: Evicted<P>,
}

type Evicted<P> = Box<dyn Fn(Arc<Run<P>>) + Send + Sync>;

struct Queue<P> {
    runs: BinaryHeap<Seen<P>>,
    /// Entries whose run has ended.
    ended: usize,
}

/// An open run, and when it was last found in use. The one to look at next is
/// the greatest: it was in use longest ago. It does not keep a run that has
/// ended, nor what that run had pinned.
struct Seen<P>(Instant, Weak<Run<P>>);

impl<P> Ord for Seen<P> {
    fn cmp(&self, other: &Self) -> Compared {
        other.0.cmp(&self.0)
    }
}

impl<P> PartialOrd for Seen<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Compared> {
        Some(self.cmp(other))
    }
}

impl<P> PartialEq for Seen<P> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<P> Eq for Seen<P> {}

impl<P> fmt::Debug for Run<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("id", &self.id).finish_non_exhaustive()
    }
}

impl<P> fmt::Debug for Runs<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runs").field("open", &self.open.len()).finish_non_exhaustive()
    }
}

impl<P> Run<P> {
    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// When it was opened.
    pub fn open_time(&self) -> SystemTime {
        self.open_time
    }

    /// How long it has been open.
    pub fn age(&self) -> Duration {
        self.opened.elapsed()
    }

    /// How old it was when its last hook came.
    pub fn age_at_last_hook(&self) -> Duration {
        Duration::from_millis(self.last_used.load(Ordering::Relaxed))
    }

    /// When its last hook came.
    pub fn last_hook_time(&self) -> SystemTime {
        self.open_time + self.age_at_last_hook()
    }

    /// How many hooks it has called.
    pub fn hook_count(&self) -> i64 {
        self.hooks.load(Ordering::Relaxed)
    }

    /// Its state.
    pub fn state(&self) -> &Arc<dyn RunState> {
        &self.state
    }

    /// Its stored answers.
    pub fn answers(&self) -> &Answers {
        self.answers.get_or_init(Box::default)
    }

    /// What it keeps from its start.
    pub fn pinned(&self) -> &P {
        &self.pinned
    }

    /// A hook came when the run was `age` old.
    fn used(&self, age: Duration) {
        let since = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        self.last_used.store(since, Ordering::Relaxed);
        self.hooks.fetch_add(1, Ordering::Relaxed);
    }

    fn last_used(&self) -> Instant {
        self.opened + self.age_at_last_hook()
    }
}

impl<P: Send + Sync + 'static> Runs<P> {
    /// No runs yet; their state will live in `store`. `evicted` is told of every
    /// run that is evicted, so that its state can be closed.
    pub fn new(
        bounds: Bounds,
        store: Arc<dyn StateStore>,
        evicted: impl Fn(Arc<Run<P>>) + Send + Sync + 'static,
    ) -> Self {
        let remembered = u64::try_from(bounds.max_runs).unwrap_or(u64::MAX);
        let endings = Cache::builder().max_capacity(remembered).time_to_live(bounds.max_age);
        Self {
            open: DashMap::new(),
            queue: Mutex::new(Queue { runs: BinaryHeap::new(), ended: 0 }),
            endings: endings.eviction_policy(moka::policy::EvictionPolicy::lru()).build(),
            hasher: RandomState::new(),
            bounds,
            store,
            evicted: Box::new(evicted),
        }
    }

    /// Finds the run that a hook belongs to, opening it if it may be opened.
    /// `pin` makes what a new run keeps.
    ///
    /// # Errors
    ///
    /// Why the hook is refused.
    pub fn admit(
        &self,
        id: &str,
        admission: Admission,
        pin: impl FnOnce() -> P,
    ) -> Result<Arc<Run<P>>, Refused> {
        if let Some(run) = self.find(id) {
            let age = run.age();
            if age < self.bounds.max_age {
                run.used(age);
                return Ok(run);
            }
            self.evict(&run);
        }
        if admission == Admission::Reopen {
            self.endings.invalidate(&self.hasher.hash_one(id));
        } else if let Some(ending) = self.ending(id) {
            return Err(Refused::Over(ending));
        }
        if admission == Admission::Known {
            return Err(Refused::New);
        }
        let run = match self.open.entry(id.into()) {
            Entry::Occupied(run) => Arc::clone(run.get()),
            Entry::Vacant(place) => {
                let run = Arc::new(self.fresh(id, pin()));
                place.insert(Arc::clone(&run));
                self.queue.lock().runs.push(Seen(run.opened, Arc::downgrade(&run)));
                run
            }
        };
        run.used(run.age());
        if self.open.len() > self.bounds.max_runs {
            self.make_room();
        }
        Ok(run)
    }

    /// Ends a run and says whether it was open. Its state is to be closed by the
    /// caller, who has it in hand.
    pub fn end(&self, id: &str, ending: Ending) -> Option<Arc<Run<P>>> {
        let (_, run) = self.open.remove(id)?;
        self.endings.insert(self.hasher.hash_one(id), ending);
        let mut queue = self.queue.lock();
        queue.ended += 1;
        // Ended runs leave the queue in bulk, once they are the larger part.
        if queue.ended > 1024 && queue.ended * 2 > queue.runs.len() {
            queue.runs.retain(|Seen(_, run)| self.still_open(run).is_some());
            queue.ended = 0;
        }
        Some(run)
    }

    /// A run that is open.
    pub fn find(&self, id: &str) -> Option<Arc<Run<P>>> {
        self.open.get(id).map(|run| Arc::clone(&run))
    }

    /// How a run ended, if it did lately.
    pub fn ending(&self, id: &str) -> Option<Ending> {
        self.endings.get(&self.hasher.hash_one(id))
    }

    /// How many runs are open.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether no run is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The open runs with ids after `after`, at most `count`, by id.
    pub fn page(&self, after: &str, count: usize) -> Vec<Arc<Run<P>>> {
        let later = self.open.iter().filter(|run| run.id() > after).map(|run| Arc::clone(&run));
        let mut runs: Vec<_> = later.collect();
        runs.sort_by(|a, b| a.id.cmp(&b.id));
        runs.truncate(count);
        runs
    }

    /// Evicts the runs that were idle or open for too long. To be called now and
    /// then.
    pub fn sweep(&self) {
        let now = Instant::now();
        loop {
            let mut queue = self.queue.lock();
            let due = queue.runs.peek().is_some_and(|seen| now - seen.0 >= self.bounds.idle_ttl);
            let Some(Seen(_, run)) = due.then(|| queue.runs.pop()).flatten() else { return };
            let Some(run) = self.still_open(&run) else {
                queue.ended = queue.ended.saturating_sub(1);
                continue;
            };
            let used = run.last_used();
            let idle = now - used >= self.bounds.idle_ttl;
            if !idle && run.age() < self.bounds.max_age {
                queue.runs.push(Seen(used, Arc::downgrade(&run)));
                continue;
            }
            drop(queue);
            self.evict(&run);
        }
    }

    /// Evicts runs until there are no more than the bound allows.
    fn make_room(&self) {
        // A run that was used since it was queued gets another chance, but only
        // one a round, so that this ends also when all are in use.
        let mut chances = self.queue.lock().runs.len();
        while self.open.len() > self.bounds.max_runs {
            let mut queue = self.queue.lock();
            let Some(Seen(seen, run)) = queue.runs.pop() else { return };
            let Some(run) = self.still_open(&run) else {
                queue.ended = queue.ended.saturating_sub(1);
                continue;
            };
            let used = run.last_used();
            if used > seen && chances > 0 {
                chances -= 1;
                queue.runs.push(Seen(used, Arc::downgrade(&run)));
                continue;
            }
            drop(queue);
            self.evict(&run);
        }
    }

    fn evict(&self, run: &Arc<Run<P>>) {
        let removed = self.open.remove_if(&*run.id, |_, open| Arc::ptr_eq(open, run));
        if let Some((_, run)) = removed {
            self.endings.insert(self.hasher.hash_one(&*run.id), Ending::Evicted);
            (self.evicted)(run);
        }
    }

    fn still_open(&self, run: &Weak<Run<P>>) -> Option<Arc<Run<P>>> {
        let run = run.upgrade()?;
        let open = self.open.get(&run.id).is_some_and(|open| Arc::ptr_eq(&open, &run));
        open.then_some(run)
    }

    fn fresh(&self, id: &str, pinned: P) -> Run<P> {
        Run {
            id: id.into(),
            opened: Instant::now(),
            open_time: SystemTime::now(),
            last_used: AtomicU64::new(0),
            hooks: AtomicI64::new(0),
            state: self.store.open(id),
            answers: OnceLock::new(),
            pinned,
        }
    }
}

#[cfg(test)]
mod tests;
