//! Runs a chain over a unary hook.

use super::{
    Call, Context, Detail, Fault, Link, Mode, OnFault, Selected, Step, Steps, applies::applies,
    timed,
};
use crate::hooks::{Hook, HookId, VetoUse};
use sidehook_proto::{Answer, Outcome, v1};
use std::{ops::ControlFlow, time::Duration};
use tokio::time::Instant;
use v1::StepOutcome;

/// A reason is cut at so many characters.
///
/// Source: document 004, "The shape of a hook".
pub const MAX_REASON_CHARACTERS: usize = 500;

/// What a chain came to.
#[derive(Debug)]
pub struct Ran<A> {
    /// What was decided.
    pub outcome: Outcome<A>,
    /// What the run should do beside it.
    pub effects: v1::Effects,
    /// What each link did.
    pub steps: Steps,
}

/// Runs `links` over `request` and combines their answers by the hook's rule.
///
/// Never fails: a link that faults is skipped, ends the chain with a failure or
/// refuses in its author's name, by its fault policy. `request` carries the
/// edits of the links that ran.
///
/// # Cancel safety
///
/// Dropping the future drops the link that is running; no later link runs, and
/// what the dropped one still writes to state is discarded.
pub async fn run<H: Hook>(
    links: &Selected<'_>,
    call: &Call,
    request: &mut H::Request,
    timeout: Duration,
    detail: Detail,
) -> Ran<H::Answer> {
    let mut chain = Chain::<H> {
        so_far: H::Answer::default(),
        effects: v1::Effects::default(),
        steps: Steps::default(),
        detail,
    };
    for link in links {
        if let ControlFlow::Break(outcome) = chain.ask(link, call, request, timeout).await {
            return Ran { outcome, effects: chain.effects, steps: chain.steps };
        }
    }
    Ran { outcome: Outcome::Answer(chain.so_far), effects: chain.effects, steps: chain.steps }
}

/// A chain while it runs.
struct Chain<H: Hook> {
    so_far: H::Answer,
    effects: v1::Effects,
    steps: Steps,
    detail: Detail,
}

impl<H: Hook> Chain<H> {
    async fn ask(
        &mut self,
        link: &Link,
        call: &Call,
        request: &mut H::Request,
        default: Duration,
    ) -> ControlFlow<Outcome<H::Answer>> {
        let context = Context::new(call, &link.name);
        if !applies::<H>(link, &context, default).await {
            self.note(link, StepOutcome::NotEnabled, Duration::ZERO);
            return ControlFlow::Continue(());
        }
        let started = (self.detail == Detail::Steps).then(Instant::now);
        link.counters.called();
        let ask = || H::ask(&*link.middleware, &context, request);
        let answer = match timed::within(link.timeout(default), ask).await {
            Ok(Outcome::Failure(failure)) => Err(Fault::from_failure(failure)),
            Ok(Outcome::Answer(mut answer)) => H::check(request, &mut answer)
                .map(|()| Outcome::Answer(answer))
                .map_err(Fault::malformed),
            Ok(Outcome::Veto(_)) if H::VETO == VetoUse::None => {
                Err(Fault::malformed(format!("refused at `{}`, which cannot be refused", H::ID)))
            }
            other => other,
        };
        let took = started.map_or(Duration::ZERO, |started| started.elapsed());
        if link.mode == Mode::Audit {
            self.note_audit(link, call, answer, took);
            return ControlFlow::Continue(());
        }
        match answer {
            Ok(outcome) => {
                if let Some(effects) = context.take_effects() {
                    self.add(*effects);
                }
                self.decide(link, request, outcome, took)
            }
            Err(fault) => self.fault(link, call, fault, took),
        }
    }

    fn decide(
        &mut self,
        link: &Link,
        request: &mut H::Request,
        outcome: Outcome<H::Answer>,
        took: Duration,
    ) -> ControlFlow<Outcome<H::Answer>> {
        match outcome {
            Outcome::Answer(answer) => {
                if self.detail == Detail::Steps {
                    let step = Step::new(link, answered::<H>(&answer), took);
                    self.steps.0.push(step.with_changes(answer.changed_fields()));
                }
                match H::fold(request, &mut self.so_far, answer, &link.name) {
                    ControlFlow::Continue(()) => ControlFlow::Continue(()),
                    ControlFlow::Break(()) => {
                        ControlFlow::Break(Outcome::Answer(std::mem::take(&mut self.so_far)))
                    }
                }
            }
            Outcome::Veto(_) if H::VETO == VetoUse::Ignored => {
                self.note(link, StepOutcome::VetoIgnored, took);
                ControlFlow::Continue(())
            }
            Outcome::Veto(veto) => {
                self.note(link, StepOutcome::Vetoed, took);
                ControlFlow::Break(Outcome::Veto(v1::Veto {
                    reason: cut(veto.reason),
                    middleware: signed(veto.middleware, link),
                }))
            }
            Outcome::Tripwire(tripwire) => {
                self.note(link, StepOutcome::Tripped, took);
                ControlFlow::Break(Outcome::Tripwire(tripped(tripwire, link)))
            }
            // `ask` turns a failure into a fault, so that one path handles all.
            Outcome::Failure(failure) => ControlFlow::Break(Outcome::Failure(failure)),
        }
    }

    fn fault(
        &mut self,
        link: &Link,
        call: &Call,
        fault: Fault,
        took: Duration,
    ) -> ControlFlow<Outcome<H::Answer>> {
        link.counters.failed();
        let policy = link.on_fault.at(H::ID);
        warn(link, H::ID, call, &fault, policy);
        let reason = format!("{} {fault}", link.name);
        let (step, flow) = match (policy, H::refuse(cut(reason), &link.name)) {
            (OnFault::Skip, _) => (StepOutcome::FaultSkipped, ControlFlow::Continue(())),
            (OnFault::Block, Some(refusal)) => (StepOutcome::FaultBlocked, self.block(refusal)),
            // The configuration refuses `block` where nothing can be refused;
            // should it come this far all the same, it ends the run.
            (OnFault::Fail | OnFault::Block, _) => (
                StepOutcome::FaultFailed,
                ControlFlow::Break(Outcome::Failure(fault.to_failure(&link.name))),
            ),
        };
        self.steps.0.push(Step::new(link, step, took).with_fault(fault));
        flow
    }

    /// A refusal in the author's name counts like one that the middleware gave:
    /// where every link is asked, the rest still is.
    fn block(&mut self, refusal: Outcome<H::Answer>) -> ControlFlow<Outcome<H::Answer>> {
        let Outcome::Answer(answer) = refusal else { return ControlFlow::Break(refusal) };
        let mut nothing = H::Request::default();
        match H::fold(&mut nothing, &mut self.so_far, answer, "") {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => {
                ControlFlow::Break(Outcome::Answer(std::mem::take(&mut self.so_far)))
            }
        }
    }

    fn note(&mut self, link: &Link, outcome: StepOutcome, took: Duration) {
        self.steps.0.push(Step::new(link, outcome, took));
    }

    fn note_audit(
        &mut self,
        link: &Link,
        call: &Call,
        answer: Result<Outcome<H::Answer>, Fault>,
        took: Duration,
    ) {
        let would_have = match &answer {
            Ok(Outcome::Answer(answer)) => answered::<H>(answer),
            Ok(Outcome::Veto(_)) if H::VETO == VetoUse::Ignored => StepOutcome::VetoIgnored,
            Ok(Outcome::Veto(_)) => StepOutcome::Vetoed,
            Ok(Outcome::Tripwire(_)) => StepOutcome::Tripped,
            // `ask` turns a failure into a fault.
            Ok(Outcome::Failure(_)) => StepOutcome::NoOpinion,
            Err(fault) => {
                link.counters.failed();
                let policy = link.on_fault.at(H::ID);
                warn(link, H::ID, call, fault, policy);
                would_fault(policy)
            }
        };
        let mut step = Step::new(link, StepOutcome::NoOpinion, took);
        step.would_have = Some(would_have);
        match answer {
            Ok(Outcome::Answer(answer)) => step.changed_fields = answer.changed_fields(),
            Err(fault) => step.fault = Some(fault),
            Ok(_) => {}
        }
        self.steps.0.push(step);
    }

    fn add(&mut self, mut effects: v1::Effects) {
        self.effects.added_context.append(&mut effects.added_context);
        self.effects.log_events.append(&mut effects.log_events);
        self.effects.stop = self.effects.stop.take().or(effects.stop);
    }
}

fn answered<H: Hook>(answer: &H::Answer) -> StepOutcome {
    if *answer == H::Answer::default() { StepOutcome::NoOpinion } else { StepOutcome::Answered }
}

pub(super) fn would_fault(policy: OnFault) -> StepOutcome {
    match policy {
        OnFault::Fail => StepOutcome::FaultFailed,
        OnFault::Skip => StepOutcome::FaultSkipped,
        OnFault::Block => StepOutcome::FaultBlocked,
    }
}

/// A tripwire of `link`.
pub(super) fn tripped(tripwire: v1::Tripwire, link: &Link) -> v1::Tripwire {
    in_form(v1::Tripwire { middleware: signed(tripwire.middleware, link), ..tripwire })
}

/// A tripwire with the code and the status that every tripwire has.
pub(super) fn in_form(tripwire: v1::Tripwire) -> v1::Tripwire {
    v1::Tripwire { code: "GUARDRAIL_TRIPPED".into(), http_status: 400, ..tripwire }
}

pub(super) fn warn(link: &Link, hook: HookId, call: &Call, fault: &Fault, policy: OnFault) {
    let (middleware, hook, run_id) = (&*link.name, hook.name(), &*call.context.run_id);
    tracing::warn!(middleware, hook, run_id, %fault, on_fault = policy.name(), "middleware failed");
}

fn signed(name: String, link: &Link) -> String {
    if name.is_empty() { link.name.to_string() } else { name }
}

/// Cuts a reason at [`MAX_REASON_CHARACTERS`], on a character boundary.
#[must_use]
pub fn cut(mut reason: String) -> String {
    if let Some((at, _)) = reason.char_indices().nth(MAX_REASON_CHARACTERS) {
        reason.truncate(at);
    }
    reason
}
