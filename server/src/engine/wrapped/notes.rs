//! What the links around a call leave behind, and what the chain makes of it.

use super::next::{Ending, Inner};
use crate::{
    engine::{Link, Step, Steps},
    hooks::Wrapped,
};
use parking_lot::Mutex;
use sidehook_proto::{HookResponse, Outcome, v1};
use std::sync::Arc;
use tokio::time::Instant;
use v1::StepOutcome;

/// What a chain around a call came to.
pub struct Ran<W: Wrapped> {
    /// What was decided.
    pub outcome: Outcome<<W::Finished as HookResponse>::Answer>,
    /// Who gave the answer.
    pub by: v1::AnsweredBy,
    /// What the run should do beside it, outermost link first.
    pub effects: v1::Effects,
    /// What each link did, outermost first.
    pub steps: Steps,
}

impl<W: Wrapped> std::fmt::Debug for Ran<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ran").field("by", &self.by).finish_non_exhaustive()
    }
}

/// What the links leave behind while they run.
pub(super) struct Notes<W: Wrapped>(Mutex<Noted<W>>);

struct Noted<W: Wrapped> {
    /// By place in the chain, since the innermost link is done first.
    effects: Vec<(usize, v1::Effects)>,
    /// By place in the chain.
    steps: Vec<(usize, Step)>,
    /// The results of the real calls.
    answers: Vec<(i32, Arc<W::Result>)>,
    /// The outermost link that changed the result.
    changed_by: Option<Arc<str>>,
    /// What ended the chain, whatever the links outside make of it.
    over: Option<Inner>,
}

impl<W: Wrapped> Default for Notes<W> {
    fn default() -> Self {
        Self(Mutex::new(Noted {
            effects: Vec::new(),
            steps: Vec::new(),
            answers: Vec::new(),
            changed_by: None,
            over: None,
        }))
    }
}

impl<W: Wrapped> Notes<W> {
    /// What the link at `place` did.
    pub(super) fn step(&self, place: usize, step: Step) {
        self.0.lock().steps.push((place, step));
    }

    /// What the link at `place` asks the run to do.
    pub(super) fn effects(&self, place: usize, effects: Option<Box<v1::Effects>>) {
        if let Some(effects) = effects {
            self.0.lock().effects.push((place, *effects));
        }
    }

    /// The result of a real call.
    pub(super) fn answered(&self, invocation: i32, result: &Arc<W::Result>) {
        self.0.lock().answers.push((invocation, Arc::clone(result)));
    }

    /// A link made or changed the result.
    pub(super) fn changed(&self, by: &Link) {
        self.0.lock().changed_by = Some(Arc::clone(&by.name));
    }

    /// Ends the chain: no further real call is made, and no link outside can
    /// turn it into a result.
    pub(super) fn end(&self, inner: Inner) -> Inner {
        self.0.lock().over.get_or_insert(inner).clone()
    }

    /// What ended the chain, if it is over.
    pub(super) fn over(&self) -> Option<Inner> {
        self.0.lock().over.clone()
    }

    /// Whether a link asked the run to stop.
    pub(super) fn is_stopping(&self) -> bool {
        self.0.lock().effects.iter().any(|(_, effects)| effects.stop.is_some())
    }

    /// Whether a link further in than `place` failed, or asked for more than an
    /// entry in the log.
    pub(super) fn has_more_beyond(&self, place: usize) -> bool {
        let noted = self.0.lock();
        let asks =
            |effects: &v1::Effects| effects.stop.is_some() || !effects.added_context.is_empty();
        // In audit mode, a fault changes nothing.
        let failed = |step: &Step| step.fault.is_some() && step.would_have.is_none();
        noted.effects.iter().any(|(at, effects)| *at > place && asks(effects))
            || noted.steps.iter().any(|(at, step)| *at > place && failed(step))
    }

    /// What it all comes to.
    pub(super) fn conclude(self, result: Result<Arc<W::Result>, Inner>) -> Ran<W> {
        let mut noted = self.0.into_inner();
        noted.steps.sort_by_key(|(place, _)| *place);
        noted.effects.sort_by_key(|(place, _)| *place);
        let real = noted.answers.iter().map(|(number, _)| *number).max().unwrap_or_default();
        let mut by = v1::AnsweredBy::default();
        let outcome = match result {
            Ok(result) => {
                let unchanged =
                    noted.answers.iter().find(|(_, answer)| Arc::ptr_eq(answer, &result));
                let answer = if let Some((number, _)) = unchanged {
                    by.invocation = *number;
                    None
                } else {
                    by.invocation = real;
                    by.middleware = noted.changed_by.as_deref().unwrap_or_default().into();
                    Some(Arc::unwrap_or_clone(result))
                };
                Outcome::Answer(W::answer(answer))
            }
            Err(inner) => match &*inner.0 {
                Ending::Tripwire(tripwire) => Outcome::Tripwire(tripwire.clone()),
                Ending::Failure(failure) => Outcome::Failure(failure.clone()),
            },
        };
        let mut effects = v1::Effects::default();
        for (_, mut more) in noted.effects {
            effects.added_context.append(&mut more.added_context);
            effects.log_events.append(&mut more.log_events);
            effects.stop = effects.stop.take().or(more.stop);
        }
        let steps = Steps(noted.steps.into_iter().map(|(_, step)| step).collect());
        Ran { outcome, by, effects, steps }
    }
}

/// A link that was asked and has not answered yet. Dropped before it has, it is
/// reported as cancelled.
pub(super) struct Asked<'a, W: Wrapped> {
    notes: &'a Notes<W>,
    place: usize,
    link: &'a Link,
    started: Instant,
    answered: bool,
}

impl<'a, W: Wrapped> Asked<'a, W> {
    pub(super) fn new(notes: &'a Notes<W>, place: usize, link: &'a Link) -> Self {
        link.counters.called();
        Self { notes, place, link, started: Instant::now(), answered: false }
    }

    /// The link answered.
    pub(super) fn done(mut self) -> Step {
        self.answered = true;
        Step::new(self.link, StepOutcome::NoOpinion, self.started.elapsed())
    }
}

impl<W: Wrapped> Drop for Asked<'_, W> {
    fn drop(&mut self) {
        if !self.answered {
            let step = Step::new(self.link, StepOutcome::Cancelled, self.started.elapsed());
            self.notes.step(self.place, step);
        }
    }
}
