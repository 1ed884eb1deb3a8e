//! The order of frames, and what happens when one side stops.

use crate::support::{Exchange, Runtime, Sidecar, around, no_opinion, refusal, slow_guard, soon};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use serde_json::{Value, json};
use sidehook_proto::v1::{self, run_hooks_client::RunHooksClient};
use sidehook_server::{engine::Link, hooks::HookId};
use std::{future::pending, time::Duration};
use tokio::sync::mpsc;
use tonic::{Request, Status};
use tonic_types::StatusExt;

/// Tells that it was dropped.
struct Dropped(mpsc::UnboundedSender<()>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.send(()).ok();
    }
}

/// A link that never comes back from its own work, after `calls` real calls, and what hears
/// that it was dropped.
fn stuck(calls: usize) -> (Link, mpsc::UnboundedReceiver<()>) {
    let (sender, dropped) = mpsc::unbounded_channel();
    let mut link = around("stuck", move |call, next| {
        let guard = Dropped(sender.clone());
        Box::pin(async move {
            for _ in 0..calls {
                next.run(call.clone()).await?;
            }
            let _held = guard;
            pending().await
        })
    });
    link.timeout = Some(Duration::ZERO);
    (link, dropped)
}

/// Sends `frames`, and checks the status and the state that the call ends with. Other calls on
/// the connection go on.
async fn check(frames: &[Value], expected: &str, state: &str) {
    let (link, _dropped) = stuck(1);
    let sidecar = Sidecar::of(vec![link]).start().await;
    let runtime = sidecar.runtime();
    let mut bystander = runtime.open("wrap_tool_call").await;
    bystander.send(json!({"open": {"call": {"tool_call": {}}}}));
    bystander.expect("next").await;

    let mut call = runtime.open("wrap_model_call").await;
    for frame in frames {
        if *frame == json!("half-close") {
            call.half_close();
        } else {
            call.send(frame.clone());
        }
    }
    let status = call.error().await;
    assert_eq!(refusal(&status), expected, "{status:?}");
    let details = status.get_error_details();
    assert_eq!(details.error_info().unwrap().metadata.get("state").unwrap(), state);

    bystander.send(json!({"end": {"invocation": 1, "result": {}}}));
    bystander.finish().await;
    assert_eq!(runtime.connections(), 1);
}

fn open() -> Value {
    json!({"open": {"call": {}, "streaming": true}})
}

fn end(invocation: i32) -> Value {
    json!({"end": {"invocation": invocation, "response": {}}})
}

#[tokio::test]
async fn a_frame_before_open_is_illegal() {
    let state = "the call is not open";
    check(&[end(1)], "FailedPrecondition ILLEGAL_FRAME `end` of invocation 1", state).await;
    check(&[json!("half-close")], "FailedPrecondition ILLEGAL_FRAME half-close", state).await;
}

#[tokio::test]
async fn a_second_open_is_illegal() {
    let state = "the call is already open";
    check(&[open(), open()], "FailedPrecondition ILLEGAL_FRAME `open`", state).await;
}

#[tokio::test]
async fn a_frame_of_an_invocation_that_nobody_asked_for_is_illegal() {
    let state = "no `next` asked for it";
    let failed = json!({"failed": {"invocation": 7, "error": {}}});
    let delta = json!({"delta": {"invocation": 7, "text": "x"}});
    let expected = "FailedPrecondition ILLEGAL_FRAME `end` of invocation 7";
    check(&[open(), end(7)], expected, state).await;
    let expected = "FailedPrecondition ILLEGAL_FRAME `failed` of invocation 7";
    check(&[open(), failed], expected, state).await;
    let expected = "FailedPrecondition ILLEGAL_FRAME `delta` 0 of invocation 7";
    check(&[open(), delta], expected, state).await;
}

#[tokio::test]
async fn a_second_end_is_illegal() {
    let expected = "FailedPrecondition ILLEGAL_FRAME `end` of invocation 1";
    check(&[open(), end(1), end(1)], expected, "the invocation has ended").await;
}

#[tokio::test]
async fn an_end_without_a_needed_answer_is_illegal() {
    let expected = "FailedPrecondition ILLEGAL_FRAME `end` of invocation 1";
    let state = "`next` said that the answer is needed, and there is none";
    check(&[open(), json!({"end": {"invocation": 1}})], expected, state).await;
}

#[tokio::test]
async fn a_delta_that_was_not_asked_for_is_illegal() {
    let delta = json!({"delta": {"invocation": 1, "text": "x"}});
    let expected = "FailedPrecondition ILLEGAL_FRAME `delta` 0 of invocation 1";
    check(&[open(), delta], expected, "its relay is `RELAY_DIRECT`").await;
}

#[tokio::test]
async fn a_half_close_while_a_real_call_runs_is_illegal() {
    let expected = "FailedPrecondition ILLEGAL_FRAME half-close";
    check(&[open(), json!("half-close")], expected, "invocation 1 has not ended").await;
}

#[tokio::test]
async fn a_gap_in_the_sequence_is_illegal() {
    let sidecar = Sidecar::with("builtin: { pii: { answers: true } }").start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    call.send(open());
    for sequence in [0, 2] {
        call.send(json!({"delta": {"invocation": 1, "sequence": sequence, "text": "x "}}));
    }
    let status = call.error().await;
    assert_eq!(
        refusal(&status),
        "FailedPrecondition ILLEGAL_FRAME `delta` 2 of invocation 1",
        "{status:?}"
    );
}

#[tokio::test]
async fn a_frame_that_says_nothing_is_invalid() {
    for (frame, expected) in [
        (json!({}), "InvalidArgument INVALID_FIELD frame"),
        (json!({"end": {"response": {}}}), "InvalidArgument INVALID_FIELD end.invocation"),
        (json!({"failed": {"invocation": 1}}), "InvalidArgument INVALID_FIELD failed.cause"),
    ] {
        let sidecar = Sidecar::with("").start().await;
        let mut call = sidecar.runtime().open("wrap_model_call").await;
        call.send(open());
        call.send(frame);
        assert_eq!(refusal(&call.error().await), expected);
    }
}

/// Opens a call that gets stuck in a link's own work.
async fn open_stuck(runtime: &Runtime, limit: Option<Duration>) -> Exchange {
    let call = match limit {
        Some(limit) => runtime.open_within(limit, "wrap_model_call").await,
        None => runtime.open("wrap_model_call").await,
    };
    call.send(json!({"open": {"call": {}}}));
    call
}

#[tokio::test]
async fn a_runtime_that_disappears_takes_its_links_along() {
    let (link, mut dropped) = stuck(0);
    let sidecar = Sidecar::of(vec![link]).start().await;
    let runtime = sidecar.runtime();
    let call = open_stuck(&runtime, None).await;
    // The link runs by the time that another call of the connection was answered.
    runtime.ask("before_run", json!({})).await.unwrap();
    assert!(dropped.try_recv().is_err());
    drop(call);
    let within = tokio::time::timeout(Duration::from_secs(1), dropped.recv());
    within.await.expect("the link is dropped within a second");
}

#[tokio::test]
async fn a_runtime_that_disappears_while_its_model_works_frees_the_call_too() {
    let (link, mut dropped) = stuck(1);
    let sidecar = Sidecar::of(vec![link]).start().await;
    let runtime = sidecar.runtime();
    let mut call = open_stuck(&runtime, None).await;
    call.expect("next").await;
    drop((call, runtime));
    let within = tokio::time::timeout(Duration::from_secs(1), dropped.recv());
    within.await.expect("the link is dropped within a second");
}

#[tokio::test]
async fn a_deadline_that_passes_ends_a_wrapped_call() {
    let (link, mut dropped) = stuck(0);
    let sidecar = Sidecar::of(vec![link]).start().await;
    let mut call = open_stuck(&sidecar.runtime(), Some(Duration::from_millis(300))).await;
    assert_eq!(refusal(&call.error().await), "DeadlineExceeded DEADLINE_EXCEEDED");
    soon(dropped.recv()).await;
}

#[tokio::test]
async fn a_deadline_that_passes_ends_a_unary_hook() {
    let (sender, mut dropped) = mpsc::unbounded_channel();
    let link = slow_guard("slow", &[HookId::BeforeRun], move |_, _| {
        let guard = Dropped(sender.clone());
        Box::pin(async move {
            let _held = guard;
            pending::<()>().await;
            no_opinion()
        })
    });
    let sidecar = Sidecar::of(vec![link]).on_tcp().start().await;
    let refused = patient(&sidecar, Duration::from_millis(300)).await;
    assert_eq!(refusal(&refused), "DeadlineExceeded DEADLINE_EXCEEDED", "{refused:?}");
    soon(dropped.recv()).await;
}

/// Calls `BeforeRun` with a deadline that only the sidecar watches, where tonic's own channel
/// would give up at the same moment.
async fn patient(sidecar: &Sidecar, limit: Duration) -> Status {
    let client = Client::builder(TokioExecutor::new()).http2_only(true).build_http();
    let origin = format!("http://{}", sidecar.address).parse().unwrap();
    let context = v1::HookContext { run_id: "run".into(), ..v1::HookContext::default() };
    let mut request = Request::new(v1::BeforeRunRequest {
        context: Some(context),
        ..v1::BeforeRunRequest::default()
    });
    request.set_timeout(limit);
    let asked = async { RunHooksClient::with_origin(client, origin).before_run(request).await };
    soon(asked).await.unwrap_err()
}

#[tokio::test]
async fn a_call_that_is_worked_on_says_so() {
    let (link, _dropped) = stuck(0);
    let sidecar = Sidecar::with("limits: { keep_alive: 20ms }").links(vec![link]).start().await;
    let mut call = open_stuck(&sidecar.runtime(), None).await;
    for _ in 0..3 {
        call.expect("keep_alive").await;
    }
}

#[tokio::test]
async fn a_links_own_work_is_bounded_and_the_models_is_not() {
    let (mut link, _dropped) = stuck(1);
    link.timeout = Some(Duration::from_millis(50));
    let sidecar = Sidecar::with("limits: { keep_alive: 200ms }").links(vec![link]).start().await;
    let mut call = open_stuck(&sidecar.runtime(), None).await;
    call.expect("next").await;
    // Four times the link's timeout has passed by now, all of it the model's.
    call.expect("keep_alive").await;
    call.send(end(1));
    let (_, finished) = call.finish().await;
    assert_eq!(finished["failure"]["code"], json!("middleware_timeout"), "{finished}");
}

#[tokio::test]
async fn what_waits_to_be_relayed_is_bounded() {
    let yaml = "limits: { message_size: 4KiB }\nbuiltin: { pii: { answers: true } }";
    let sidecar = Sidecar::with(yaml).start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    call.send(open());
    let text = "word ".repeat(200);
    for sequence in 0..10_000 {
        call.send(json!({"delta": {"invocation": 1, "sequence": sequence, "text": text}}));
    }
    // Nobody reads what is released, so the frames back up.
    assert_eq!(refusal(&call.error().await), "ResourceExhausted TOO_MUCH_WAITING");
}
