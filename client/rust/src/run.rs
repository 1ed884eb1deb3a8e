//! One agent run: who it is, and what it knows of its chains.

use crate::{
    Client, HookError, Reply,
    hook::{AFTER_RUN, Hook, START_RUN},
    plan::Plan,
};
use sidehook_proto::v1::{
    AfterRunAnswer, AfterRunRequest, AfterRunResponse, Effects, HookContext, StartRunAnswer,
    StartRunRequest, StartRunResponse, Tripwire,
};
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};
use uuid::Uuid;

/// One agent run. One method per hook; the context of every request comes from here.
///
/// Cheap to clone, and made for it: a clone with its own `request_id` or `iteration` serves a
/// call that runs at the same time. Clones share the plan, and all know of a tripwire.
///
/// Call [`after_run`](Self::after_run) at the end, however the run ends: it frees the run's
/// state in the sidecar.
#[derive(Debug, Clone)]
#[must_use]
pub struct Run {
    client: Client,
    context: HookContext,
    plan: Option<Arc<Plan>>,
    tripwire: Arc<OnceLock<Tripwire>>,
    deadline: Option<Duration>,
}

impl Run {
    pub(crate) fn new(client: Client, mut context: HookContext) -> Self {
        if context.run_id.is_empty() {
            context.run_id = new_id();
        }
        Self { client, context, plan: None, tripwire: Arc::default(), deadline: None }
    }

    /// The run's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.context.run_id
    }

    /// The context that every hook is called with.
    #[must_use]
    pub fn context(&self) -> &HookContext {
        &self.context
    }

    /// The context, to change anything that has no method here. Another `run_id` is another run.
    #[must_use]
    pub fn context_mut(&mut self) -> &mut HookContext {
        &mut self.context
    }

    /// Sets the model turn, from 1.
    pub fn set_iteration(&mut self, iteration: i32) {
        self.context.iteration = iteration;
    }

    /// Sets the agent that the run goes on as after a handoff.
    ///
    /// The plan was made for the agent before, so no hook is skipped until the run is back there.
    pub fn set_agent(&mut self, id: impl Into<String>, name: impl Into<String>) {
        self.context.agent_id = id.into();
        self.context.agent_name = name.into();
    }

    /// Sets the logical model call: `wrap` and every `transform` of one call share it.
    pub fn set_request_id(&mut self, id: impl Into<String>) {
        self.context.request_id = id.into();
    }

    /// The same run, with another deadline for its unary hooks and wrapped calls.
    pub fn with_deadline(&self, deadline: Duration) -> Self {
        Self { deadline: Some(deadline), ..self.clone() }
    }

    /// Whether a hook of the run would be called, by its name in snake case.
    #[must_use]
    pub fn is_active(&self, hook: &str) -> bool {
        !self.plan.as_ref().is_some_and(|plan| plan.skips(hook, &self.context))
    }

    /// Whether a middleware needs streamed text to be held until the turn is done.
    #[must_use]
    pub fn holds_stream(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.holds_stream(&self.context))
    }

    /// Adds text to a run that starts, and takes over its plan.
    ///
    /// [`Client::start_run`] calls it for a new run. With `resumed` it opens a run again that
    /// was paused, has ended, or was evicted; a tripwire of before is forgotten.
    ///
    /// # Errors
    ///
    /// See [`HookError`]. After a tripwire or a failure the run is open all the same, until
    /// [`after_run`](Self::after_run).
    ///
    /// # Cancel safety
    ///
    /// A dropped future takes over no plan.
    pub async fn start_run(
        &mut self,
        mut request: StartRunRequest,
    ) -> Result<Reply<StartRunAnswer>, HookError> {
        self.plan = None;
        self.tripwire = Arc::default();
        request.context = Some(self.context_for(request.context.take()));
        let mut reply: Reply<StartRunAnswer> =
            self.send::<_, StartRunResponse, _>(&START_RUN, request).await?;
        if let Some(plan) = reply.answer.plan.take() {
            self.plan = Some(Arc::new(Plan::new(plan, &self.context)));
        }
        Ok(reply)
    }

    /// Tells that the run ended, and frees its state in the sidecar.
    ///
    /// Always sent, whoever listens and also after a tripwire. A second call is harmless.
    ///
    /// # Errors
    ///
    /// See [`HookError`]. A middleware that fails here is logged by the sidecar.
    ///
    /// # Cancel safety
    ///
    /// A dropped future may leave the run open until it has been idle for too long.
    pub async fn after_run(
        &self,
        mut request: AfterRunRequest,
    ) -> Result<Reply<AfterRunAnswer>, HookError> {
        request.context = Some(self.context_for(request.context.take()));
        self.send::<_, AfterRunResponse, _>(&AFTER_RUN, request).await
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn skips(&self, hook: &Hook) -> bool {
        !self.is_active(hook.name)
    }

    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.deadline
    }

    /// The context of one call. An idempotency key that the caller chose is kept.
    pub(crate) fn context_for(&self, own: Option<HookContext>) -> HookContext {
        let mut context = self.context.clone();
        context.hook_call_id = match own {
            Some(own) if !own.hook_call_id.is_empty() => own.hook_call_id,
            _ => new_id(),
        };
        context
    }

    pub(crate) fn tripwire(&self) -> Option<&Tripwire> {
        self.tripwire.get()
    }

    /// Remembers that the run must not go on. The first tripwire counts.
    pub(crate) fn trip(&self, tripwire: &Tripwire) {
        self.tripwire.get_or_init(|| tripwire.clone());
    }

    /// Refuses what comes after a tripwire.
    pub(crate) fn check_tripwire(&self) -> Result<(), HookError> {
        match self.tripwire() {
            Some(tripwire) => Err(HookError::tripped(tripwire.clone(), Effects::default(), None)),
            None => Ok(()),
        }
    }
}

fn new_id() -> String {
    Uuid::new_v4().simple().to_string()
}
