//! A sidecar that stops: what has started finishes, nothing new starts, and it ends in time.

use crate::support::{Runtime, Sidecar, refusal, run, soon};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// Longer than a test takes.
const LONG: Duration = Duration::from_secs(50);

/// Fires hooks until the sidecar drains.
async fn draining(runtime: &Runtime) {
    while runtime.ask("Describe", json!({})).await.unwrap().get("draining").is_none() {
        tokio::task::yield_now().await;
    }
}

async fn refused(runtime: &Runtime, hook: &str, id: &str) -> String {
    let request = json!({"context": run(id)});
    refusal(&runtime.ask(hook, request).await.expect_err("it is refused"))
}

async fn after_run(runtime: &Runtime, id: &str) -> Value {
    let request = json!({"context": run(id), "status": "RUN_STATUS_COMPLETED"});
    runtime.ask("after_run", request).await.unwrap()
}

#[tokio::test]
async fn open_runs_finish_and_new_ones_are_refused() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    runtime.ask("start_run", json!({"context": run("old")})).await.unwrap();
    let stopping = tokio::spawn(sidecar.server.stop(LONG));
    soon(draining(&runtime)).await;

    assert_eq!(refused(&runtime, "start_run", "new").await, "Unavailable DRAINING");
    assert_eq!(refused(&runtime, "start_run", "old").await, "Unavailable DRAINING");
    assert_eq!(refused(&runtime, "before_run", "new").await, "Unavailable DRAINING");
    let mut call = runtime.open("wrap_model_call").await;
    call.send(json!({"open": {"context": run("new"), "call": {}}}));
    assert_eq!(refusal(&call.error().await), "Unavailable DRAINING");

    runtime.ask("before_model", json!({"context": run("old")})).await.unwrap();
    assert!(!stopping.is_finished());
    after_run(&runtime, "old").await;
    soon(stopping).await.unwrap();
}

#[tokio::test]
async fn an_open_stream_finishes() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    let mut call = runtime.open("wrap_model_call").await;
    call.send(json!({"open": {"context": run("old"), "call": {}}}));
    call.expect("next").await;
    let stopping = tokio::spawn(sidecar.server.stop(LONG));
    soon(draining(&runtime)).await;
    after_run(&runtime, "old").await;
    assert!(!stopping.is_finished());
    call.send(json!({"end": {"invocation": 1, "response": {"text": "late, but here"}}}));
    let (_, finished) = call.finish().await;
    assert_eq!(finished["answered_by"]["invocation"], json!(1));
    soon(stopping).await.unwrap();
}

#[tokio::test]
async fn an_idle_sidecar_stops_at_once() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    runtime.ask("before_run", json!({"context": run("a")})).await.unwrap();
    after_run(&runtime, "a").await;
    let started = Instant::now();
    sidecar.server.stop(LONG).await;
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    assert!(!std::fs::exists(sidecar.address.to_string().trim_start_matches("unix://")).unwrap());
}

#[tokio::test]
async fn a_runtime_that_hangs_is_not_waited_for_beyond_the_deadline() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    let mut call = runtime.open("wrap_model_call").await;
    call.send(json!({"open": {"context": run("hung"), "call": {}}}));
    call.expect("next").await;
    let started = Instant::now();
    sidecar.server.stop(Duration::from_millis(300)).await;
    let took = started.elapsed();
    assert!((300..2_000).contains(&took.as_millis()), "{took:?}");
}
