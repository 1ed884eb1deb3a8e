//! What middleware remembers: of a run, of a logical call, of its own; and what
//! it no longer may write.

use super::asked::{ask_in, state};
use crate::{
    engine::{Chains, Context, Link, State},
    hooks::{BeforeToolCall, HookId, HookSet},
    middleware::{Middleware, Reply},
    runs::{RunState, Scope, StateError},
};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::json;
use sidehook_proto::{Outcome, v1};
use std::{sync::Arc, time::Duration};
use tokio::sync::oneshot;

/// Adds 1 to `n` in all three scopes.
#[derive(Debug)]
struct Counts;

#[async_trait]
impl Middleware for Counts {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::BeforeToolCall])
    }

    async fn before_tool_call(
        &self,
        context: &Context<'_>,
        _: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        for state in [context.state(), context.call_state(), context.own()] {
            tokio::task::yield_now().await;
            state.add("n", 1).await?;
        }
        Ok(Outcome::none())
    }
}

fn chains(names: &[&str]) -> Chains {
    let links = names.iter().map(|name| Link::new(name, "test", Arc::new(Counts))).collect();
    Chains::new(links, Duration::from_secs(5))
}

async fn call(chains: &Chains, state: &Arc<dyn RunState>, request_id: &str) {
    let context = v1::HookContext { request_id: request_id.into(), ..v1::HookContext::default() };
    ask_in::<BeforeToolCall>(chains, json!({}), context, Arc::clone(state)).await;
}

/// Compares `n` in `scope`.
async fn check(state: &Arc<dyn RunState>, scope: Scope, expected: i64) {
    assert_eq!(state.get(&scope, "n").await, Ok(Some(expected.into())), "{scope:?}");
}

#[tokio::test(start_paused = true)]
async fn a_scope_is_shared_by_the_run_the_logical_call_or_one_middleware() {
    let (chains, state) = (chains(&["a", "b"]), state());
    for request in ["x", "x", "y"] {
        call(&chains, &state, request).await;
    }
    check(&state, Scope::Run, 6).await;
    check(&state, Scope::Call("x".into()), 4).await;
    check(&state, Scope::Call("y".into()), 2).await;
    check(&state, Scope::Own("a".into()), 3).await;
}

#[tokio::test(start_paused = true)]
async fn without_a_request_id_the_calls_state_is_the_runs() {
    let (chains, state) = (chains(&["a"]), state());
    call(&chains, &state, "").await;
    check(&state, Scope::Run, 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_parallel_tool_calls_that_add_1_give_64() {
    let (chains, state) = (Arc::new(chains(&["a"])), state());
    let calls = (0..64).map(|n| {
        let (chains, state) = (Arc::clone(&chains), Arc::clone(&state));
        tokio::spawn(async move { call(&chains, &state, &n.to_string()).await })
    });
    futures::future::join_all(calls).await;
    check(&state, Scope::Run, 64).await;
    check(&state, Scope::Own("a".into()), 64).await;
}

/// Leaves a task behind that writes when it is told to, and hangs.
#[derive(Debug)]
struct LeavesATask {
    hangs: bool,
    write: Mutex<Option<oneshot::Receiver<()>>>,
    wrote: Mutex<Option<oneshot::Sender<Result<(), StateError>>>>,
}

#[async_trait]
impl Middleware for LeavesATask {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::BeforeToolCall])
    }

    async fn before_tool_call(
        &self,
        context: &Context<'_>,
        _: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        let (write, wrote) = (self.write.lock().take().unwrap(), self.wrote.lock().take().unwrap());
        let state: State = context.state();
        tokio::spawn(async move {
            write.await.unwrap();
            wrote.send(state.set("late", json!(1)).await).unwrap();
        });
        if self.hangs {
            std::future::pending::<()>().await;
        }
        Ok(Outcome::none())
    }
}

/// Runs a link that leaves a task behind, and compares what a write of it gives
/// after the call.
async fn check_late(hangs: bool) {
    let ((write, may_write), (wrote, result)) = (oneshot::channel(), oneshot::channel());
    let link =
        LeavesATask { hangs, write: Mutex::new(Some(may_write)), wrote: Mutex::new(Some(wrote)) };
    let links = vec![Link::new("a", "test", Arc::new(link))];
    let (chains, state) = (Chains::new(links, Duration::from_secs(5)), state());
    call(&chains, &state, "").await;
    write.send(()).unwrap();
    assert_eq!(result.await.unwrap(), Err(StateError::CallOver));
    assert_eq!(state.get(&Scope::Run, "late").await, Ok(None));
}

#[tokio::test(start_paused = true)]
async fn a_late_write_of_a_link_that_timed_out_is_discarded() {
    check_late(true).await;
}

#[tokio::test(start_paused = true)]
async fn a_late_write_after_the_answer_is_discarded() {
    check_late(false).await;
}
