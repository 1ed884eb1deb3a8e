//! One middleware of a script, as the chains see it.

use super::{
    answer,
    found::{Enabled, Found},
    handle::{Script, Worker},
    input,
    thread::event,
    wrapped,
};
use crate::{
    engine::{Context, Fault, Next, StreamUse},
    hooks::{self, HookId, HookSet, Named, Wrap, WrapModelCall, WrapToolCall, unary_hooks},
    middleware::{Middleware, Reply, Wrapped},
};
use async_trait::async_trait;
use event::{Call, Caller, Event, Said, Target};
use sidehook_proto::{Answer, Payloads, ScriptForm, Written, v1};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::{runtime::Handle, sync::oneshot};

/// A middleware that is an object of a script.
#[derive(Debug)]
pub(super) struct ScriptMiddleware {
    pub(super) script: Arc<Script>,
    index: usize,
    found: Found,
    streams: bool,
}

impl ScriptMiddleware {
    /// The middleware number `index` of `script`.
    pub(super) fn new(script: Arc<Script>, index: usize, found: Found) -> Self {
        let streams = script.recipe().program.mentions("stream");
        Self { script, index, found, streams }
    }

    /// Lets the script work on a call, until it is answered or nobody waits for
    /// it any more.
    pub(super) fn begin(
        &self,
        context: &Context<'_>,
        target: Target,
        written: (String, bool),
        caller: Caller,
    ) -> Result<Waiting, Fault> {
        let (text, marked) = written;
        let id = self.script.new_id();
        let cancelled = Arc::new(AtomicBool::new(false));
        let worker = self.script.worker();
        worker.call(Box::new(Call {
            id,
            index: self.index,
            target,
            text,
            marked,
            has_effects: has_effects(context.hook()),
            state: if is_call_hook(context.hook()) {
                context.call_state()
            } else {
                context.state()
            },
            runtime: Handle::current(),
            cancelled: Arc::clone(&cancelled),
            caller,
        }))?;
        Ok(Waiting { worker, id, cancelled, answered: false })
    }

    async fn ask(
        &self,
        context: &Context<'_>,
        target: Target,
        written: Written,
    ) -> Result<(String, Payloads), Fault> {
        let Written { text, payloads, marked } = written;
        let (caller, said) = oneshot::channel();
        let mut waiting = self.begin(context, target, (text, marked), Caller::Unary(caller))?;
        let said = said.await.map_err(|_gone| Fault::unreachable("did not answer"))?;
        waiting.answered = true;
        let Said { answer, effects } = said;
        add(context, effects);
        Ok((answer?, payloads))
    }

    async fn unary<H>(&self, context: &Context<'_>, request: &H::Request) -> Reply<H::Answer>
    where
        H: Named,
        H::Request: ScriptForm,
        H::Answer: ScriptForm + Answer,
    {
        let written = input::unary::<H>(self.script.marks(), context, request);
        let (said, mut payloads) = self.ask(context, Target::Hook(H::ID), written).await?;
        answer::outcome::<H>(&said, &mut payloads, &self.script.recipe().program)
    }
}

/// A call that the script works on. Dropped before it is answered, it is
/// cancelled there.
pub(super) struct Waiting {
    pub(super) worker: Arc<Worker>,
    pub(super) id: u64,
    cancelled: Arc<AtomicBool>,
    pub(super) answered: bool,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.answered {
            self.cancelled.store(true, Ordering::Relaxed);
            let _gone = self.worker.tell(Event::Cancelled(self.id));
        }
    }
}

/// Adds what a script asks the run to do, in its middleware's name.
pub(super) fn add(context: &Context<'_>, effects: v1::Effects) {
    for added in effects.added_context {
        context.add_context(added.text);
    }
    if let Some(stop) = effects.stop {
        context.stop(stop.reason);
    }
    for entry in effects.log_events {
        context.log_event_text(entry.event, entry.note_json);
    }
}

/// Whether the response of a hook has effects.
fn has_effects(hook: HookId) -> bool {
    !hook.is_platform() && !is_call_hook(hook)
}

/// Whether a hook is one of an LLM client, whose state is that of a call.
fn is_call_hook(hook: HookId) -> bool {
    matches!(hook, HookId::Transform | HookId::Wrap | HookId::OnEvent)
}

macro_rules! script_middleware {
    ($($method:ident $hook:ident $request:ident)*) => {
        #[async_trait]
        impl Middleware for ScriptMiddleware {
            fn hooks(&self) -> HookSet {
                self.found.hooks
            }

            fn holds_stream(&self) -> bool {
                self.found.holds_stream
            }

            fn stream_use(&self, _: HookId) -> StreamUse {
                if self.streams { StreamUse::Rewrites } else { StreamUse::Untouched }
            }

            fn gates(&self) -> bool {
                self.found.enabled != Enabled::Yes
            }

            async fn enabled(&self, context: &Context<'_>, stage: &str) -> Result<bool, Fault> {
                if self.found.enabled == Enabled::No {
                    return Ok(false);
                }
                let written = input::enabled(context, stage);
                let (said, _) = self.ask(context, Target::Enabled, written).await?;
                answer::truth(&said, &self.script.recipe().program)
            }

            async fn wrap_model_call(
                &self,
                context: &Context<'_>,
                call: Arc<v1::ModelCall>,
                next: &Next<'_, WrapModelCall>,
            ) -> Wrapped<v1::ChatResponse> {
                wrapped::run(self, context, call, next).await
            }

            async fn wrap_tool_call(
                &self,
                context: &Context<'_>,
                call: Arc<v1::ToolInvocation>,
                next: &Next<'_, WrapToolCall>,
            ) -> Wrapped<v1::ToolResult> {
                wrapped::run(self, context, call, next).await
            }

            async fn wrap(
                &self,
                context: &Context<'_>,
                call: Arc<v1::ChatRequest>,
                next: &Next<'_, Wrap>,
            ) -> Wrapped<v1::CallResult> {
                wrapped::run(self, context, call, next).await
            }

            $(async fn $method(
                &self,
                context: &Context<'_>,
                request: &v1::$request,
            ) -> Reply<<hooks::$hook as Named>::Answer> {
                self.unary::<hooks::$hook>(context, request).await
            })*
        }
    };
}

unary_hooks!(script_middleware);
