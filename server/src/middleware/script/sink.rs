//! A sink of a script: streamed text goes through it.

use super::{
    answer::{self, Returned},
    handle::{Script, Worker},
    thread::event::Event,
};
use crate::{
    engine::{Fault, Sink},
    hooks::HookId,
};
use async_trait::async_trait;
use sidehook_proto::{ScriptForm, ScriptWriter};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Hands streamed text to the sink that a script gave to `next`. What the script
/// lets through, it writes to the stream outside itself.
pub(super) struct ScriptSink {
    script: Arc<Script>,
    worker: Arc<Worker>,
    hook: HookId,
    id: u64,
    invocation: u32,
}

impl ScriptSink {
    pub(super) fn new(
        script: &Arc<Script>,
        worker: &Arc<Worker>,
        (hook, id, invocation): (HookId, u64, u32),
    ) -> Self {
        Self { script: Arc::clone(script), worker: Arc::clone(worker), hook, id, invocation }
    }

    async fn tell(&self, delta: Option<String>) -> Result<(), Fault> {
        let (taken, done) = oneshot::channel();
        let (id, invocation) = (self.id, self.invocation);
        self.worker.tell(Event::Stream { id, invocation, delta, taken })?;
        // When the whole call is answered instead, it is dropped, and this with
        // it.
        let Ok(said) = done.await else { return std::future::pending().await };
        match answer::returned(&said?, self.hook, &self.script.recipe().program)? {
            Returned::Nothing => Ok(()),
            _ => Err(Fault::threw("failed in a sink")),
        }
    }
}

#[async_trait]
impl<D: ScriptForm + Send + 'static> Sink<D> for ScriptSink {
    async fn push(&mut self, delta: D) -> Result<Vec<D>, Fault> {
        let mut out = ScriptWriter::marking(self.script.marks());
        out.message(&delta);
        self.tell(Some(out.finish().text)).await?;
        Ok(Vec::new())
    }

    async fn finish(&mut self) -> Result<Vec<D>, Fault> {
        self.tell(None).await?;
        Ok(Vec::new())
    }
}
