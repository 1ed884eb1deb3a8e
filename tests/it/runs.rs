//! The life of a run: it opens, keeps its chains and its answers, and is over.

use crate::support::{
    Runtime, Said, Sidecar, answer, guard, no_opinion, refusal, run, slow_guard, soon,
};
use futures::future::join_all;
use serde_json::{Value, json};
use sidehook_server::{
    engine::{Chains, Link},
    hooks::HookId,
    runs::StateError,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::{Semaphore, mpsc};

/// Fires a hook of a run, and says how that ended.
async fn fire(runtime: &Runtime, hook: &str, id: &str) -> String {
    let status = json!({"status": "RUN_STATUS_COMPLETED"});
    let mut request = if hook == "after_run" { status } else { json!({}) };
    request["context"] = run(id);
    match runtime.ask(hook, request).await {
        Ok(_) => "ok".into(),
        Err(status) => refusal(&status),
    }
}

async fn resume(runtime: &Runtime, id: &str) -> Result<Value, tonic::Status> {
    runtime.ask("start_run", json!({"context": run(id), "resumed": true})).await
}

/// A guard that counts its run's calls in the run's state, and adds the count as context.
fn counter() -> Link {
    slow_guard("counter", &[HookId::BeforeRun], |context, _| {
        let state = context.state();
        Box::pin(async move {
            let count = state.add("calls", 1).await?;
            answer(json!({ "added_context": [count.to_string()] }))
        })
    })
}

async fn count(runtime: &Runtime, id: &str) -> Value {
    let response = runtime.ask("before_run", json!({"context": run(id)})).await.unwrap();
    response["answer"]["added_context"][0].clone()
}

#[tokio::test]
async fn the_first_hook_opens_a_run_and_the_last_ends_it() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    assert_eq!(fire(&runtime, "before_model", "a").await, "ok");
    assert_eq!(sidecar.inner.runs().len(), 1);
    assert_eq!(fire(&runtime, "after_run", "a").await, "ok");
    assert_eq!(sidecar.inner.runs().len(), 0);
    assert_eq!(fire(&runtime, "before_model", "a").await, "FailedPrecondition RUN_ENDED");
}

#[tokio::test]
async fn every_status_ends_a_run_and_frees_its_state() {
    let sidecar = Sidecar::of(vec![counter()]).start().await;
    let runtime = sidecar.runtime();
    for status in ["COMPLETED", "FAILED", "PAUSED"] {
        assert_eq!(count(&runtime, status).await, json!("1"));
        assert_eq!(count(&runtime, status).await, json!("2"));
        let status_name = format!("RUN_STATUS_{status}");
        let over = json!({"context": run(status), "status": status_name});
        runtime.ask("after_run", over).await.unwrap();
        assert_eq!(fire(&runtime, "before_run", status).await, "FailedPrecondition RUN_ENDED");
        resume(&runtime, status).await.unwrap();
        assert_eq!(count(&runtime, status).await, json!("1"), "{status}");
    }
}

#[tokio::test]
async fn a_second_after_run_is_harmless_and_asks_nobody() {
    let (link, asked) = counting(&[HookId::AfterRun]);
    let sidecar = Sidecar::of(vec![link]).start().await;
    let runtime = sidecar.runtime();
    for _ in 0..3 {
        assert_eq!(fire(&runtime, "after_run", "a").await, "ok");
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_wrapped_call_of_an_ended_run_is_refused_too() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    fire(&runtime, "after_run", "run").await;
    let mut call = runtime.open("wrap_model_call").await;
    call.send(json!({"open": {"call": {}}}));
    assert_eq!(refusal(&call.error().await), "FailedPrecondition RUN_ENDED");
}

#[tokio::test]
async fn the_run_that_was_idle_longest_is_evicted_for_a_new_one() {
    let sidecar = Sidecar::with("runs: { max_runs: 2 }").start().await;
    let runtime = sidecar.runtime();
    for id in ["a", "b", "c"] {
        assert_eq!(fire(&runtime, "before_run", id).await, "ok");
    }
    assert_eq!(fire(&runtime, "before_run", "a").await, "FailedPrecondition RUN_EVICTED");
    assert_eq!(fire(&runtime, "after_run", "a").await, "ok");
    assert_eq!(fire(&runtime, "before_run", "b").await, "ok");
    resume(&runtime, "a").await.unwrap();
    assert_eq!(fire(&runtime, "before_run", "a").await, "ok");
    assert_eq!(sidecar.inner.runs().len(), 2);
}

#[tokio::test]
async fn a_run_that_was_idle_for_too_long_is_evicted() {
    let sidecar = Sidecar::with("runs: { idle_ttl: 1ms }").start().await;
    let runtime = sidecar.runtime();
    fire(&runtime, "before_run", "a").await;
    soon(async {
        while !sidecar.inner.runs().is_empty() {
            sidecar.inner.sweep();
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(fire(&runtime, "before_run", "a").await, "FailedPrecondition RUN_EVICTED");
}

#[tokio::test]
async fn runs_without_an_end_do_not_pile_up() {
    let sidecar = Sidecar::with("runs: { max_runs: 100 }").start().await;
    let runtime = sidecar.runtime();
    for batch in 0..20 {
        let ids: Vec<_> = (0..50).map(|one| format!("{batch}-{one}")).collect();
        join_all(ids.iter().map(|id| fire(&runtime, "before_run", id))).await;
        assert!(sidecar.inner.runs().len() <= 100);
    }
    assert_eq!(sidecar.inner.runs().len(), 100);
}

/// A guard that counts how often it is asked.
fn counting(hooks: &[HookId]) -> (Link, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let link = guard("counting", hooks, move |_, _| {
        count.fetch_add(1, Ordering::Relaxed);
        no_opinion()
    });
    (link, asked)
}

/// A request of a run with an idempotency key.
fn keyed(run: &str, key: &str) -> Value {
    json!({"context": {"run_id": run, "hook_call_id": key}})
}

#[tokio::test]
async fn a_repeated_call_gets_the_stored_answer_and_nobody_runs_twice() {
    let sidecar = Sidecar::of(vec![counter()]).start().await;
    let runtime = sidecar.runtime();
    let ask = async |run, key| {
        let response = runtime.ask("before_run", keyed(run, key)).await.unwrap();
        response["answer"]["added_context"][0].as_str().unwrap().to_owned()
    };
    assert_eq!([ask("a", "1").await, ask("a", "1").await], ["1", "1"]);
    assert_eq!(ask("a", "2").await, "2");
    assert_eq!([ask("b", "1").await, ask("a", "1").await], ["1", "1"]);
    assert_eq!(ask("a", "").await, "3");
    assert_eq!(ask("a", "").await, "4");
}

#[tokio::test]
async fn the_key_belongs_to_one_hook() {
    let (link, asked) = counting(&[HookId::BeforeRun, HookId::BeforeModel]);
    let sidecar = Sidecar::of(vec![link]).start().await;
    for hook in ["before_run", "before_model", "before_run"] {
        sidecar.runtime().ask(hook, keyed("a", "1")).await.unwrap();
    }
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn duplicates_at_the_same_time_run_once() {
    let (gate, started) = (Arc::new(Semaphore::new(0)), Arc::new(AtomicUsize::new(0)));
    let (opened, count) = (Arc::clone(&gate), Arc::clone(&started));
    let link = slow_guard("slow", &[HookId::BeforeRun], move |_, _| {
        let nth = count.fetch_add(1, Ordering::Relaxed) + 1;
        let gate = Arc::clone(&gate);
        Box::pin(async move {
            let _opened = gate.acquire().await;
            answer(json!({ "added_context": [format!("answer {nth}")] }))
        })
    });
    let sidecar = Sidecar::of(vec![link]).start().await;
    let runtime = sidecar.runtime();
    let duplicates = join_all((0..64).map(|_| runtime.ask("before_run", keyed("a", "1"))));
    let open = async {
        // All have arrived once a later call of the same connection was answered.
        runtime.ask("before_model", json!({"context": run("a")})).await.unwrap();
        opened.add_permits(1);
    };
    let (answers, ()) = soon(async { tokio::join!(duplicates, open) }).await;
    let same = |answer: &Value| answer["answer"]["added_context"] == json!(["answer 1"]);
    assert!(answers.iter().all(|answer| same(answer.as_ref().unwrap())));
    assert_eq!(started.load(Ordering::Relaxed), 1);
}

/// Chains with one guard that adds `text` to a run's input.
fn speaking(text: &'static str) -> Chains {
    let says = move || -> Said { answer(json!({ "added_context": [text] })) };
    let link = guard("speaker", &[HookId::BeforeRun], move |_, _| says());
    Chains::new(vec![link], Duration::from_secs(5))
}

/// What the guard says to runs of these ids.
async fn heard(runtime: &Runtime, ids: &[&str]) -> Vec<Value> {
    let mut heard = Vec::new();
    for id in ids {
        heard.push(count(runtime, id).await);
    }
    heard
}

#[tokio::test]
async fn a_run_keeps_the_chains_that_it_started_with() {
    let sidecar = Sidecar::with("").without_chains().start().await;
    let runtime = sidecar.runtime();
    assert_eq!(sidecar.inner.install(speaking("one"), "1"), 1);
    assert_eq!(heard(&runtime, &["old"]).await, ["one"]);
    assert_eq!(sidecar.inner.install(speaking("two"), "2"), 2);
    assert_eq!(heard(&runtime, &["old", "new", "old"]).await, ["one", "two", "one"]);
}

#[tokio::test]
async fn a_run_that_is_not_pinned_gets_new_chains_at_once() {
    let sidecar = Sidecar::with("runs: { pin: false }").without_chains().start().await;
    let runtime = sidecar.runtime();
    sidecar.inner.install(speaking("one"), "1");
    assert_eq!(heard(&runtime, &["old"]).await, ["one"]);
    sidecar.inner.install(speaking("two"), "2");
    assert_eq!(heard(&runtime, &["old"]).await, ["two"]);
}

#[tokio::test]
async fn the_same_content_makes_no_new_generation() {
    let sidecar = Sidecar::with("").without_chains().start().await;
    let numbers = ["1", "1", "2", "1"].map(|hash| sidecar.inner.install(speaking(""), hash));
    assert_eq!(numbers, [1, 1, 2, 3]);
}

#[tokio::test]
async fn a_write_to_state_after_the_call_is_discarded() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let link = slow_guard("late", &[HookId::BeforeRun], move |context, _| {
        let (state, tell) = (context.state(), tell.clone());
        Box::pin(async move {
            state.set("k", json!("in time")).await?;
            // A task that the call leaves behind.
            tokio::spawn(async move {
                while state.set("k", json!("late")).await.is_ok() {
                    tokio::task::yield_now().await;
                }
                tell.send(state.set("k", json!("late")).await).ok();
            });
            no_opinion()
        })
    });
    let sidecar = Sidecar::of(vec![link]).start().await;
    sidecar.runtime().ask("before_run", json!({})).await.unwrap();
    assert_eq!(soon(told.recv()).await, Some(Err(StateError::CallOver)));
}

#[tokio::test]
async fn sixty_four_parallel_calls_are_all_counted() {
    let sidecar = Sidecar::of(vec![counter()]).start().await;
    let runtime = sidecar.runtime();
    join_all((0..64).map(|_| count(&runtime, "a"))).await;
    assert_eq!(count(&runtime, "a").await, json!("65"));
}
