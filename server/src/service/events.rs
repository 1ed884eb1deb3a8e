//! Sidehook's own `middleware` events: what a middleware did to a call, told to
//! the links of `OnEvent`.
//!
//! Source: document 001, "onEvent and the 'middleware' event".

use super::{Generation, Sidecar};
use crate::{
    engine::{self, Call, Detail, Step, Steps},
    hooks::{HookId, OnEvent},
};
use sidehook_proto::v1::{
    CallEvent, MiddlewareEvent, MiddlewareEventHook, OnEventRequest, StepOutcome, call_event::Kind,
};
use std::sync::Arc;

impl Sidecar {
    /// Whether anybody listens to what middleware does at `hook`.
    pub(super) fn raises_events(generation: &Generation, hook: HookId) -> bool {
        matches!(hook, HookId::Transform | HookId::Wrap)
            && !generation.chains.at(HookId::OnEvent).is_empty()
    }

    /// Tells the links of `OnEvent` what the links of `call` did, after the
    /// call, in a task of its own.
    pub(super) fn raise_events(&self, generation: &Arc<Generation>, call: &Call, steps: &Steps) {
        let events: Vec<_> = steps
            .0
            .iter()
            .filter_map(|step| event(step, call.hook, &call.context.request_id))
            .collect();
        if events.is_empty() {
            return;
        }
        let generation = Arc::clone(generation);
        let call = Call {
            hook: HookId::OnEvent,
            context: call.context.clone(),
            state: Arc::clone(&call.state),
            deadline: None,
            variables: call.variables.clone(),
        };
        self.tasks.spawn(async move {
            let links = generation.chains.select(HookId::OnEvent, &call.context);
            let timeout = generation.chains.timeout(HookId::OnEvent);
            for event in events {
                let event =
                    CallEvent { kind: Some(Kind::Middleware(event)), ..CallEvent::default() };
                let mut request =
                    OnEventRequest { event: Some(event), ..OnEventRequest::default() };
                engine::run::<OnEvent>(&links, &call, &mut request, timeout, Detail::Outcome).await;
            }
        });
    }
}

fn event(step: &Step, hook: HookId, request_id: &str) -> Option<MiddlewareEvent> {
    let kind = match step.outcome {
        StepOutcome::NotEnabled => MiddlewareEventHook::EnabledSkip,
        StepOutcome::ShortCircuited => MiddlewareEventHook::WrapShortCircuit,
        _ if hook == HookId::Transform
            && !step.changed_fields.is_empty()
            && step.would_have.is_none() =>
        {
            MiddlewareEventHook::Transform
        }
        _ => return None,
    };
    let patched = if kind == MiddlewareEventHook::Transform { &*step.changed_fields } else { &[] };
    Some(MiddlewareEvent {
        request_id: request_id.into(),
        middleware: step.middleware.to_string(),
        hook: kind.into(),
        patched_fields: patched.iter().map(|&field| field.into()).collect(),
    })
}
