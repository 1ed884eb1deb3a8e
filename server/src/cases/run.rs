//! Runs a case against a sidecar, and says what is not as expected.

use super::{
    case::{Case, Expect, Step},
    compare::{Comparison, Difference, shown},
    contract::Contract,
    door::{Answered, Door, NoAnswer, NotServed},
    expected::Expected,
    read::OUTCOMES,
    shown,
};
use crate::{config::Compiled, hooks::HookId};
use prost_reflect::Value as Field;
use serde_json::{Map, Value};
use std::time::Duration;
use tokio::time::timeout;

/// A call that takes longer hangs: a middleware has no timeout, and waits for something.
const LONGEST: Duration = Duration::from_secs(60);

/// What a step of a report has that is never twice the same.
pub(super) const DURATION: &str = "duration";

/// A sidecar for the cases of one configuration.
#[derive(Debug)]
pub(crate) struct Bench<'c> {
    contract: &'c Contract,
    door: Door,
    runs: usize,
}

/// What came of a case.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// What failed, if something did: a case ends with its first call that is not as expected.
    pub(crate) failed: Option<Failed>,
}

/// A hook call that was not as expected.
#[derive(Debug)]
pub(crate) struct Failed {
    /// The step, from 1, of a case with several.
    pub(crate) step: Option<usize>,
    pub(crate) hook: HookId,
    pub(crate) differences: Vec<Difference>,
    /// What each link did, as the report has it.
    pub(crate) links: Vec<Value>,
}

impl<'c> Bench<'c> {
    /// Starts a sidecar.
    pub(crate) async fn start(
        contract: &'c Contract,
        compiled: Compiled,
    ) -> Result<Self, NotServed> {
        Ok(Self { contract, door: Door::open(compiled).await?, runs: 0 })
    }

    /// Lets middleware write out what it holds back.
    pub(crate) async fn finish(&self) {
        self.door.flush().await;
    }

    /// Runs a case as a run of its own.
    pub(crate) async fn run(&mut self, case: &Case) -> Verdict {
        self.runs += 1;
        let run = format!("case-{}", self.runs);
        for (index, step) in case.steps.iter().enumerate() {
            let called = match timeout(LONGEST, self.call(&run, step)).await {
                Ok(called) => called.map_err(|error| error.to_string()),
                Err(_) => Err(format!("nothing within {} s", LONGEST.as_secs())),
            };
            let (differences, links) = judge(step, called);
            if !differences.is_empty() {
                let several = (case.steps.len() > 1).then_some(index + 1);
                let failed = Failed { step: several, hook: step.hook, differences, links };
                return Verdict { failed: Some(failed) };
            }
        }
        Verdict::default()
    }

    async fn call(&self, run: &str, step: &Step) -> Result<Answered, NoAnswer> {
        let shape = self.contract.hook(step.hook).ok_or(NoAnswer::Unfinished)?;
        let mut context = step.context.clone();
        if !context.has_field_by_name("run_id") {
            context.set_field_by_name("run_id", Field::String(run.to_owned()));
        }
        context.set_field_by_name("explain", Field::Bool(true));
        let mut request = step.request.clone();
        request.set_field_by_name("context", Field::Message(context));
        match &shape.frames {
            None => self.door.ask(shape, &request).await,
            Some(frames) => self.door.wrap(shape, frames, &request, &step.replies).await,
        }
    }
}

/// What differs, and what each link did.
fn judge(step: &Step, called: Result<Answered, String>) -> (Vec<Difference>, Vec<Value>) {
    let expect = &step.expect;
    let mut comparison = Comparison { exact: expect.exact, ..Comparison::default() };
    let answered = match called {
        Ok(answered) => answered,
        Err(status) => {
            comparison.differs("outcome", outcome(expect).0, status);
            return (comparison.differences, Vec::new());
        }
    };
    let got = shown::fields(&answered.response);
    said(&mut comparison, expect, &got);
    // What follows may have more than is named: the number of a call, a link that had no opinion.
    comparison.exact = false;
    if let Some(next) = &expect.next {
        let got = answered.asked.next.iter().map(|next| Value::Object(shown::fields(next)));
        comparison.compare("next", next, Some(&got.collect()));
    }
    if let Some(emitted) = &expect.emitted {
        comparison.compare("emitted", emitted, Some(&answered.asked.emitted.into()));
    }
    let (asked, replies) = (answered.asked.next.len(), step.replies.len());
    if asked != replies {
        let count = |n| if n == 1 { "1 real call".to_owned() } else { format!("{n} real calls") };
        comparison.differs("replies", count(replies), count(asked));
    }
    let links = links(&got);
    for (index, (middleware, expected)) in expect.report.iter().flatten().enumerate() {
        report(&mut comparison, index, middleware.as_deref(), expected, &links);
    }
    (comparison.differences, links)
}

/// The outcome that is expected.
fn outcome(expect: &Expect) -> (&'static str, &Expected) {
    static ANYTHING: Expected = Expected::Members(Vec::new());
    expect.outcome.as_ref().map_or(("answer", &ANYTHING), |(name, expected)| (*name, expected))
}

/// Compares the outcome and the effects.
fn said(comparison: &mut Comparison, expect: &Expect, got: &Map<String, Value>) {
    let (outcome, expected) = outcome(expect);
    let said = OUTCOMES.into_iter().find(|name| got.contains_key(*name));
    if said == Some(outcome) {
        comparison.compare(outcome, expected, got.get(outcome));
    } else {
        let what = said.map(|said| format!("{said} {}", shown(got.get(said))));
        comparison.differs("outcome", outcome, what.unwrap_or_else(|| "nothing".into()));
    }
    match &expect.effects {
        Some(effects) => comparison.compare("effects", effects, got.get("effects")),
        None if expect.exact => {
            comparison.compare("effects", &Expected::Absent, got.get("effects"));
        }
        None => {}
    }
}

/// The steps of the report, as far as they are the same each time.
fn links(got: &Map<String, Value>) -> Vec<Value> {
    let steps = got.get("report").and_then(|report| report.get("steps"));
    let mut steps = steps.and_then(Value::as_array).cloned().unwrap_or_default();
    for step in steps.iter_mut().filter_map(Value::as_object_mut) {
        step.remove(DURATION);
    }
    steps
}

/// Compares the step that is expected at `index` with that of its middleware, or if it names none
/// with the step at the same place.
fn report(
    comparison: &mut Comparison,
    index: usize,
    middleware: Option<&str>,
    expected: &Expected,
    links: &[Value],
) {
    let path = format!("report[{index}]");
    let name = |link: &Value| link.get("middleware").and_then(Value::as_str).map(str::to_owned);
    let Some(middleware) = middleware else {
        return comparison.compare(&path, expected, links.get(index));
    };
    match links.iter().find(|link| name(link).as_deref() == Some(middleware)) {
        Some(link) => comparison.compare(&path, expected, Some(link)),
        None => {
            let there: Vec<_> = links.iter().filter_map(name).collect();
            let there = if there.is_empty() { "no steps".into() } else { there.join(", ") };
            comparison.differs(&path, format!("a step of {middleware}"), there);
        }
    }
}
