//! Serves a hook around a call: reads frames, runs the chain, writes frames, and
//! ends the stream the way HTTP/2 wants it.

use super::{CallError, Generation, Sidecar, deadline, recording::Recording};
use crate::{
    engine::{self, Call, Port, Streaming},
    hooks::{HookId, Wrapped, wrapped::Opened},
    runs::{Admission, Run, Scope},
};
use futures::{FutureExt, Stream};
use sidehook_proto::{HookResponse, v1};
use std::{
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, interval_at, timeout},
};
use tonic::{Request, Response, Status};

/// So many frames may wait for the writer before links wait for it.
const FRAMES_WAITING: usize = 16;

/// For so long Sidehook reads on after `finished`, until the half-close.
///
/// A server that ends first makes HTTP/2 reset the stream. tonic then counts an
/// internal reset, and after about a thousand of them the whole connection is
/// torn down, taking every other call with it.
const HALF_CLOSE_WITHIN: Duration = Duration::from_secs(1);

/// Longer than any call lasts.
const NEVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// The frames to the runtime, and after them why the call failed, if it did.
#[derive(Debug)]
pub struct Frames<R> {
    frames: mpsc::Receiver<R>,
    /// Taken when it was waited for.
    failure: Option<oneshot::Receiver<Status>>,
}

impl<R> Stream for Frames<R> {
    type Item = Result<R, Status>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(frame) = ready!(self.frames.poll_recv(task)) {
            return Poll::Ready(Some(Ok(frame)));
        }
        let Some(failure) = &mut self.failure else { return Poll::Ready(None) };
        let status = ready!(failure.poll_unpin(task)).ok();
        self.failure = None;
        Poll::Ready(status.map(Err))
    }
}

impl Sidecar {
    /// Answers a wrapped call. The work is a task of its own, which ends when the
    /// runtime goes away.
    pub(super) fn serve_wrapped<W: Wrapped>(
        self: &Arc<Self>,
        request: Request<tonic::Streaming<W::Request>>,
    ) -> Response<Frames<W::Response>> {
        let deadline = deadline::of(&request);
        let (out, frames) = mpsc::channel(FRAMES_WAITING);
        let (failed, failure) = oneshot::channel();
        let sidecar = Arc::clone(self);
        let mut inbound = request.into_inner();
        // Boxed here, so that spawning it does not copy it again and again.
        self.tasks.spawn(Box::pin(async move {
            let port = Port::<W>::new(out, sidecar.limits().message_bytes);
            match sidecar.exchange(&port, &mut inbound, deadline).await {
                Ok(()) => half_close(&mut inbound).await,
                Err(CallError::Cancelled) => {}
                Err(error) => {
                    let _gone = failed.send(error.into_status());
                    // The status goes out when the frames end, before the runtime
                    // half-closes: it may not know that it should.
                    drop(port);
                    half_close(&mut inbound).await;
                }
            }
        }));
        Response::new(Frames { frames, failure: Some(failure) })
    }

    async fn exchange<W: Wrapped>(
        &self,
        port: &Port<W>,
        inbound: &mut tonic::Streaming<W::Request>,
        deadline: Option<Instant>,
    ) -> Result<(), CallError> {
        // Pinned here, so that it is not moved, and the future holds it once.
        let work = pin!(async {
            let Some(open) = next_frame(inbound, port).await? else {
                return Err(CallError::IllegalFrame(port.half_closed().await));
            };
            let Opened { context, call, streaming, variables } = W::opened(open);
            let run = self.admit(&context, Admission::Open)?;
            let around =
                Call { hook: W::ID, context, state: Arc::clone(run.state()), deadline, variables };
            self.around(&run, &around, call, streaming, (port, inbound)).await
        });
        match deadline {
            None => work.await,
            Some(at) => {
                tokio::time::timeout_at(at, work).await.unwrap_or(Err(CallError::DeadlineExceeded))
            }
        }
    }

    async fn around<W: Wrapped>(
        &self,
        run: &Run<Arc<Generation>>,
        call: &Call,
        opened: Arc<W::Call>,
        streaming: bool,
        (port, inbound): (&Port<W>, &mut tonic::Streaming<W::Request>),
    ) -> Result<(), CallError> {
        let generation = self.generation_of(run, &call.context)?;
        let chains = &generation.chains;
        let recording = Recording::start(&generation, W::ID, &call.context);
        let links = chains.select(W::ID, &call.context);
        let holds_turn = W::ID == HookId::WrapModelCall && chains.holds_turn(&call.context);
        let streaming = match (streaming, holds_turn) {
            (false, _) => Streaming::No,
            (true, false) => Streaming::Yes,
            (true, true) => Streaming::Held,
        };
        let timeout = chains.timeout(W::ID);
        let onion = pin!(engine::run_wrapped(links, call, opened, streaming, timeout, port));
        let ran = self.while_reading(onion, port, inbound).await?;

        if Self::raises_events(&generation, W::ID) {
            self.raise_events(&generation, call, &ran.steps);
        }
        if let Some(recording) = recording {
            recording.finish(&ran.outcome, &ran.steps);
        }
        if W::ID == HookId::Wrap && !call.context.request_id.is_empty() {
            let scope = Scope::Call(call.context.request_id.as_str().into());
            call.state.clear(&scope).await?;
        }
        let explain = call.context.explain;
        let report = explain.then(|| ran.steps.to_report(generation.number, &generation.hash));
        let effects = (ran.effects != v1::Effects::default()).then_some(ran.effects);
        let finished = W::Finished::from_parts(ran.outcome, effects, report);
        let frame = W::finish(finished, ran.by);
        self.check_size(prost::Message::encoded_len(&frame))?;
        port.finish(frame).await;
        Ok(())
    }

    /// Runs the chain while frames are read. The chain is polled first, so that
    /// a runtime may write its frames without waiting for ours.
    async fn while_reading<W: Wrapped, T>(
        &self,
        mut onion: Pin<&mut impl Future<Output = T>>,
        port: &Port<W>,
        inbound: &mut tonic::Streaming<W::Request>,
    ) -> Result<T, CallError> {
        let mut reader = pin!(read_all(inbound, port));
        let period = self.limits().keep_alive.unwrap_or(NEVER);
        let mut keep_alive = interval_at(Instant::now() + period, period);
        loop {
            tokio::select! {
                biased;
                done = &mut onion => return Ok(done),
                error = &mut reader => return Err(error),
                () = port.closed() => return Err(CallError::Cancelled),
                _ = keep_alive.tick() => port.keep_alive(),
            }
        }
    }
}

/// Reads frames into the port until something makes the call impossible.
async fn read_all<W: Wrapped>(
    inbound: &mut tonic::Streaming<W::Request>,
    port: &Port<W>,
) -> CallError {
    loop {
        match inbound.message().await {
            Ok(Some(frame)) => {
                let received = W::read(frame)
                    .map_err(CallError::from)
                    .and_then(|frame| Ok(port.receive(frame)?));
                if let Err(error) = received {
                    return error;
                }
            }
            Ok(None) => return CallError::IllegalFrame(port.half_closed().await),
            Err(status) => return CallError::broken_stream(&status),
        }
    }
}

/// The frame that opens the call.
async fn next_frame<W: Wrapped>(
    inbound: &mut tonic::Streaming<W::Request>,
    port: &Port<W>,
) -> Result<Option<W::Open>, CallError> {
    match inbound.message().await {
        Ok(Some(frame)) => Ok(port.receive(W::read(frame)?)?),
        Ok(None) => Ok(None),
        Err(status) => Err(CallError::broken_stream(&status)),
    }
}

/// Reads on, discarding, until the runtime half-closes.
async fn half_close<R>(inbound: &mut tonic::Streaming<R>) {
    let discard = async { while let Ok(Some(_)) = inbound.message().await {} };
    if timeout(HALF_CLOSE_WITHIN, discard).await.is_err() {
        tracing::debug!("a runtime did not half-close after `finished`");
    }
}
