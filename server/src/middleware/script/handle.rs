//! A running script, as the rest of Sidehook holds it.

use super::{
    found::Found,
    limits::MAX_WAITING,
    thread::{
        event::{Call, Event},
        realm::{LoadError, Recipe},
        run::{Loaded, run},
        signs::Signs,
    },
};
use crate::engine::Fault;
use parking_lot::Mutex;
use sidehook_proto::Marks;
use std::{
    fmt, io,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

/// What the thread of a script needs of stack beside the script's own.
const STACK_BESIDE: usize = 512 << 10;

/// How long a script may go on beyond its time before another thread takes its
/// place. The engine cannot interrupt everything that is built into it.
const STUCK: Duration = Duration::from_secs(2);

/// A script that is loaded and runs. Its thread ends when nobody holds it any
/// more.
pub(super) struct Script {
    recipe: Recipe,
    worker: Mutex<Arc<Worker>>,
    /// The thread that was given up, while it still runs.
    stuck: Mutex<Weak<Signs>>,
    last_id: AtomicU64,
    marks: Marks,
    found: Vec<Found>,
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").field("name", &self.recipe.name).finish_non_exhaustive()
    }
}

impl Script {
    /// Starts the thread and waits until the script is loaded, which its limit of
    /// time bounds.
    pub(super) fn start(recipe: Recipe) -> Result<Self, LoadError> {
        let (loaded, result) = channel();
        let worker = Worker::start(&recipe, Some(loaded))
            .map_err(|error| LoadError::Engine(format!("no thread can be made: {error}")))?;
        let found = match result.recv_timeout(recipe.limits.time.saturating_add(STUCK)) {
            Ok(loaded) => loaded?,
            Err(RecvTimeoutError::Timeout) => return Err(LoadError::Unfinished),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(LoadError::Engine("its thread ended before it was loaded".into()));
            }
        };
        let (worker, stuck) = (Mutex::new(Arc::new(worker)), Mutex::default());
        let (last_id, marks) = (AtomicU64::new(0), Marks::default());
        Ok(Self { recipe, worker, stuck, last_id, marks, found })
    }

    /// The middleware that it holds.
    pub(super) fn found(&self) -> &[Found] {
        &self.found
    }

    /// What it is made of.
    pub(super) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The marks of the payloads that it is handed.
    pub(super) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// A number for a new call.
    pub(super) fn new_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed)
    }

    /// The thread that works on new calls.
    pub(super) fn worker(&self) -> Arc<Worker> {
        let mut worker = self.worker.lock();
        if worker.signs.is_stuck(self.recipe.limits.time.saturating_add(STUCK)) {
            self.replace(&mut worker);
        }
        Arc::clone(&worker)
    }

    /// Gives up a thread that does not come back. It ends as soon as it does; one
    /// of them at most, so that a script does not take all processors.
    fn replace(&self, worker: &mut Arc<Worker>) {
        let mut stuck = self.stuck.lock();
        if stuck.strong_count() > 0 {
            return;
        }
        let Ok(next) = Worker::start(&self.recipe, None) else { return };
        let middleware = &*self.recipe.name;
        tracing::warn!(middleware, "the script is started anew: it cannot be interrupted");
        worker.signs.unused.store(true, Ordering::Relaxed);
        *stuck = Arc::downgrade(&worker.signs);
        *worker = Arc::new(next);
    }
}

/// A thread of a script.
pub(super) struct Worker {
    events: Sender<Event>,
    signs: Arc<Signs>,
}

impl Worker {
    fn start(recipe: &Recipe, loaded: Option<Sender<Loaded>>) -> io::Result<Self> {
        let (events, received) = channel();
        let signs = Arc::new(Signs::new());
        let (its, shown) = (recipe.clone(), Arc::clone(&signs));
        thread::Builder::new()
            .name("script".into())
            .stack_size(recipe.limits.stack + STACK_BESIDE)
            .spawn(move || run(&its, &received, &shown, loaded))?;
        Ok(Self { events, signs })
    }

    /// Lets the script work on a call.
    pub(super) fn call(&self, call: Box<Call>) -> Result<(), Fault> {
        let (weight, waiting) = (call.weight(), &self.signs.waiting);
        let before = waiting.fetch_add(weight, Ordering::Relaxed);
        if before > 0 && before + weight > MAX_WAITING {
            waiting.fetch_sub(weight, Ordering::Relaxed);
            return Err(Fault::busy("1,024 calls, or 64 MiB of them,"));
        }
        self.tell(Event::Call(call))
    }

    /// Tells the script of something that belongs to a call.
    pub(super) fn tell(&self, event: Event) -> Result<(), Fault> {
        self.events.send(event).map_err(|_gone| gone())
    }
}

impl Drop for Worker {
    /// What the thread still runs, such as a timer's function, ends too.
    fn drop(&mut self) {
        self.signs.unused.store(true, Ordering::Relaxed);
    }
}

/// The fault of a script whose thread has ended, which only a panic makes it do.
fn gone() -> Fault {
    Fault::unreachable("has lost its thread")
}
