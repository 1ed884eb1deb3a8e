//! Retries, other models and answers from memory, as a runtime sees them on the wire.

use crate::support::{Sidecar, run, soon};
use futures::future::join_all;
use serde_json::{Value, json};
use std::time::Duration;

const CACHE: &str = "middleware: [{ name: answers, kind: cache }]";

/// A retry whose delays are long, or those that the provider asks for.
const SLOW: &str =
    "middleware: [{ name: again, kind: retry, jitter: none, first_delay: 5m, max_delay: 1h }]";

fn open(id: &str, text: &str) -> Value {
    let messages = json!([{"role": "user", "text": text}]);
    json!({"open": {"context": run(id), "call": {"request": {"messages": messages}}}})
}

#[tokio::test]
async fn of_64_equal_calls_one_reaches_the_runtime() {
    let sidecar = Sidecar::with(CACHE).start().await;
    let runtime = sidecar.runtime();
    let mut calls = Vec::new();
    for number in 0..64 {
        let call = runtime.open("wrap_model_call").await;
        call.send(open(&format!("run-{number}"), "hi"));
        calls.push(call);
    }
    // Whichever came first is asked to make the call.
    let asked = calls
        .iter_mut()
        .enumerate()
        .map(|(index, call)| Box::pin(async move { (index, call.expect("next").await) }));
    let ((first, next), _, waiting) = soon(futures::future::select_all(asked)).await;
    drop(waiting);
    assert_eq!(next["invocation"], 1);
    calls[first].send(json!({"end": {"invocation": 1, "response": {"text": "hello"}}}));
    let finished = join_all(calls.iter_mut().map(|call| call.finish())).await;
    for (index, (frames, finished)) in finished.into_iter().enumerate() {
        let (real, middleware) = (&finished["answered_by"], &finished["answered_by"]["middleware"]);
        assert_eq!(frames, Vec::<Value>::new(), "no other call is asked to be made");
        if index == first {
            assert_eq!(real["invocation"], 1);
        } else {
            assert_eq!((middleware, real.get("invocation")), (&json!("answers"), None));
            assert_eq!(finished["answer"]["response"]["text"], "hello");
        }
    }
}

#[tokio::test]
async fn when_the_runtime_that_makes_the_call_goes_away_another_makes_it() {
    let sidecar = Sidecar::with(CACHE).start().await;
    let mut leaves = sidecar.runtime().open("wrap_model_call").await;
    leaves.send(open("first", "hi"));
    leaves.expect("next").await;
    let mut stays = sidecar.runtime().open("wrap_model_call").await;
    stays.send(open("second", "hi"));
    drop(leaves);
    let finished = stays.play("response", json!({"text": "hello"})).await;
    assert_eq!(finished["answered_by"]["invocation"], 1);
}

#[tokio::test]
async fn the_delay_that_a_provider_asks_for_reaches_the_runtime_when_it_is_too_long() {
    let yaml = "middleware: [{ name: again, kind: retry }]";
    let sidecar = Sidecar::with(yaml).start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    call.send(open("run", "hi"));
    call.expect("next").await;
    let error = json!({"type": "rate_limited", "retryable": true, "retry_after_seconds": 120.5});
    call.send(json!({"failed": {"invocation": 1, "error": error}}));
    let (_, finished) = call.finish().await;
    assert_eq!(finished["failure"]["retry_after_seconds"], 120.5);
}

#[tokio::test]
async fn a_delay_beyond_the_callers_deadline_ends_the_call_at_once() {
    let sidecar = Sidecar::with(SLOW).start().await;
    let minute = Duration::from_secs(60);
    let mut call = sidecar.runtime().open_within(minute, "wrap_model_call").await;
    call.send(open("run", "hi"));
    call.expect("next").await;
    let error = json!({"type": "unavailable", "retryable": true});
    call.send(json!({"failed": {"invocation": 1, "error": error}}));
    let (_, finished) = call.finish().await;
    assert_eq!(finished["failure"]["type"], "unavailable");
    let note: Value =
        finished["effects"]["log_events"][0]["note_json"].as_str().unwrap().parse().unwrap();
    assert_eq!((&note["attempts"], &note["gave_up"]), (&json!(1), &json!("deadline")));
}

/// Checks what is wrong with a middleware's keys.
#[track_caller]
fn check_problem(keys: &str, problem: &str) {
    let yaml = format!("version: 1\nmiddleware:\n  - {{ name: it, {keys} }}");
    let error = sidehook_server::config::compile("f", &yaml).unwrap_err().to_string();
    assert!(error.contains(problem), "{error}");
}

#[test]
fn keys_that_do_not_fit_are_named() {
    check_problem("kind: retry, tools: ['[']", "middleware[0].tools[0]");
    check_problem("kind: retry, attempts: 0", "middleware[0].attempts");
    check_problem("kind: retry, factor: 0.5", "middleware[0].factor");
    check_problem("kind: fallback", "models");
    check_problem(
        "kind: fallback, models: [{ model: a/b }, { model: a/b }]",
        "middleware[0].models[1].model",
    );
    check_problem("kind: cache, max_size: 1MiB, max_entry_size: 2MiB", "`max_size`, which is 1MiB");
    check_problem("kind: cache, scope: team", "middleware[0].scope");
}
