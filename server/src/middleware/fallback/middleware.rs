//! Models, one after the other.

use super::{FallbackConfig, FallbackModel, strip::strip};
use crate::{
    engine::{Context, Next, StreamUse, WrapError},
    hooks::{HookId, HookSet, WrapModelCall},
    middleware::{Middleware, Wrapped},
};
use async_trait::async_trait;
use serde_json::json;
use sidehook_proto::v1;
use std::sync::Arc;

/// Asks other models when one fails.
#[derive(Debug)]
pub struct Fallback {
    config: FallbackConfig,
}

impl Fallback {
    /// Makes a fallback.
    #[must_use]
    pub fn new(config: FallbackConfig) -> Self {
        Self { config }
    }

    /// Why the next model is asked after this, or `None` when it is not.
    fn failed<'a>(
        &self,
        error: &'a WrapError,
        next: &Next<'_, WrapModelCall>,
    ) -> Option<&'a v1::Failure> {
        let WrapError::Inner(inner) = error else { return None };
        // A tripwire is a decision, and not a failure.
        let failure = inner.as_failure()?;
        (self.config.errors.contains(failure) && next.may_repeat().is_ok()).then_some(failure)
    }
}

/// The call, to another model.
fn call_to(model: &FallbackModel, call: &v1::ModelCall) -> v1::ModelCall {
    let mut call = call.clone();
    call.model.clone_from(&model.model);
    if let Some(request) = &mut call.request {
        request.model = model.backend_name().to_owned();
        strip(request, &model.strip);
    }
    call
}

#[async_trait]
impl Middleware for Fallback {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::WrapModelCall])
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
        // A runtime that falls back itself asks again for each of its models.
        let others = self.config.models.iter().filter(|model| model.model != call.model);
        let (mut asked, mut failures) = (call.model.clone(), Vec::new());
        let mut result = next.run(Arc::clone(&call)).await;
        for model in others {
            let Err(error) = &result else { break };
            let Some(failure) = self.failed(error, next) else { break };
            failures.push(json!({ "model": asked, "type": failure.r#type, "code": failure.code }));
            asked.clone_from(&model.model);
            result = next.run(Arc::new(call_to(model, &call))).await;
        }
        if !failures.is_empty() {
            // Which model answered, if one did, and why others did not; no text of the call.
            let answered = result.is_ok().then_some(asked);
            let note = json!({ "answered": answered, "failures": failures });
            context.log_event("fallback", &note);
        }
        result
    }
}
