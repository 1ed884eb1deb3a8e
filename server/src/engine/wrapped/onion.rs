//! The nesting of the links around a call.

use super::{
    Port, Ran,
    guarded::{Flight, guarded},
    next::{Inner, Next, Trail, Trodden, WrapError, same},
    notes::{Asked, Notes},
    port::Arrived,
    relay::{Streaming, relay},
    sink::{self, Outlet},
};
use crate::{
    engine::{
        Call, Context, Fault, Link, Mode, OnFault, Selected, Step,
        applies::applies_to,
        run::{tripped, warn, would_fault},
    },
    hooks::Wrapped,
};
use futures::{FutureExt, future::BoxFuture};
use sidehook_proto::v1;
use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};
use v1::{Relay, StepOutcome};

/// A way inwards: to the next link, or to the real call.
pub(super) type Wrapping<'a, W> = BoxFuture<'a, Result<Arc<<W as Wrapped>::Result>, Inner>>;

/// A chain around a call, while it runs.
pub(super) struct Onion<'a, W: Wrapped> {
    /// The links that apply, with their places in the chain.
    links: Vec<(usize, &'a Link)>,
    pub(super) call: &'a Call,
    pub(super) port: &'a Port<W>,
    opened: Arc<W::Call>,
    pub(super) streaming: bool,
    pub(super) relay: Relay,
    answer_needed: bool,
    timeout: Duration,
    pub(super) notes: Notes<W>,
}

/// Runs `links` around a call whose real invocations go through `port`.
///
/// # Cancel safety
///
/// Dropping the future drops every link and every invocation.
pub async fn run<W: Wrapped>(
    links: Selected<'_>,
    call: &Call,
    opened: Arc<W::Call>,
    streaming: Streaming,
    timeout: Duration,
    port: &Port<W>,
) -> Ran<W> {
    let notes = Notes::default();
    let mut present = Vec::with_capacity(links.len());
    for (place, link) in links.into_iter().enumerate() {
        let context = Context::new(call, &link.name);
        if applies_to(link, &context, W::ID, W::STAGE, timeout).await {
            present.push((place, link));
        } else {
            notes.step(place, Step::new(link, StepOutcome::NotEnabled, Duration::ZERO));
        }
    }
    let onion = Onion {
        relay: relay::<W>(&present, streaming),
        answer_needed: present.iter().any(|(_, link)| link.middleware.needs_answer(W::ID)),
        links: present,
        call,
        port,
        opened: Arc::clone(&opened),
        streaming: streaming != Streaming::No,
        timeout,
        notes,
    };
    let result = onion.descend(0, opened, None).await;
    onion.notes.conclude(result)
}

/// What a link said.
pub(super) struct Said<W: Wrapped> {
    pub(super) result: Result<Arc<W::Result>, WrapError>,
    effects: Option<Box<v1::Effects>>,
    pub(super) step: Step,
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
            Some((_, link)) if link.mode == Mode::Audit => {
                self.audit(link, depth, call, outlet).boxed()
            }
            Some((_, link)) => self.through(link, depth, call, outlet).boxed(),
            None => self.real_call(call, outlet).boxed(),
        }
    }

    /// Asks the link at `depth`. Its context ends with its work, so that what it
    /// still writes to state after a fault is discarded.
    pub(super) async fn ask(
        &self,
        link: &Link,
        depth: usize,
        call: &Arc<W::Call>,
        outlet: Option<&Outlet<'_, W>>,
        trail: &Trail<W>,
    ) -> Said<W> {
        let (flight, context) = (Flight::default(), Context::new(self.call, &link.name));
        let limit = link.timeout(self.timeout);
        let next = Next {
            onion: self,
            link,
            depth: depth + 1,
            got: Arc::clone(call),
            outlet,
            flight: &flight,
            trail,
            limit,
        };
        let asked = Asked::new(&self.notes, self.place(depth), link);
        // Within a future, so that a panic before there is one is contained.
        let work = async { W::wrap(&*link.middleware, &context, Arc::clone(call), &next).await };
        let contained = AssertUnwindSafe(work).catch_unwind();
        let result = match guarded(limit, &flight, contained).await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => Err(Fault::panicked(&*panic).into()),
            Err(fault) => Err(fault.into()),
        };
        Said { result, effects: context.take_effects(), step: asked.done() }
    }

    async fn through(
        &self,
        link: &Link,
        depth: usize,
        call: Arc<W::Call>,
        outlet: Option<&Outlet<'_, W>>,
    ) -> Result<Arc<W::Result>, Inner> {
        let trail = Trail::new(None);
        let Said { result, effects, mut step } = self.ask(link, depth, &call, outlet, &trail).await;
        let (place, trail) = (self.place(depth), trail.state.into_inner());
        if let Some(fault) = &trail.sink_fault {
            step = step.with_fault(fault.clone());
            step.outcome = would_fault(link.on_fault.at(W::ID));
        }
        let result = match (self.notes.over(), result) {
            // What ended the chain passes outward whatever a link makes of it.
            (Some(over), Ok(_) | Err(WrapError::Tripwire(_) | WrapError::Inner(_))) => {
                Err(over.into())
            }
            (_, result) => result,
        };
        match result {
            Ok(result) => {
                let result = trail.original(result);
                if accept(&mut step, &trail, &result) {
                    self.notes.changed(link);
                }
                self.notes.effects(place, effects);
                self.notes.step(place, step);
                Ok(result)
            }
            Err(WrapError::Inner(inner)) => {
                self.notes.effects(place, effects);
                self.notes.step(place, step);
                Err(inner)
            }
            Err(WrapError::Tripwire(tripwire)) => {
                step.outcome = StepOutcome::Tripped;
                self.notes.effects(place, effects);
                self.notes.step(place, step);
                Err(self.notes.end(Inner::tripwire(tripped(tripwire, link))))
            }
            Err(WrapError::Fault(fault)) => {
                let policy = self.fault(step, place, link, &fault, &trail);
                match (policy, self.notes.over().map(Err).or_else(|| trail.best())) {
                    (OnFault::Skip, Some(inside)) => inside,
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
        place: usize,
        link: &Link,
        fault: &Fault,
        trail: &Trodden<W>,
    ) -> OnFault {
        link.counters.failed();
        let kept = W::KEEPS_RESULT && !trail.results.is_empty();
        let policy = if kept || self.notes.over().is_some() {
            OnFault::Skip
        } else {
            link.on_fault.at(W::ID)
        };
        warn(link, W::ID, self.call, fault, policy);
        step.outcome = would_fault(policy);
        step.fault = Some(fault.clone());
        self.notes.step(place, step);
        policy
    }

    async fn real_call(
        &self,
        call: Arc<W::Call>,
        outlet: Option<&Outlet<'_, W>>,
    ) -> Result<Arc<W::Result>, Inner> {
        let changed = (!Arc::ptr_eq(&call, &self.opened)).then_some(&*call);
        let mut invocation =
            self.port.next(changed, &self.opened, self.relay, self.answer_needed).await;
        loop {
            match invocation.arrived().await {
                Arrived::Delta(delta, _) => sink::send(outlet, vec![delta], self.port)
                    .await
                    .map_err(|inner| self.notes.end(inner))?,
                Arrived::End(result) => {
                    let result = Arc::new(result.unwrap_or_default());
                    self.notes.answered(invocation.number, &result);
                    return Ok(result);
                }
                Arrived::Failed(failed) => return Err(self.failed(failed)),
            }
        }
    }

    /// A provider's error keeps its type, so that the runtime can go on to its
    /// next model; a nested run's tripwire ends this chain too.
    fn failed(&self, failed: v1::CallFailed) -> Inner {
        match failed.cause {
            Some(v1::call_failed::Cause::Tripwire(tripwire)) => {
                self.notes.end(Inner::tripwire(tripwire))
            }
            Some(v1::call_failed::Cause::Error(error)) => Inner::failure(Fault::of_provider(error)),
            None => Inner::failure(Fault::of_provider(v1::CallError::default())),
        }
    }

    pub(super) fn place(&self, depth: usize) -> usize {
        self.links.get(depth).map_or(depth, |(place, _)| *place)
    }
}

/// Writes down what a link's result means, and says whether the link made or
/// changed it.
pub(super) fn accept<W: Wrapped>(
    step: &mut Step,
    trail: &Trodden<W>,
    result: &Arc<W::Result>,
) -> bool {
    let changed = !trail.results.iter().any(|inner| same(inner, result));
    if trail.changed_call {
        step.changed_fields.push(W::CALL);
    }
    if changed {
        step.changed_fields.push(W::RESULT);
    }
    if step.fault.is_none() {
        if trail.calls == 0 {
            step.outcome = StepOutcome::ShortCircuited;
        } else if !step.changed_fields.is_empty() {
            step.outcome = StepOutcome::Answered;
        }
    }
    changed
}
