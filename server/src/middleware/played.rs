//! A call that links of one middleware stand around, with a runtime given as data.

use crate::{
    engine::{
        Call, Chains, Context, Fault, Link, Next, Port, RanWrapped, Sink, StreamUse, Streaming,
        run_wrapped,
    },
    hooks::{HookId, HookSet, Wrap, WrapModelCall, WrapToolCall, Wrapped, wrapped::Incoming},
    middleware::Middleware,
    runs::{MemoryStore, StateBounds, StateStore},
};
use async_trait::async_trait;
use futures::{StreamExt, stream::FuturesUnordered};
use sidehook_proto::{Outcome, v1};
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep},
};
use v1::{
    call_failed::Cause, wrap_model_call_response as model, wrap_response as logical,
    wrap_tool_call_response as tool,
};

/// How a real call ends.
#[derive(Debug)]
pub(crate) enum Reply<W: Wrapped> {
    Ends(W::Result),
    Fails(v1::CallError),
    Trips,
    /// After these pieces, otherwise.
    Streams(Vec<W::Delta>, Box<Reply<W>>),
    /// After so long, otherwise.
    After(Duration, Box<Reply<W>>),
}

// Derived, it would ask for hooks that can be cloned.
impl<W: Wrapped> Clone for Reply<W> {
    fn clone(&self) -> Self {
        match self {
            Self::Ends(result) => Self::Ends(result.clone()),
            Self::Fails(error) => Self::Fails(error.clone()),
            Self::Trips => Self::Trips,
            Self::Streams(pieces, then) => Self::Streams(pieces.clone(), then.clone()),
            Self::After(time, then) => Self::After(*time, then.clone()),
        }
    }
}

/// A call that can be played.
pub(crate) struct Played<W: Wrapped> {
    pub(crate) links: Vec<Link>,
    pub(crate) context: v1::HookContext,
    pub(crate) call: W::Call,
    pub(crate) streaming: Streaming,
    pub(crate) within: Option<Duration>,
    /// How real calls end, in order; the last is for all further.
    pub(crate) replies: Vec<Reply<W>>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Came<W: Wrapped> {
    pub(crate) ran: RanWrapped<W>,
    /// The real calls; one that is unchanged is as it was opened.
    pub(crate) calls: Vec<W::Call>,
    /// The streamed pieces that were released.
    pub(crate) shown: Vec<W::Delta>,
    pub(crate) took: Duration,
}

/// A frame to the runtime.
pub(crate) enum Seen<W: Wrapped> {
    Next(i32, Option<W::Call>),
    Emit(W::Delta),
}

/// Reads what the runtime is told.
pub(crate) trait Framed: Wrapped<Open: Default> {
    fn seen(frame: Self::Response) -> Seen<Self>;
}

impl Framed for WrapModelCall {
    fn seen(frame: Self::Response) -> Seen<Self> {
        match frame.frame.unwrap() {
            model::Frame::Next(next) => Seen::Next(next.invocation, next.call),
            model::Frame::Emit(emit) => Seen::Emit(emit.delta.unwrap()),
            other => panic!("{other:?}"),
        }
    }
}

impl Framed for WrapToolCall {
    fn seen(frame: Self::Response) -> Seen<Self> {
        match frame.frame.unwrap() {
            tool::Frame::Next(next) => Seen::Next(next.invocation, next.call),
            tool::Frame::Emit(emit) => Seen::Emit(emit.delta.unwrap()),
            other => panic!("{other:?}"),
        }
    }
}

impl Framed for Wrap {
    fn seen(frame: Self::Response) -> Seen<Self> {
        match frame.frame.unwrap() {
            logical::Frame::Next(next) => Seen::Next(next.invocation, None),
            logical::Frame::Emit(emit) => Seen::Emit(emit.delta.unwrap()),
            other => panic!("{other:?}"),
        }
    }
}

impl<W: Framed> Played<W> {
    pub(crate) fn of(
        links: impl IntoIterator<Item = Link>,
        replies: impl IntoIterator<Item = Reply<W>>,
    ) -> Self {
        Self {
            links: links.into_iter().collect(),
            context: v1::HookContext::default(),
            call: W::Call::default(),
            streaming: Streaming::No,
            within: None,
            replies: replies.into_iter().collect(),
        }
    }

    pub(crate) async fn play(self) -> Came<W> {
        let chains = Chains::new(self.links, Duration::from_secs(5));
        let state = MemoryStore::new(StateBounds { value_bytes: 999, run_bytes: 999 }).open("r");
        let started = Instant::now();
        let call = Call {
            hook: W::ID,
            context: self.context,
            state,
            deadline: self.within.map(|within| started + within),
            variables: Vec::new(),
        };
        let links = chains.select(W::ID, &call.context);
        let (out, mut frames) = mpsc::channel(4);
        let port = Port::<W>::new(out, 1 << 16);
        port.receive(Incoming::Open(W::Open::default())).unwrap();
        let opened = Arc::new(self.call);
        let (mut calls, mut shown) = (Vec::new(), Vec::new());
        let mut note = |frame| match W::seen(frame) {
            Seen::Next(number, call) => {
                calls.push(call.unwrap_or_else(|| (*opened).clone()));
                Some(number)
            }
            Seen::Emit(delta) => {
                shown.push(delta);
                None
            }
        };
        let around = run_wrapped(
            links,
            &call,
            Arc::clone(&opened),
            self.streaming,
            Duration::from_secs(5),
            &port,
        );
        let ran = tokio::select! {
            biased;
            () = serve(&port, &mut frames, &mut note, &self.replies) => unreachable!(),
            ran = around => ran,
        };
        while let Ok(frame) = frames.try_recv() {
            note(frame);
        }
        Came { ran, calls, shown, took: started.elapsed() }
    }
}

impl<W: Wrapped> Came<W> {
    /// What the chain came to, in short.
    pub(crate) fn outcome(&self) -> String {
        match &self.ran.outcome {
            Outcome::Answer(_) => format!("answer of {}", self.ran.by.invocation),
            Outcome::Failure(failure) => format!("{}/{}", failure.r#type, failure.code),
            Outcome::Tripwire(trip) => format!("tripped: {}", trip.reason),
            Outcome::Veto(veto) => panic!("a call cannot be vetoed: {veto:?}"),
        }
    }

    /// The notes for the thread's log.
    pub(crate) fn log(&self) -> Vec<serde_json::Value> {
        let events = &self.ran.effects.log_events;
        events.iter().map(|event| serde_json::from_str(&event.note_json).unwrap()).collect()
    }
}

/// Plays the runtime's side, for ever.
async fn serve<W: Framed>(
    port: &Port<W>,
    frames: &mut mpsc::Receiver<W::Response>,
    note: &mut impl FnMut(W::Response) -> Option<i32>,
    replies: &[Reply<W>],
) {
    let mut calls = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            Some(frame) = frames.recv() => if let Some(number) = note(frame) {
                let index = usize::try_from(number).unwrap() - 1;
                let reply = replies.get(index).or(replies.last()).cloned();
                calls.push(answer(port, number, reply.expect("a reply")));
            },
            Some(()) = calls.next() => {}
            else => std::future::pending().await,
        }
    }
}

/// Makes a real call.
async fn answer<W: Framed>(port: &Port<W>, invocation: i32, mut reply: Reply<W>) {
    let failed = |cause| Incoming::Failed(v1::CallFailed { invocation, cause: Some(cause) });
    let last = loop {
        reply = match reply {
            Reply::After(time, then) => {
                sleep(time).await;
                *then
            }
            Reply::Streams(pieces, then) => {
                for (sequence, delta) in (0..).zip(pieces) {
                    port.receive(Incoming::Delta { invocation, sequence, delta }).unwrap();
                    tokio::task::yield_now().await;
                }
                *then
            }
            Reply::Ends(result) => break Incoming::End { invocation, result: Some(result) },
            Reply::Fails(error) => break failed(Cause::Error(error)),
            Reply::Trips => {
                let reason = "nested".into();
                let tripwire = v1::Tripwire { reason, ..v1::Tripwire::default() };
                break failed(Cause::Tripwire(tripwire));
            }
        };
    };
    port.receive(last).unwrap();
}

/// An outer link's sink that holds everything back until the end.
#[derive(Debug)]
pub(crate) struct HoldsBack;

struct Held<D>(Vec<D>);

#[async_trait]
impl<D: Send + 'static> Sink<D> for Held<D> {
    async fn push(&mut self, delta: D) -> Result<Vec<D>, Fault> {
        self.0.push(delta);
        Ok(Vec::new())
    }

    async fn finish(&mut self) -> Result<Vec<D>, Fault> {
        Ok(std::mem::take(&mut self.0))
    }
}

#[async_trait]
impl Middleware for HoldsBack {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::WrapModelCall])
    }

    fn stream_use(&self, _: HookId) -> StreamUse {
        StreamUse::Rewrites
    }

    async fn wrap_model_call(
        &self,
        _: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> super::Wrapped<v1::ChatResponse> {
        next.run_through(call, Box::new(Held(Vec::new()))).await
    }
}
