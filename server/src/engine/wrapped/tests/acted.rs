//! A middleware around a call, given as data.

use super::{
    poured::{Pours, sink},
    texts::Texts,
};
use crate::{
    engine::{
        Context, Fault, Link, Next, StreamUse, WrapError,
        tests::scripted::{Cause, Gate},
    },
    hooks::{HookId, HookSet, Wrap, WrapModelCall, WrapToolCall},
    middleware::{Middleware, Wrapped},
};
use async_trait::async_trait;
use futures::future::select_all;
use parking_lot::Mutex;
use sidehook_proto::v1;
use std::{sync::Arc, time::Duration};
use tokio::time::sleep;

/// What a link does around a call.
#[derive(Debug, Clone, Copy)]
pub(in crate::engine) enum Does {
    /// Calls `next` once.
    Passes,
    /// Answers without it.
    Answers(&'static str),
    /// Calls it so often, one after the other, and gives the last result.
    Repeats(u32),
    /// As `Repeats`, and gives the first result.
    RepeatsForTheFirst(u32),
    /// Calls it until it succeeds, at most so often, when it fails.
    Retries(u32),
    /// As `Retries`, whatever is wrong.
    RetriesEverything(u32),
    /// As `Retries`, unless text was shown already.
    RetriesUnlessShown(u32),
    /// Answers with a text when there is no result.
    Swallows(&'static str),
    /// Calls it so often at the same time; the first result counts.
    Hedges(u32),
    /// Stops waiting for it after so long, and answers with a text.
    GivesUp(Duration, &'static str),
    /// Adds texts to the call and to the result.
    Changes {
        call: &'static str,
        result: &'static str,
    },
    /// Hands on a copy of the call, and gives a copy of the result.
    Copies,
    /// Edits a tool call.
    EditsTool(fn(&mut v1::ToolInvocation)),
    /// Streams through a sink.
    Sinks(Pours),
    /// Fails before it calls `next`.
    FaultsBefore(Cause),
    /// Fails after `next` succeeded.
    FaultsAfter(Cause),
    /// Ends the run before it calls `next`, or after.
    TripsBefore(&'static str),
    TripsAfter(&'static str),
    /// Works for so long before, between and after two calls.
    Works([Duration; 3]),
}

/// A middleware around a call.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Acted {
    pub(in crate::engine) does: Does,
    pub(in crate::engine) name: &'static str,
    pub(in crate::engine) uses: StreamUse,
    pub(in crate::engine) needs_answer: bool,
    pub(in crate::engine) gate: Option<Gate>,
    /// What it asks the run to do.
    pub(in crate::engine) stops: bool,
    /// Whether it throws when there is no result.
    pub(in crate::engine) faults_when_inner_fails: bool,
    /// Every link's moments, shared by all.
    pub(in crate::engine) trace: Arc<Mutex<Vec<String>>>,
}

impl Acted {
    pub(in crate::engine) fn new(name: &'static str, does: Does) -> Self {
        let uses =
            if let Does::Sinks(_) = does { StreamUse::Rewrites } else { StreamUse::Untouched };
        let trace = Arc::default();
        Self {
            does,
            name,
            uses,
            needs_answer: true,
            gate: None,
            stops: false,
            faults_when_inner_fails: false,
            trace,
        }
    }

    pub(in crate::engine) fn link(self) -> Link {
        Link::new(self.name, "acted", Arc::new(self))
    }

    async fn act<W: Texts>(
        &self,
        context: &Context<'_>,
        call: Arc<W::Call>,
        next: &Next<'_, W>,
        edit: impl Fn(&mut W::Call) + Send,
    ) -> Wrapped<W::Result> {
        self.trace.lock().push(format!("{}>", self.name));
        if self.stops {
            context.stop(self.name);
            context.add_context(self.name);
        }
        let result = self.calls(call, next, edit).await;
        self.trace.lock().push(format!("<{}", self.name));
        if self.faults_when_inner_fails && result.is_err() {
            return Err(Fault::threw("threw").into());
        }
        result
    }

    async fn calls<W: Texts>(
        &self,
        call: Arc<W::Call>,
        next: &Next<'_, W>,
        edit: impl Fn(&mut W::Call) + Send,
    ) -> Wrapped<W::Result> {
        let text = |text: &str| Ok(Arc::new(W::result(text)));
        let again = || next.run(Arc::clone(&call));
        match self.does {
            Does::Passes => again().await,
            Does::Answers(answer) => text(answer),
            Does::Repeats(count) => repeat(count, again).await,
            Does::RepeatsForTheFirst(count) => {
                let first = again().await?;
                repeat(count - 1, again).await?;
                Ok(first)
            }
            Does::Retries(count) => {
                let fails = |error: &WrapError| matches!(error, WrapError::Inner(inner) if inner.as_failure().is_some());
                retry(count, again, fails).await
            }
            Does::RetriesUnlessShown(count) => retry(count, again, |_| !next.has_emitted()).await,
            Does::RetriesEverything(count) => retry(count, again, |_| true).await,
            Does::Swallows(answer) => again().await.or_else(|_| text(answer)),
            Does::Hedges(count) => {
                let calls = (0..count).map(|_| Box::pin(again()));
                select_all(calls).await.0
            }
            Does::GivesUp(time, answer) => {
                tokio::time::timeout(time, again()).await.unwrap_or_else(|_| text(answer))
            }
            Does::Changes { call: more, result } => {
                let mut changed = Arc::clone(&call);
                W::call_text(Arc::make_mut(&mut changed)).push_str(more);
                let given = next.run(if more.is_empty() { call } else { changed }).await?;
                if result.is_empty() { Ok(given) } else { text(&(W::result_text(&given) + result)) }
            }
            Does::Copies => {
                let result = next.run(Arc::new((*call).clone())).await?;
                Ok(Arc::new((*result).clone()))
            }
            Does::EditsTool(_) => {
                let mut changed = Arc::clone(&call);
                edit(Arc::make_mut(&mut changed));
                next.run(changed).await
            }
            Does::Sinks(pours) => next.run_through(call, sink::<W>(pours)).await,
            Does::FaultsBefore(cause) => fault(cause).await,
            Does::FaultsAfter(cause) => {
                again().await?;
                fault(cause).await
            }
            Does::TripsBefore(reason) => Err(WrapError::trip(reason)),
            Does::TripsAfter(reason) => {
                again().await?;
                Err(WrapError::trip(reason))
            }
            Does::Works([before, between, after]) => {
                sleep(before).await;
                again().await?;
                sleep(between).await;
                let result = again().await;
                sleep(after).await;
                result
            }
        }
    }
}

async fn repeat<R, F>(count: u32, next: impl Fn() -> F) -> Wrapped<R>
where
    F: Future<Output = Wrapped<R>>,
{
    for _ in 1..count {
        next().await?;
    }
    next().await
}

async fn retry<R, F>(
    count: u32,
    next: impl Fn() -> F,
    fails: impl Fn(&WrapError) -> bool,
) -> Wrapped<R>
where
    F: Future<Output = Wrapped<R>>,
{
    for _ in 1..count {
        match next().await {
            Err(error) if fails(&error) => {}
            done => return done,
        }
    }
    next().await
}

async fn fault<T>(cause: Cause) -> Result<T, WrapError> {
    match cause.act().await {
        Err(fault) => Err(fault.into()),
        Ok(sidehook_proto::Outcome::Failure(failure)) => Err(Fault::from_failure(failure).into()),
        Ok(_) => Err(Fault::malformed("gave nonsense").into()),
    }
}

#[async_trait]
impl Middleware for Acted {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::WrapModelCall, HookId::WrapToolCall, HookId::Wrap])
    }

    fn stream_use(&self, _: HookId) -> StreamUse {
        self.uses
    }

    fn needs_answer(&self, _: HookId) -> bool {
        self.needs_answer
    }

    fn gates(&self) -> bool {
        self.gate.is_some()
    }

    async fn enabled(&self, _: &Context<'_>, _: &str) -> Result<bool, Fault> {
        match self.gate {
            None => Ok(true),
            Some(Gate::Says(applies)) => Ok(applies),
            Some(Gate::Faults(cause)) => cause.act().await.map(|_| true),
        }
    }

    async fn wrap_model_call(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        self.act(context, call, next, |_| {}).await
    }

    async fn wrap_tool_call(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ToolInvocation>,
        next: &Next<'_, WrapToolCall>,
    ) -> Wrapped<v1::ToolResult> {
        let edit = |call: &mut v1::ToolInvocation| {
            if let Does::EditsTool(edit) = self.does {
                edit(call);
            }
        };
        self.act(context, call, next, edit).await
    }

    async fn wrap(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ChatRequest>,
        next: &Next<'_, Wrap>,
    ) -> Wrapped<v1::CallResult> {
        self.act(context, call, next, |_| {}).await
    }
}
