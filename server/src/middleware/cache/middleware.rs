//! Calls: answered, joined or made.

use super::{
    CacheConfig, CachedCall,
    cached::{Cached, sharing},
    flights::{Entered, Flight, Flights, Landed},
    kept::Kept,
    key::{self, Key},
    recorder::Recorder,
    store::Store,
};
use crate::{
    engine::{Context, Next, StreamUse},
    hooks::{HookId, HookSet, Wrap, WrapModelCall},
    middleware::{Middleware, Wrapped},
};
use async_trait::async_trait;
use serde_json::json;
use sidehook_proto::v1;
use std::sync::Arc;
use tokio::time::timeout;

/// Answers calls from memory.
#[derive(Debug)]
pub struct Cache {
    config: CacheConfig,
    store: Store,
    flights: Arc<Flights>,
}

impl Cache {
    /// A cache without answers.
    #[must_use]
    pub fn new(config: CacheConfig) -> Self {
        Self { store: Store::new(&config), config, flights: Arc::default() }
    }

    /// What tells the call from others, or `None` when nobody shares its answer.
    fn key<W: Cached>(&self, context: &Context<'_>, call: &W::Call) -> Option<Key> {
        let scope = sharing(self.config.scope, context.run())?;
        let call = W::request(context, call, &self.config.ignore);
        Some(key::digest(&json!({ "hook": W::ID.name(), "scope": scope, "call": call })))
    }

    async fn around<W: Cached>(
        &self,
        context: &Context<'_>,
        call: Arc<W::Call>,
        next: &Next<'_, W>,
    ) -> Wrapped<W::Result> {
        let Some(key) = self.key::<W>(context, &call) else { return next.run(call).await };
        if !self.config.join || next.is_audited() {
            return match self.store.get(&key) {
                Some(kept) => replay(&kept, W::hit(kept.result::<W>()), next).await,
                None => self.make(key, call, next, None).await,
            };
        }
        loop {
            match self.flights.enter(key, || self.store.get(&key)) {
                Entered::Hit(kept) => {
                    return replay(&kept, W::hit(kept.result::<W>()), next).await;
                }
                Entered::Leads(flight) => return self.make(key, call, next, Some(flight)).await,
                Entered::Joins(waiting) => {
                    match timeout(self.config.join_timeout.into(), waiting.landed()).await {
                        Ok(Some(Landed::Shared(kept))) => {
                            return replay(&kept, kept.result::<W>(), next).await;
                        }
                        // Whoever made the call went away; one of those that waited makes it.
                        Ok(None) => {}
                        Ok(Some(Landed::Alone)) | Err(_) => {
                            return self.make(key, call, next, None).await;
                        }
                    }
                }
            }
        }
    }

    /// Makes the call, and keeps its answer if it may be kept.
    async fn make<W: Cached>(
        &self,
        key: Key,
        call: Arc<W::Call>,
        next: &Next<'_, W>,
        flight: Option<Flight>,
    ) -> Wrapped<W::Result> {
        let recorder = Recorder::new(self.config.max_entry_size.as_usize());
        let result = if next.is_relayed() {
            next.run_through(call, Box::new(recorder.clone())).await
        } else {
            next.run(call).await
        };
        let shared = |result: &&Arc<W::Result>| {
            !next.did_more_inside() && (self.config.tool_calls || !W::calls_tools(result))
        };
        let landed = match result.as_ref().ok().filter(shared) {
            Some(result) => {
                let kept = Arc::new(Kept::of::<W>(result, recorder.pieces()));
                self.store.put(key, &kept);
                Landed::Shared(kept)
            }
            None => Landed::Alone,
        };
        if let Some(flight) = flight {
            flight.land(landed);
        }
        result
    }

    #[cfg(test)]
    pub(super) fn is_idle(&self) -> bool {
        self.flights.is_empty()
    }
}

/// Gives `result`, which is what was kept, and streams it where answers are streamed.
async fn replay<W: Cached>(
    kept: &Kept,
    result: W::Result,
    next: &Next<'_, W>,
) -> Wrapped<W::Result> {
    if next.is_relayed() {
        let mut pieces = kept.pieces::<W>();
        if pieces.is_empty() {
            pieces = W::streamed(&result);
        }
        next.emit(pieces).await?;
    }
    Ok(Arc::new(result))
}

#[async_trait]
impl Middleware for Cache {
    fn hooks(&self) -> HookSet {
        let hook = |call: &CachedCall| match call {
            CachedCall::Model => HookId::WrapModelCall,
            CachedCall::Wrap => HookId::Wrap,
        };
        self.config.calls.iter().map(hook).collect()
    }

    /// It records the pieces of answers, and streams them again.
    fn stream_use(&self, _: HookId) -> StreamUse {
        StreamUse::Rewrites
    }

    async fn wrap_model_call(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        self.around(context, call, next).await
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
