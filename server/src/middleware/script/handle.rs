//! A running script, as the rest of Sidehook holds it.

use super::{
    found::Found,
    limits::MAX_WAITING,
    thread::{
        event::{Call, Event},
        realm::{LoadError, Recipe},
        run::run,
    },
};
use crate::engine::Fault;
use std::{
    fmt, io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
        mpsc::{Sender, channel},
    },
    thread,
};

/// What the thread of a script needs of stack beside the script's own.
const STACK_BESIDE: usize = 512 << 10;

/// A script that is loaded and runs. Its thread ends when nobody holds it any
/// more.
pub(super) struct Script {
    recipe: Recipe,
    events: Sender<Event>,
    /// How many bytes of calls the thread has not looked at yet.
    waiting: Arc<AtomicUsize>,
    /// Set when nobody holds the script any more.
    unused: Arc<AtomicBool>,
    last_id: AtomicU64,
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
        let (events, received) = channel();
        let (loaded, result) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let unused = Arc::new(AtomicBool::new(false));
        let (its, counter, end) = (recipe.clone(), Arc::clone(&waiting), Arc::clone(&unused));
        let work = move || run(&its, &received, &counter, &end, loaded);
        let started = thread::Builder::new()
            .name("script".into())
            .stack_size(recipe.limits.stack + STACK_BESIDE)
            .spawn(work);
        let gone = |error: io::Error| LoadError::Engine(format!("no thread can be made: {error}"));
        started.map_err(gone)?;
        let found = result
            .recv()
            .map_err(|_gone| LoadError::Engine("its thread ended before it was loaded".into()))??;
        Ok(Self { recipe, events, waiting, unused, last_id: AtomicU64::new(0), found })
    }

    /// The middleware that it holds.
    pub(super) fn found(&self) -> &[Found] {
        &self.found
    }

    /// What it is made of.
    pub(super) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// A number for a new call.
    pub(super) fn new_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Lets the script work on a call.
    pub(super) fn call(&self, call: Box<Call>) -> Result<(), Fault> {
        let weight = call.weight();
        let before = self.waiting.fetch_add(weight, Ordering::Relaxed);
        if before > 0 && before + weight > MAX_WAITING {
            self.waiting.fetch_sub(weight, Ordering::Relaxed);
            return Err(Fault::busy("1,024 calls, or 64 MiB of them,"));
        }
        self.events.send(Event::Call(call)).map_err(|_gone| gone())
    }

    /// Tells the script of something that belongs to a call.
    pub(super) fn tell(&self, event: Event) -> Result<(), Fault> {
        self.events.send(event).map_err(|_gone| gone())
    }
}

impl Drop for Script {
    /// What it still runs, such as a timer's function, ends too.
    fn drop(&mut self) {
        self.unused.store(true, Ordering::Relaxed);
    }
}

/// The fault of a script whose thread has ended, which only a panic makes it do.
fn gone() -> Fault {
    Fault::unreachable("has lost its thread")
}
