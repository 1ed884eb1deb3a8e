//! The sidecar itself: the chains in force, the open runs, and whether it
//! drains.

use super::{CallError, Generation, ReloadFailure, generations::Generations};
use crate::{
    config::nearest,
    engine::Chains,
    runs::{Admission, Bounds, Ending, Run, Runs, StateStore},
};
use sidehook_proto::{InvalidField, v1};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};
use tokio_util::task::TaskTracker;

/// What bounds the service beside the runs.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of one message, in both directions.
    pub message_bytes: usize,
    /// How often a wrapped call that is being worked on says so; `None` is never.
    pub keep_alive: Option<Duration>,
    /// For how long a run keeps the chains that it started with; `None` gives
    /// that up.
    pub pin: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 16 << 20,
            keep_alive: Some(Duration::from_secs(10)),
            pin: Some(Duration::from_secs(24 * 3600)),
        }
    }
}

/// Everything that the services share.
#[derive(Debug)]
pub struct Sidecar {
    generations: Generations,
    runs: Runs<Arc<Generation>>,
    limits: Limits,
    draining: AtomicBool,
    start_time: SystemTime,
    /// Every task that outlives its request, so that drain can wait for them.
    pub(super) tasks: TaskTracker,
}

impl Sidecar {
    /// A sidecar without chains. It refuses hooks until it gets some.
    #[must_use]
    pub fn new(limits: Limits, bounds: Bounds, store: Arc<dyn StateStore>) -> Arc<Self> {
        let tasks = TaskTracker::new();
        let closing = tasks.clone();
        Arc::new(Self {
            generations: Generations::new(),
            runs: Runs::new(bounds, store, move |run| close_state(&closing, run)),
            limits,
            draining: AtomicBool::new(false),
            start_time: SystemTime::now(),
            tasks,
        })
    }

    /// Puts chains in force for new runs and returns their generation. Runs that
    /// have started keep theirs. The same content makes no new generation.
    pub fn install(&self, chains: Chains, hash: &str) -> u64 {
        self.generations.install(chains, hash)
    }

    /// Notes that a changed configuration was not taken up, until one is.
    pub fn reload_failed(&self, error: String) {
        self.generations.fail(error);
    }

    /// Why the last changed configuration was not taken up, if it was not.
    #[must_use]
    pub fn reload_failure(&self) -> Option<ReloadFailure> {
        self.generations.failure()
    }

    /// The configuration in force.
    #[must_use]
    pub fn generation(&self) -> Arc<Generation> {
        self.generations.current()
    }

    /// The open runs.
    #[must_use]
    pub fn runs(&self) -> &Runs<Arc<Generation>> {
        &self.runs
    }

    /// What bounds the service.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// When the process started.
    #[must_use]
    pub fn start_time(&self) -> SystemTime {
        self.start_time
    }

    /// Refuses new runs from now on. Open ones go on.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Release);
    }

    /// Whether new runs are refused.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    /// Waits until every run has ended and every open stream is done.
    pub async fn drained(&self) {
        let mut look = tokio::time::interval(Duration::from_millis(20));
        while !self.runs.is_empty() {
            look.tick().await;
        }
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Ends a run and frees its state. Says whether it was open.
    pub fn end_run(&self, id: &str) -> bool {
        let ended = self.runs.end(id, Ending::Ended);
        let was_open = ended.is_some();
        if let Some(run) = ended {
            close_state(&self.tasks, run);
        }
        was_open
    }

    /// Evicts the runs that were idle or open for too long.
    pub fn sweep(&self) {
        self.runs.sweep();
    }

    /// Lets every middleware write out what it holds back, also that of older
    /// generations.
    pub async fn flush(&self) {
        self.generations.flush().await;
    }

    pub(super) fn admit(
        &self,
        context: &v1::HookContext,
        admission: Admission,
    ) -> Result<Arc<Run<Arc<Generation>>>, CallError> {
        if self.generations.is_empty() {
            return Err(CallError::Starting);
        }
        let admission = if self.is_draining() { Admission::Known } else { admission };
        self.runs
            .admit(&context.run_id, admission, || self.generation())
            .map_err(|refused| CallError::refused(refused, &context.run_id))
    }

    /// The chains of a run whose hook has just come: those that it started with,
    /// for as long as it may keep them.
    pub(super) fn generation_of(
        &self,
        run: &Run<Arc<Generation>>,
        context: &v1::HookContext,
    ) -> Result<Arc<Generation>, CallError> {
        let generation = match self.limits.pin {
            Some(longest) if run.age_at_last_hook() < longest => Arc::clone(run.pinned()),
            _ => self.generation(),
        };
        known_sets(&generation.chains, context)?;
        Ok(generation)
    }
}

/// Refuses a context that attaches a set which does not exist.
pub(super) fn known_sets(chains: &Chains, context: &v1::HookContext) -> Result<(), CallError> {
    let Some(name) = chains.unknown_set(context) else { return Ok(()) };
    let mut problem = format!("names no set: `{name}`");
    if let Some(suggestion) = nearest(name, chains.sets()) {
        problem = format!("{problem}; {suggestion}");
    }
    Err(InvalidField::new("context.middleware", problem).into())
}

/// Frees the state of a run that is over.
fn close_state(tasks: &TaskTracker, run: Arc<Run<Arc<Generation>>>) {
    tasks.spawn(async move {
        if let Err(error) = run.state().close().await {
            tracing::warn!(run_id = run.id(), %error, "state of an ended run is not freed");
        }
    });
}
