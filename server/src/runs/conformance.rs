//! What every store of run state must do, whatever it is made of.

use super::{MemoryStore, RunState, Scope, StateBounds, StateError, StateStore};
use futures::future::join_all;
use serde_json::{Value, json};
use std::sync::Arc;

const BOUNDS: StateBounds = StateBounds { value_bytes: 64, run_bytes: 256 };

/// Runs every claim on a fresh run of `store`.
async fn conforms(store: &dyn StateStore) {
    values_live_in_their_scope(&*store.open("a")).await;
    parallel_additions_are_all_counted(store.open("b")).await;
    a_value_changes_only_from_what_was_expected(&*store.open("c")).await;
    bounds_refuse_what_is_too_large(&*store.open("d")).await;
    numbers_survive_bit_for_bit(&*store.open("e")).await;
    a_closed_run_is_over(&*store.open("f")).await;
}

async fn values_live_in_their_scope(state: &dyn RunState) {
    let (own, other) = (Scope::Own("a".into()), Scope::Own("b".into()));
    state.set(&Scope::Run, "k", json!(1)).await.unwrap();
    state.set(&own, "k", json!(2)).await.unwrap();
    assert_eq!(state.get(&Scope::Run, "k").await, Ok(Some(json!(1))));
    assert_eq!(state.get(&own, "k").await, Ok(Some(json!(2))));
    assert_eq!(state.get(&other, "k").await, Ok(None));
    assert_eq!(state.remove(&own, "k").await, Ok(Some(json!(2))));
    state.clear(&Scope::Run).await.unwrap();
    assert_eq!(state.get(&Scope::Run, "k").await, Ok(None));
    assert_eq!(state.byte_count(), 0);
}

async fn parallel_additions_are_all_counted(state: Arc<dyn RunState>) {
    let tasks = (0..64).map(|_| {
        let state = Arc::clone(&state);
        tokio::spawn(async move { state.add(&Scope::Run, "n", 1).await })
    });
    join_all(tasks).await;
    assert_eq!(state.get(&Scope::Run, "n").await, Ok(Some(json!(64))));
    state.set(&Scope::Run, "n", json!("text")).await.unwrap();
    let refused = state.add(&Scope::Run, "n", 1).await;
    assert_eq!(refused, Err(StateError::NotAnInteger { key: "n".into() }));
}

async fn a_value_changes_only_from_what_was_expected(state: &dyn RunState) {
    let change = async |expected: Option<Value>, new: Option<Value>| {
        state.compare_and_set(&Scope::Run, "k", expected.as_ref(), new).await.unwrap()
    };
    assert!(change(None, Some(json!("a"))).await);
    assert!(!change(None, Some(json!("b"))).await);
    assert!(change(Some(json!("a")), Some(json!("c"))).await);
    assert!(change(Some(json!("c")), None).await);
    assert_eq!(state.get(&Scope::Run, "k").await, Ok(None));
}

async fn bounds_refuse_what_is_too_large(state: &dyn RunState) {
    let large = state.set(&Scope::Run, "k", json!("x".repeat(63))).await;
    assert_eq!(large, Err(StateError::ValueTooLarge { key: "k".into(), bytes: 65, limit: 64 }));
    for key in ["a", "b", "c", "d"] {
        state.set(&Scope::Run, key, json!("x".repeat(50))).await.unwrap();
    }
    let full = state.set(&Scope::Run, "e", json!("x".repeat(50))).await;
    assert_eq!(full, Err(StateError::RunFull { limit: 256 }));
    // A value that is replaced frees its room first.
    state.set(&Scope::Run, "a", json!("y".repeat(60))).await.unwrap();
}

async fn numbers_survive_bit_for_bit(state: &dyn RunState) {
    let exact: Value = serde_json::from_str("[9007199254740993,1e400,0.10]").unwrap();
    state.set(&Scope::Run, "k", exact.clone()).await.unwrap();
    let stored = state.get(&Scope::Run, "k").await.unwrap().unwrap();
    assert_eq!(stored.to_string(), exact.to_string());
}

async fn a_closed_run_is_over(state: &dyn RunState) {
    state.set(&Scope::Run, "k", json!(1)).await.unwrap();
    state.close().await.unwrap();
    assert_eq!(state.get(&Scope::Run, "k").await, Err(StateError::RunOver));
    assert_eq!(state.set(&Scope::Run, "k", json!(1)).await, Err(StateError::RunOver));
    assert_eq!(state.byte_count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_conforms() {
    conforms(&MemoryStore::new(BOUNDS)).await;
}
