//! Tells observers of every hook call, also of one that was cancelled.

use super::Generation;
use crate::{
    engine::Steps,
    hooks::HookId,
    middleware::{Record, RecordOutcome},
};
use sidehook_proto::{Outcome, v1};
use std::time::SystemTime;
use tokio::time::Instant;

/// A hook call that observers are told of when it is done, or dropped.
pub(super) struct Recording<'a> {
    generation: &'a Generation,
    hook: HookId,
    context: &'a v1::HookContext,
    time: SystemTime,
    started: Instant,
    told: bool,
}

impl<'a> Recording<'a> {
    /// Starts to watch a call, if anybody observes it.
    pub(super) fn start(
        generation: &'a Generation,
        hook: HookId,
        context: &'a v1::HookContext,
    ) -> Option<Self> {
        generation.chains.observers(hook, context).next()?;
        let (time, started) = (SystemTime::now(), Instant::now());
        Some(Self { generation, hook, context, time, started, told: false })
    }

    /// The call is done.
    pub(super) fn finish<A: sidehook_proto::Answer>(mut self, outcome: &Outcome<A>, steps: &Steps) {
        let decision = match outcome {
            Outcome::Answer(answer) => answer.decision(),
            Outcome::Veto(_) | Outcome::Tripwire(_) | Outcome::Failure(_) => None,
        };
        let (outcome, decided_by) = match outcome {
            Outcome::Answer(answer) if *answer == A::default() => (RecordOutcome::NoOpinion, ""),
            Outcome::Answer(answer) => (RecordOutcome::Answered, answer.decided_by()),
            Outcome::Veto(veto) => (RecordOutcome::Vetoed, &*veto.middleware),
            Outcome::Tripwire(tripwire) => (RecordOutcome::Tripped, &*tripwire.middleware),
            Outcome::Failure(failure) => (RecordOutcome::Failed, &*failure.middleware),
        };
        self.tell(outcome, decision, decided_by, steps);
    }

    fn tell(
        &mut self,
        outcome: RecordOutcome,
        decision: Option<&'static str>,
        decided_by: &str,
        steps: &Steps,
    ) {
        self.told = true;
        let record = Record {
            time: self.time,
            hook: self.hook,
            context: self.context,
            outcome,
            decision,
            decided_by,
            duration: self.started.elapsed(),
            steps,
            generation: self.generation.number,
        };
        for link in self.generation.chains.observers(self.hook, self.context) {
            link.counters.called();
            link.middleware.observe(&record);
        }
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        if !self.told {
            self.tell(RecordOutcome::Cancelled, None, "", &Steps::default());
        }
    }
}
