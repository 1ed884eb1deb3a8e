//! The nesting of the links around a call.

use super::{
    Port,
    guarded::{Flight, guarded},
    next::{Ending, Inner, Next, Trail, WrapError},
    port::Arrived,
    sink::{self, Outlet, StreamUse},
};
use crate::{
    engine::{
        Call, Context, Fault, Link, Mode, OnFault, Selected, Step, Steps, Variables,
        run::{applies_to, in_form, tripped, warn, would_fault},
    },
    hooks::Wrapped,
};
use futures::{FutureExt, future::BoxFuture};
use parking_lot::Mutex;
use sidehook_proto::{HookResponse, Outcome, v1};
use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};
use tokio::time::Instant;
use v1::{Relay, StepOutcome};

/// A way inwards: to the next link, or to the real call.
pub(super) type Wrapping<'a, W> = BoxFuture<'a, Result<Arc<<W as Wrapped>::Result>, Inner>>;

/// What a chain around a call came to.
pub struct Ran<W: Wrapped> {
    /// What was decided.
    pub outcome: Outcome<<W::Finished as HookResponse>::Answer>,
    /// Who gave the answer.
    pub by: v1::AnsweredBy,
    /// What the run should do beside it.
    pub effects: v1::Effects,
    /// What each link did, outermost first.
    pub steps: Steps,
}

impl<W: Wrapped> std::fmt::Debug for Ran<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ran").field("by", &self.by).finish_non_exhaustive()
    }
}

/// A chain around a call, while it runs.
pub(super) struct Onion<'a, W: Wrapped> {
    links: Selected<'a>,
    call: &'a Call,
    pub(super) port: &'a Port<W>,
    opened: Arc<W::Call>,
    pub(super) streaming: bool,
    relay: Relay,
    answer_needed: bool,
    timeout: Duration,
    notes: Mutex<Notes<W>>,
}

/// What the links leave behind.
struct Notes<W: Wrapped> {
    effects: v1::Effects,
    /// By depth, so that the report is in chain order.
    steps: Vec<(usize, Step)>,
    /// The results of the real calls.
    answers: Vec<(i32, Arc<W::Result>)>,
    /// The outermost link that changed the result.
    changed_by: Option<Arc<str>>,
}

/// Runs `links` around a call whose real invocations go through `port`.
///
/// # Cancel safety
///
/// Dropping the future drops every link and every invocation.
pub async fn run<W: Wrapped>(
    links: Selected<'_>,
    call: &Call,
    opened: (Arc<W::Call>, Variables),
    streaming: Streaming,
    timeout: Duration,
    port: &Port<W>,
) -> Ran<W> {
    let (opened, variables) = opened;
    let mut steps = Vec::new();
    let mut present = Vec::with_capacity(links.len());
    for (depth, link) in links.into_iter().enumerate() {
        let context = Context::new(call, &link.name);
        if applies_to(link, &context, W::ID, W::STAGE, &variables).await {
            present.push(link);
        } else {
            steps.push((depth, Step::new(link, StepOutcome::NotEnabled, Duration::ZERO)));
        }
    }
    let onion = Onion {
        relay: relay::<W>(&present, streaming),
        answer_needed: present.iter().any(|link| link.middleware.needs_answer(W::ID)),
        links: present,
        call,
        port,
        opened: Arc::clone(&opened),
        streaming: streaming != Streaming::No,
        timeout,
        notes: Mutex::new(Notes {
            effects: v1::Effects::default(),
            steps,
            answers: Vec::new(),
            changed_by: None,
        }),
    };
    let result = onion.descend(0, opened, None).await;
    onion.conclude(result)
}

/// Whether the result of a call is streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streaming {
    /// It is not.
    No,
    /// It is.
    Yes,
    /// It is, and a link outside this call needs it to be held.
    Held,
}

/// The strictest need in the chain wins.
fn relay<W: Wrapped>(links: &[&Link], streaming: Streaming) -> Relay {
    let need = links.iter().filter(|link| link.mode == Mode::Enforce).map(|link| {
        if link.holds_stream { StreamUse::Holds } else { link.middleware.stream_use(W::ID) }
    });
    match (streaming, need.max()) {
        (Streaming::No, _) => Relay::Direct,
        (Streaming::Held, _) | (Streaming::Yes, Some(StreamUse::Holds)) => Relay::Held,
        (Streaming::Yes, Some(StreamUse::Rewrites)) => Relay::Relayed,
        (Streaming::Yes, Some(StreamUse::Untouched) | None) => Relay::Direct,
    }
}

impl<W: Wrapped> Onion<'_, W> {
    /// Goes to the link at `depth`, or to the real call when there is none.
    pub(super) fn descend<'b>(
        &'b self,
        depth: usize,
        call: Arc<W::Call>,
        outlet: Option<&'b Outlet<'b, W>>,
    ) -> Wrapping<'b, W> {
        match self.links.get(depth) {
            Some(link) => self.through(link, depth, call, outlet).boxed(),
            None => self.real_call(call, outlet).boxed(),
        }
    }

    async fn through(
        &self,
        link: &Link,
        depth: usize,
        call: Arc<W::Call>,
        outlet: Option<&Outlet<'_, W>>,
    ) -> Result<Arc<W::Result>, Inner> {
        let (flight, trail) = (Flight::default(), Trail::new(link.mode == Mode::Audit));
        let context = Context::new(self.call, &link.name);
        let limit = link.timeout(self.timeout);
        let next = Next {
            onion: self,
            link,
            depth: depth + 1,
            got: Arc::clone(&call),
            outlet,
            flight: &flight,
            trail: &trail,
            limit,
        };
        let started = Instant::now();
        link.counters.called();
        let work = W::wrap(&*link.middleware, &context, Arc::clone(&call), &next);
        let contained = AssertUnwindSafe(work).catch_unwind();
        let result = match guarded(limit, &flight, contained).await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => Err(Fault::panicked(&*panic).into()),
            Err(fault) => Err(fault.into()),
        };
        let mut step = Step::new(link, StepOutcome::NoOpinion, started.elapsed());
        if link.mode == Mode::Audit {
            self.audited(&mut step, &trail, result, link);
            self.note(depth, step);
            let seen = trail.state.lock().last.clone();
            return match seen {
                Some(seen) => seen,
                None => self.descend(depth + 1, call, outlet).await,
            };
        }
        match result {
            Ok(result) => {
                self.accept(&mut step, &trail, &result, link);
                if let Some(effects) = context.take_effects() {
                    self.add(*effects);
                }
                self.note(depth, step);
                Ok(result)
            }
            Err(WrapError::Inner(inner)) => {
                self.note(depth, step);
                Err(inner)
            }
            Err(WrapError::Tripwire(tripwire)) => {
                step.outcome = StepOutcome::Tripped;
                self.note(depth, step);
                Err(Inner::tripwire(tripped(tripwire, link)))
            }
            Err(WrapError::Fault(fault)) => {
                let policy = self.fault(step, depth, link, &fault, &trail);
                let last = trail.state.lock().last.clone();
                match (policy, last) {
                    (OnFault::Skip, Some(last)) => last,
                    (OnFault::Skip, None) => self.descend(depth + 1, call, outlet).await,
                    (OnFault::Fail | OnFault::Block, _) => {
                        Err(Inner::failure(fault.to_failure(&link.name)))
                    }
                }
            }
        }
    }

    /// What a fault of a link does here, after it was written down.
    fn fault(
        &self,
        mut step: Step,
        depth: usize,
        link: &Link,
        fault: &Fault,
        trail: &Trail<W>,
    ) -> OnFault {
        link.counters.failed();
        let succeeded = matches!(trail.state.lock().last, Some(Ok(_)));
        let policy =
            if W::KEEPS_RESULT && succeeded { OnFault::Skip } else { link.on_fault.at(W::ID) };
        warn(link, W::ID, self.call, fault, policy);
        step.outcome = would_fault(policy);
        step.fault = Some(fault.clone());
        self.note(depth, step);
        policy
    }

    /// Writes down what a link's result means.
    fn accept(&self, step: &mut Step, trail: &Trail<W>, result: &Arc<W::Result>, link: &Link) {
        let trail = trail.state.lock();
        if trail.calls == 0 {
            step.outcome = StepOutcome::ShortCircuited;
        }
        if trail.changed_call {
            step.changed_fields.push(W::CALL);
        }
        if !trail.results.iter().any(|inner| Arc::ptr_eq(inner, result)) {
            step.changed_fields.push(W::RESULT);
            self.notes.lock().changed_by = Some(Arc::clone(&link.name));
        }
        if step.outcome == StepOutcome::NoOpinion && !step.changed_fields.is_empty() {
            step.outcome = StepOutcome::Answered;
        }
    }

    fn audited(
        &self,
        step: &mut Step,
        trail: &Trail<W>,
        result: Result<Arc<W::Result>, WrapError>,
        link: &Link,
    ) {
        step.would_have = Some(match result {
            Ok(result) => {
                let before = self.notes.lock().changed_by.clone();
                self.accept(step, trail, &result, link);
                self.notes.lock().changed_by = before;
                std::mem::replace(&mut step.outcome, StepOutcome::NoOpinion)
            }
            Err(WrapError::Tripwire(_)) => StepOutcome::Tripped,
            Err(WrapError::Inner(_)) => StepOutcome::NoOpinion,
            Err(WrapError::Fault(fault)) => {
                link.counters.failed();
                step.fault = Some(fault);
                would_fault(link.on_fault.at(W::ID))
            }
        });
    }

    async fn real_call(
        &self,
        call: Arc<W::Call>,
        outlet: Option<&Outlet<'_, W>>,
    ) -> Result<Arc<W::Result>, Inner> {
        let changed = (!Arc::ptr_eq(&call, &self.opened)).then_some(&*call);
        let mut invocation = self.port.next(changed, self.relay, self.answer_needed).await;
        loop {
            match invocation.arrived().await {
                Arrived::Delta(delta, _) => sink::send(outlet, vec![delta], self.port).await?,
                Arrived::End(result) => {
                    let result = Arc::new(result.unwrap_or_default());
                    let answer = (invocation.number, Arc::clone(&result));
                    self.notes.lock().answers.push(answer);
                    return Ok(result);
                }
                Arrived::Failed(failed) => return Err(ending(failed)),
            }
        }
    }

    fn note(&self, depth: usize, step: Step) {
        self.notes.lock().steps.push((depth, step));
    }

    fn add(&self, mut effects: v1::Effects) {
        let so_far = &mut self.notes.lock().effects;
        so_far.added_context.append(&mut effects.added_context);
        so_far.log_events.append(&mut effects.log_events);
        so_far.stop = so_far.stop.take().or(effects.stop);
    }

    fn conclude(self, result: Result<Arc<W::Result>, Inner>) -> Ran<W> {
        let mut notes = self.notes.into_inner();
        notes.steps.sort_by_key(|(depth, _)| *depth);
        let real = notes.answers.iter().map(|(number, _)| *number).max().unwrap_or_default();
        let mut by = v1::AnsweredBy::default();
        let outcome = match result {
            Ok(result) => {
                let unchanged =
                    notes.answers.iter().find(|(_, answer)| Arc::ptr_eq(answer, &result));
                let answer = if let Some((number, _)) = unchanged {
                    by.invocation = *number;
                    None
                } else {
                    by.invocation = real;
                    by.middleware = notes.changed_by.as_deref().unwrap_or_default().into();
                    Some(Arc::unwrap_or_clone(result))
                };
                Outcome::Answer(W::answer(answer))
            }
            Err(inner) => match &*inner.0 {
                Ending::Tripwire(tripwire) => Outcome::Tripwire(in_form(tripwire.clone())),
                Ending::Failure(failure) => Outcome::Failure(failure.clone()),
            },
        };
        let steps = Steps(notes.steps.into_iter().map(|(_, step)| step).collect());
        Ran { outcome, by, effects: notes.effects, steps }
    }
}

/// A provider's error keeps its type, so that the runtime can go on to its next
/// model; a nested run's tripwire passes outward as one.
fn ending(failed: v1::CallFailed) -> Inner {
    match failed.cause {
        Some(v1::call_failed::Cause::Tripwire(tripwire)) => Inner::tripwire(tripwire),
        Some(v1::call_failed::Cause::Error(error)) => Inner::failure(v1::Failure {
            r#type: error.r#type,
            code: error.code,
            message: error.message,
            middleware: String::new(),
            retryable: error.retryable,
            counts_toward_breaker: true,
        }),
        None => Inner::failure(v1::Failure::default()),
    }
}
