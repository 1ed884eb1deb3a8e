//! Serves a unary hook: everything that is the same for every hook is here.

use super::{CallError, Generation, Sidecar, deadline, recording::Recording};
use crate::{
    engine::{self, Call, Detail},
    hooks::{Hook, HookId},
    runs::Run,
};
use prost::Message;
use sidehook_proto::{HookRequest, HookResponse, Outcome, Validate, v1};
use std::{pin::pin, sync::Arc};
use tokio::time::{Instant, timeout_at};
use tonic::{Request, Response, Status};

impl Sidecar {
    /// Answers a unary hook call within the caller's deadline.
    ///
    /// # Errors
    ///
    /// The call cannot be evaluated; see [`CallError`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the link that runs; observers are told.
    pub(super) fn serve<H: Hook>(
        &self,
        request: Request<H::Request>,
    ) -> impl Future<Output = Result<Response<H::Response>, Status>> + Send {
        let deadline = deadline::of(&request);
        let mut request = request.into_inner();
        // What is awaited is pinned, and the request lent: a future holds all
        // that it is given by value twice, and is copied as a whole when it is
        // boxed.
        async move {
            let answer = pin!(self.answer::<H>(&mut request, deadline));
            let answered = match deadline {
                None => answer.await,
                Some(at) => {
                    timeout_at(at, answer).await.unwrap_or(Err(CallError::DeadlineExceeded))
                }
            };
            answered.map(Response::new).map_err(CallError::into_status)
        }
    }

    async fn answer<H: Hook>(
        &self,
        request: &mut H::Request,
        deadline: Option<Instant>,
    ) -> Result<H::Response, CallError> {
        request.validate()?;
        if H::ID == HookId::StartRun && self.is_draining() {
            return Err(CallError::Draining);
        }
        let admission = H::admission(request);
        let context = request.take_context();
        let run = match self.admit(&context, admission) {
            // A second `AfterRun` is harmless.
            Err(CallError::RunEnded(_) | CallError::RunEvicted(_)) if H::ID == HookId::AfterRun => {
                return Ok(HookResponse::from_parts(Outcome::none(), None, None));
            }
            admitted => admitted?,
        };
        let _over = (H::ID == HookId::AfterRun).then(|| RunOver(self, &run));
        let variables = H::variables(request);
        let state = Arc::clone(run.state());
        let call = Call { hook: H::ID, context, state, deadline, variables };
        let work = pin!(self.run_chain::<H>(&run, &call, request));
        match call.context.hook_call_id.as_str() {
            "" => work.await,
            id => run.answers().once(H::ID, id, work).await,
        }
    }

    async fn run_chain<H: Hook>(
        &self,
        run: &Run<Arc<Generation>>,
        call: &Call,
        request: &mut H::Request,
    ) -> Result<H::Response, CallError> {
        let generation = self.generation_of(run, &call.context)?;
        let chains = &generation.chains;
        let links = chains.select(H::ID, &call.context);
        let recording = Recording::start(&generation, H::ID, &call.context);
        let raises = Self::raises_events(&generation, H::ID);
        let explain = call.context.explain;
        let detail =
            if explain || raises || recording.is_some() { Detail::Steps } else { Detail::Outcome };

        let timeout = chains.timeout(H::ID);
        let mut ran = engine::run::<H>(&links, call, request, timeout, detail).await;

        if let Outcome::Answer(answer) = &mut ran.outcome {
            H::complete(answer, || chains.plan(&call.context));
        }
        if raises {
            self.raise_events(&generation, call, &ran.steps);
        }
        if let Some(recording) = recording {
            recording.finish(&ran.outcome, &ran.steps);
        }
        let report = explain.then(|| ran.steps.to_report(generation.number, &generation.hash));
        let effects = (ran.effects != v1::Effects::default()).then_some(ran.effects);
        let response = H::Response::from_parts(ran.outcome, effects, report);
        self.check_size(response.encoded_len())?;
        Ok(response)
    }

    /// A response over the limit would break the caller's stream without a word.
    pub(super) fn check_size(&self, bytes: usize) -> Result<(), CallError> {
        let limit = self.limits().message_bytes;
        if bytes <= limit {
            return Ok(());
        }
        Err(CallError::TooLarge(format!(
            "the answer has {bytes} bytes; at most {limit} are allowed by `limits.message_size`"
        )))
    }
}

/// Ends a run when its `AfterRun` is done, also when the caller went away.
struct RunOver<'a>(&'a Sidecar, &'a Arc<Run<Arc<Generation>>>);

impl Drop for RunOver<'_> {
    fn drop(&mut self) {
        self.0.end_run(self.1.id());
    }
}
