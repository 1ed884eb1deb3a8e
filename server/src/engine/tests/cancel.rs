//! When the caller goes away, the link that runs is dropped and no later one
//! runs.

use super::{
    asked::{ask, ask_in, state},
    scripted::{Cause, FIVE_SECONDS, Says, links},
};
use crate::{
    engine::{Chains, Context, Link},
    hooks::{BeforeToolCall, HookId, HookSet},
    middleware::{Middleware, Reply},
    runs::{Scope, StateError},
};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::json;
use sidehook_proto::v1;
use std::sync::Arc;
use tokio::sync::oneshot;

/// Says that it runs, and then that it was dropped.
#[derive(Debug)]
struct Hangs {
    runs: Mutex<Option<oneshot::Sender<()>>>,
    dropped: Mutex<Option<oneshot::Sender<Result<(), StateError>>>>,
}

#[async_trait]
impl Middleware for Hangs {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::BeforeToolCall])
    }

    async fn before_tool_call(
        &self,
        context: &Context<'_>,
        _: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        let (state, dropped) = (context.state(), self.dropped.lock().take().unwrap());
        let (guard, gone) = oneshot::channel::<()>();
        tokio::spawn(async move {
            gone.await.unwrap_err();
            dropped.send(state.set("late", json!(1)).await).unwrap();
        });
        self.runs.lock().take().unwrap().send(()).unwrap();
        std::future::pending::<()>().await;
        drop(guard);
        unreachable!()
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_the_call_drops_the_running_link_and_runs_no_later_one() {
    let ((runs, running), (dropped, write)) = (oneshot::channel(), oneshot::channel());
    let hangs = Hangs { runs: Mutex::new(Some(runs)), dropped: Mutex::new(Some(dropped)) };
    let mut links = links([json!({}), json!({})]);
    links.insert(1, Link::new("hangs", "test", Arc::new(hangs)));
    let chains = Arc::new(Chains::new(links, FIVE_SECONDS));
    let (shared, state) = (Arc::clone(&chains), state());
    let kept = Arc::clone(&state);
    let call = tokio::spawn(async move {
        let context = v1::HookContext::default();
        ask_in::<BeforeToolCall>(&shared, json!({}), context, state).await
    });
    running.await.unwrap();
    call.abort();
    assert_eq!(write.await.unwrap(), Err(StateError::CallOver), "its late writes are discarded");
    let ran: Vec<u64> = chains.links().iter().map(|link| link.counters.call_count()).collect();
    assert_eq!(ran, [1, 1, 0]);
    assert_eq!(kept.get(&Scope::Run, "late").await, Ok(None));
}

/// Answers what it is given.
#[derive(Debug)]
struct Waits(Mutex<Option<oneshot::Receiver<&'static str>>>);

#[async_trait]
impl Middleware for Waits {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::BeforeToolCall])
    }

    async fn before_tool_call(
        &self,
        _: &Context<'_>,
        _: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        let given = self.0.lock().take().unwrap();
        let reason = given.await.unwrap().into();
        Ok(v1::BeforeToolCallAnswer { reason, ..v1::BeforeToolCallAnswer::default() }.into())
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_there_counts_however_late_the_clock_is_read() {
    let (answer, given) = oneshot::channel();
    let links = vec![Link::new("a", "test", Arc::new(Waits(Mutex::new(Some(given)))))];
    let call = tokio::spawn(async move {
        ask::<BeforeToolCall>(&Chains::new(links, FIVE_SECONDS), json!({})).await
    });
    tokio::task::yield_now().await;
    answer.send("in time").unwrap();
    tokio::time::advance(FIVE_SECONDS * 2).await;
    assert_eq!(call.await.unwrap().steps(), "a answered");
}

#[tokio::test(start_paused = true)]
async fn a_callers_deadline_ends_a_link_without_a_limit() {
    let mut links = links([Says::Faults(Cause::TimesOut), json!({}).into()]);
    links[0].timeout = Some(std::time::Duration::ZERO);
    let chains = Chains::new(links, FIVE_SECONDS);
    let call = ask::<BeforeToolCall>(&chains, json!({}));
    assert!(tokio::time::timeout(FIVE_SECONDS, call).await.is_err());
    assert_eq!(chains.links()[1].counters.call_count(), 0);
}
