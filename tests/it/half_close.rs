//! A stream ends only after the runtime half-closed.
//!
//! A server that ends first makes HTTP/2 reset the stream, and after about a thousand of those
//! the whole connection is torn down, with every other call on it.

use crate::support::{Runtime, Sidecar, around, soon};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use sidehook_proto::v1::{
    ChatResponse, HookContext, ModelCall, ModelEnd, WrapModelCallOpen, WrapModelCallRequest,
    run_hooks_client::RunHooksClient, wrap_model_call_request::Frame as Sent,
    wrap_model_call_response::Frame,
};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, transport::Channel};

/// Five times what tears a connection down.
const CALLS: usize = 5_000;

/// As many as an agent with parallel sub-agents makes.
const AT_ONCE: usize = 64;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_thousand_wrapped_calls_share_one_connection() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    let client = RunHooksClient::new(runtime.channel());
    let calls = stream::iter(0..CALLS).map(|_| wrap(client.clone()));
    let mut done = calls.buffer_unordered(AT_ONCE);
    let mut count = 0;
    while let Some(ended) = soon(done.next()).await {
        assert_eq!(ended.map_err(|status| status.to_string()), Ok(()));
        count += 1;
    }
    assert_eq!((count, runtime.connections()), (CALLS, 1));
}

/// One call, which ends with OK after `finished`.
async fn wrap(mut client: RunHooksClient<Channel>) -> Result<(), Status> {
    let (out, frames) = mpsc::channel(4);
    let send = async |frame| out.send(WrapModelCallRequest { frame: Some(frame) }).await.unwrap();
    send(Sent::Open(opening())).await;
    let mut inbound = client.wrap_model_call(ReceiverStream::new(frames)).await?.into_inner();
    loop {
        match inbound.message().await?.and_then(|response| response.frame) {
            Some(Frame::Next(next)) => {
                let response = Some(ChatResponse::default());
                send(Sent::End(ModelEnd { invocation: next.invocation, response })).await;
            }
            Some(Frame::Finished(finished)) => {
                assert!(finished.outcome.is_some());
                drop(out);
                assert_eq!(inbound.message().await?, None);
                return Ok(());
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The chain answers at once, so that every half-close crosses `finished` on the way. A stream
/// that had ended by then would be an error of the connection.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_thousand_half_closes_that_come_late_harm_no_connection() {
    let canned = around("canned", |_, _| Box::pin(async { Ok(Arc::default()) }));
    let sidecar = Sidecar::of(vec![canned]).start().await;
    let runtime = sidecar.runtime();
    let client = RunHooksClient::new(runtime.channel());
    let calls = stream::iter(0..CALLS).map(|_| open_and_leave(client.clone()));
    let mut done = calls.buffer_unordered(AT_ONCE);
    while let Some(ended) = soon(done.next()).await {
        assert_eq!(ended.map_err(|status| status.to_string()), Ok(1));
    }
    assert_eq!(runtime.connections(), 1);
}

/// One call that is half-closed without a look at what comes. Returns how many frames came.
async fn open_and_leave(mut client: RunHooksClient<Channel>) -> Result<usize, Status> {
    let (out, frames) = mpsc::channel(4);
    out.send(WrapModelCallRequest { frame: Some(Sent::Open(opening())) }).await.unwrap();
    let inbound = client.wrap_model_call(ReceiverStream::new(frames)).await?.into_inner();
    drop(out);
    let frames: Vec<_> = inbound.collect().await;
    frames.into_iter().collect::<Result<Vec<_>, _>>().map(|frames| frames.len())
}

fn opening() -> WrapModelCallOpen {
    WrapModelCallOpen {
        context: Some(HookContext { run_id: "run".into(), ..HookContext::default() }),
        call: Some(ModelCall::default()),
        streaming: false,
    }
}

/// Writes every frame and the half-close before it reads anything, as `grpcurl -d` does.
async fn write_first(runtime: &Runtime, frames: &[Value]) -> Value {
    let mut call = runtime.open("wrap_model_call").await;
    for frame in frames {
        call.send(frame.clone());
    }
    call.half_close();
    let mut last = Value::Null;
    while let Some(frame) = call.read().await.unwrap() {
        last = frame;
    }
    last
}

#[tokio::test]
async fn a_call_written_before_anything_is_read_finishes() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    // Many times, since it is a race that the frames could lose.
    for _ in 0..200 {
        let open = json!({"open": {"call": {"model": "m"}}});
        let end = json!({"end": {"invocation": 1, "response": {"text": "hello"}}});
        let last = write_first(&runtime, &[open, end]).await;
        assert_eq!(last["finished"]["answered_by"]["invocation"], json!(1), "{last}");
    }
}

#[tokio::test]
async fn a_runtime_that_never_half_closes_is_given_a_second() {
    let sidecar = Sidecar::with("").start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    call.send(json!({"open": {"call": {}}}));
    call.expect("next").await;
    call.send(json!({"end": {"invocation": 1, "response": {}}}));
    call.expect("finished").await;
    let started = tokio::time::Instant::now();
    assert_eq!(call.read().await.unwrap(), None);
    let waited = started.elapsed();
    assert!((900..5_000).contains(&waited.as_millis()), "{waited:?}");
}
