//! Attempts, one after the other.

use super::{
    Backoff, Random, RetriedCall, RetryConfig,
    attempts::{Attempts, GaveUp},
};
use crate::{
    engine::{Context, Next, StreamUse, WrapError},
    hooks::{self, HookId, HookSet, Wrap, WrapModelCall, WrapToolCall},
    middleware::{Failures, Middleware, Wrapped, failures::retry_after},
};
use async_trait::async_trait;
use globset::{Glob, GlobSet, GlobSetBuilder};
use sidehook_proto::v1;
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, sleep};

/// Makes calls that failed again.
#[derive(Debug)]
pub struct Retry {
    calls: Vec<RetriedCall>,
    tools: Option<GlobSet>,
    attempts: u32,
    backoff: Backoff,
    errors: Failures,
    except: Failures,
}

impl Retry {
    /// Makes a retry.
    ///
    /// # Errors
    ///
    /// The place in `tools` that is no glob, and why.
    pub fn new(config: &RetryConfig) -> Result<Self, (usize, String)> {
        Self::with_random(config, Random::system())
    }

    /// As [`Retry::new`]; delays are spread by `random`.
    ///
    /// # Errors
    ///
    /// As for [`Retry::new`].
    pub fn with_random(config: &RetryConfig, random: Random) -> Result<Self, (usize, String)> {
        let tools = config.tools.as_deref().map(globs).transpose()?;
        Ok(Self {
            calls: config.calls.clone(),
            tools,
            attempts: config.attempts,
            backoff: Backoff::new(config, random),
            errors: config.errors.clone(),
            except: config.except.clone(),
        })
    }

    /// Whether another attempt is made after this failure, and how long to wait before it.
    fn after<W: hooks::Wrapped>(
        &self,
        failure: &v1::Failure,
        number: u32,
        context: &Context<'_>,
        next: &Next<'_, W>,
    ) -> Result<Duration, GaveUp> {
        if !self.errors.contains(failure) || self.except.contains(failure) {
            return Err(GaveUp::NotRetryable);
        }
        next.may_repeat().map_err(GaveUp::Chain)?;
        if number >= self.attempts {
            return Err(GaveUp::Attempts);
        }
        let delay = self.backoff.delay(number, retry_after(failure)).ok_or(GaveUp::RetryAfter)?;
        let late = |deadline: Instant| deadline.saturating_duration_since(Instant::now()) <= delay;
        if context.deadline().is_some_and(late) {
            return Err(GaveUp::Deadline);
        }
        Ok(delay)
    }

    async fn around<W: hooks::Wrapped>(
        &self,
        context: &Context<'_>,
        call: Arc<W::Call>,
        next: &Next<'_, W>,
    ) -> Wrapped<W::Result> {
        let mut attempts = Attempts::default();
        loop {
            let error = match next.run(Arc::clone(&call)).await {
                Ok(result) => {
                    attempts.report(context, None);
                    return Ok(result);
                }
                Err(error) => error,
            };
            let WrapError::Inner(inner) = &error else { return Err(error) };
            // A tripwire is a decision, and not a failure.
            let Some(failure) = inner.as_failure() else { return Err(error) };
            attempts.add(failure);
            match self.after(failure, attempts.failed(), context, next) {
                Ok(delay) => {
                    attempts.delayed(delay);
                    sleep(delay).await;
                }
                Err(gave_up) => {
                    attempts.report(context, Some(gave_up));
                    return Err(error);
                }
            }
        }
    }
}

fn globs(names: &[String]) -> Result<GlobSet, (usize, String)> {
    let mut set = GlobSetBuilder::new();
    for (index, name) in names.iter().enumerate() {
        let wrong = |error: globset::Error| (index, format!("is not a glob: {}", error.kind()));
        set.add(Glob::new(name).map_err(wrong)?);
    }
    set.build().map_err(|error| (0, format!("the globs do not compile: {}", error.kind())))
}

#[async_trait]
impl Middleware for Retry {
    fn hooks(&self) -> HookSet {
        let hook = |call: &RetriedCall| match call {
            RetriedCall::Model => HookId::WrapModelCall,
            RetriedCall::Tool => HookId::WrapToolCall,
            RetriedCall::Wrap => HookId::Wrap,
        };
        self.calls.iter().map(hook).collect()
    }

    /// It must know whether text was released, which only text that is relayed tells.
    fn stream_use(&self, _: HookId) -> StreamUse {
        StreamUse::Rewrites
    }

    fn needs_answer(&self, _: HookId) -> bool {
        false
    }

    async fn wrap_model_call(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        self.around(context, call, next).await
    }

    async fn wrap_tool_call(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ToolInvocation>,
        next: &Next<'_, WrapToolCall>,
    ) -> Wrapped<v1::ToolResult> {
        let name = call.tool_call.as_ref().map_or("", |call| call.name.as_str());
        if self.tools.as_ref().is_none_or(|tools| tools.is_match(name)) {
            self.around(context, call, next).await
        } else {
            next.run(call).await
        }
    }

    async fn wrap(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ChatRequest>,
        next: &Next<'_, Wrap>,
    ) -> Wrapped<v1::CallResult> {
        self.around(context, call, next).await
    }
}
