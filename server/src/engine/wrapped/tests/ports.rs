//! The connection of a wrapped call: what may wait in it, and what happens when
//! a side goes away.

use super::{
    acted::{Acted, Does},
    poured::Pours,
    texts::Texts,
};
use crate::{
    engine::{
        Call, Chains, Port, Streaming, run_wrapped,
        tests::{asked::state, scripted::FIVE_SECONDS},
    },
    hooks::{HookId, WrapModelCall, wrapped::Incoming},
};
use futures::FutureExt;
use sidehook_proto::v1;
use std::{pin::Pin, sync::Arc};
use tokio::sync::mpsc;

type Model = WrapModelCall;

/// A call with one link, between its frames.
struct Calling {
    port: Arc<Port<Model>>,
    frames: mpsc::Receiver<v1::WrapModelCallResponse>,
    chains: Arc<Chains>,
    run: Pin<Box<dyn Future<Output = ()>>>,
}

/// Opens a streamed call around which a link does `does`; `limit` bytes may wait.
fn call(does: Does, limit: usize) -> Calling {
    let (out, frames) = mpsc::channel(16);
    let port = Arc::new(Port::<Model>::new(out, limit));
    port.receive(Incoming::Open(v1::WrapModelCallOpen::default())).unwrap();
    let inner = Acted::new("b", Does::Passes).link();
    let chains = Arc::new(Chains::new(vec![Acted::new("a", does).link(), inner], FIVE_SECONDS));
    let (shared, links) = (Arc::clone(&port), Arc::clone(&chains));
    let run = async move {
        let context = v1::HookContext::default();
        let hook = HookId::WrapModelCall;
        let call = Call {
            hook,
            context: context.clone(),
            state: state(),
            deadline: None,
            variables: Vec::new(),
        };
        let opened = Arc::new(Model::call("m", true));
        let links = links.select(hook, &context);
        run_wrapped(links, &call, opened, Streaming::Yes, FIVE_SECONDS, &shared).await;
    };
    Calling { port, frames, chains, run: Box::pin(run) }
}

fn delta(invocation: i32, sequence: i64, text: &str) -> Incoming<Model> {
    Incoming::Delta { invocation, sequence, delta: Model::delta(text) }
}

fn end(invocation: i32) -> Incoming<Model> {
    Incoming::End { invocation, result: Some(Model::result("real")) }
}

impl Calling {
    /// Runs the links as far as they come.
    fn poll(&mut self) -> bool {
        (&mut self.run).now_or_never().is_some()
    }

    fn frames(&mut self) -> usize {
        std::iter::from_fn(|| self.frames.try_recv().ok()).map(Model::frame).count()
    }
}

#[tokio::test(start_paused = true)]
async fn too_much_waiting_text_ends_the_call() {
    let mut call = call(Does::Sinks(Pours::Loud), 1000);
    call.poll();
    call.port.receive(delta(1, 0, &"x".repeat(600))).unwrap();
    let error = call.port.receive(delta(1, 1, &"x".repeat(600))).unwrap_err();
    assert_eq!(error.to_string(), "more than 1000 bytes wait to be relayed");
}

#[tokio::test(start_paused = true)]
async fn text_that_was_taken_makes_room() {
    let mut call = call(Does::Sinks(Pours::Loud), 1000);
    call.poll();
    for sequence in 0..10 {
        call.port.receive(delta(1, sequence, &"x".repeat(600))).unwrap();
        call.poll();
    }
    assert_eq!(call.frames(), 11, "`next`, and ten pieces");
}

#[tokio::test(start_paused = true)]
async fn the_loser_of_two_calls_is_abandoned_and_its_frames_are_counted() {
    let mut call = call(Does::Hedges(2), 1000);
    call.poll();
    call.port.receive(end(1)).unwrap();
    assert!(call.poll(), "the first result counts");
    call.port.receive(end(2)).unwrap();
    assert_eq!(call.port.stale_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_slow_writer_holds_up_text_and_loses_none() {
    let mut call = call(Does::Sinks(Pours::Loud), 1 << 20);
    call.poll();
    for sequence in 0..100 {
        call.port.receive(delta(1, sequence, "x")).unwrap();
    }
    call.port.receive(end(1)).unwrap();
    let (mut count, mut done) = (0, false);
    while !done {
        done = call.poll();
        count += call.frames();
        // A task that never yields gets nothing from a channel after a while.
        tokio::task::yield_now().await;
    }
    assert_eq!(count, 101, "`next`, and a hundred pieces");
}

#[tokio::test(start_paused = true)]
async fn a_frame_that_is_illegal_ends_the_call_and_says_why() {
    let mut call = call(Does::Passes, 1000);
    let error = call.port.receive(end(1)).unwrap_err();
    assert_eq!(error.to_string(), "`end` of invocation 1 while no `next` asked for it");
    call.poll();
    let error = call.port.receive(delta(1, 0, "x")).unwrap_err();
    assert_eq!(error.to_string(), "`delta` 0 of invocation 1 while its relay is `RELAY_DIRECT`");
}

#[tokio::test(start_paused = true)]
async fn dropping_the_call_drops_its_links_and_makes_what_still_comes_stale() {
    let mut call = call(Does::Sinks(Pours::Loud), 1000);
    call.poll();
    drop(call.run);
    call.port.receive(delta(1, 0, "x")).unwrap();
    call.port.receive(end(1)).unwrap();
    assert_eq!(call.port.stale_count(), 2);
    let ran: Vec<u64> = call.chains.links().iter().map(|l| l.counters.call_count()).collect();
    assert_eq!(ran, [1, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_runtime_that_half_closes_early_is_told_what_is_missing() {
    let mut call = call(Does::Repeats(2), 1000);
    let port = Arc::clone(&call.port);
    let mut half_closed = Box::pin(port.half_closed());
    assert!((&mut half_closed).now_or_never().is_none(), "nothing is missing yet");
    call.poll();
    let error = (&mut half_closed).now_or_never().unwrap();
    assert_eq!(error.to_string(), "half-close while invocation 1 has not ended");
}

#[tokio::test(start_paused = true)]
async fn a_runtime_may_write_its_last_frames_and_half_close_before_they_are_read() {
    let mut call = call(Does::Passes, 1000);
    call.poll();
    call.port.receive(end(1)).unwrap();
    assert!(call.port.half_closed().now_or_never().is_none());
    assert!(call.poll());
}

#[tokio::test(start_paused = true)]
async fn what_comes_after_finished_is_stale() {
    let mut call = call(Does::Answers("canned"), 1000);
    assert!(call.poll());
    call.port.finish(v1::WrapModelCallResponse::default()).await;
    call.port.receive(end(7)).unwrap();
    assert_eq!(call.port.stale_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_runtime_that_reads_no_more_is_noticed() {
    let call = call(Does::Passes, 1000);
    assert!(call.port.closed().now_or_never().is_none());
    drop(call.frames);
    assert!(call.port.closed().now_or_never().is_some());
}
