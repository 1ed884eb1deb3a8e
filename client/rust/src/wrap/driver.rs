//! Speaks with the sidecar during a wrapped call.

use super::{
    Wrapped,
    frames::{Frame, Next, Wrapping, read},
    session::{Came, Invocation, Session, Start, real_call},
};
use crate::{
    Error, HookError, Origin, Run,
    reply::{Given, Reply},
    unary::announce_deadline,
};
use futures::StreamExt;
use http::uri::PathAndQuery;
use prost::Message;
use sidehook_proto::{
    HookResponse,
    v1::{AnsweredBy, Effects},
};
use std::{
    future::Future,
    sync::{Arc, OnceLock},
    time::Duration,
};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Streaming};
use tonic_prost::ProstCodec;

/// How long the stream may take to end after `finished`; the sidecar waits as long.
const DRAIN: Duration = Duration::from_secs(1);

/// Whether the caller streams the output to somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    Whole,
    Streamed,
}

/// Runs one wrapped call: `make` makes a real call, `show` shows a piece of its output.
pub(super) async fn drive<W, F, Fut, S>(
    run: &Run,
    call: W::Call,
    output: Output,
    mut make: F,
    show: S,
) -> Result<Wrapped<W::Output>, HookError>
where
    W: Wrapping,
    F: FnMut(Invocation<W>) -> Fut,
    Fut: Future<Output = Came<W>>,
    S: FnMut(W::Delta),
{
    run.check_tripwire()?;
    let start = |start: Start<W>| real_call(&mut make, start);
    let mut session = Session::new(run, call, start, show);
    if run.skips(&W::HOOK) {
        return without_chain(run, session, Origin::Skipped).await;
    }

    let limit = run.deadline().or_else(|| run.client().options().wrapped_deadline(&W::HOOK));
    let conversation = converse(run, &mut session, output, limit);
    let finished = match limit {
        Some(limit) => {
            timeout(limit, conversation).await.unwrap_or_else(|_| Err(Error::deadline()))
        }
        None => conversation.await,
    };
    match finished {
        Ok(finished) => {
            let wrapped = conclude(session, finished).await;
            if let Err(HookError::Tripped { tripwire, .. }) = &wrapped {
                run.trip(tripwire);
            }
            wrapped
        }
        Err(error) if run.proceeds_without(&W::HOOK, &error) => {
            without_chain(run, session, Origin::Unreachable).await
        }
        Err(error) => Err(error.into()),
    }
}

/// What `finished` said, and the stream that is still to be read to its end.
struct Finished<W: Wrapping> {
    finished: W::Finished,
    answered_by: AnsweredBy,
    inbound: Streaming<W::Received>,
}

/// Opens the call and does what the sidecar asks for, until it has finished.
async fn converse<W, F, C, S>(
    run: &Run,
    session: &mut Session<'_, W, F, C, S>,
    output: Output,
    limit: Option<Duration>,
) -> Result<Finished<W>, Error>
where
    W: Wrapping,
    F: FnMut(Start<W>) -> C,
    C: Future<Output = (i32, Came<W>)>,
    S: FnMut(W::Delta),
{
    let most = run.client().options().max_message_bytes;
    let too_large = Arc::new(OnceLock::new());
    let noticed = Arc::clone(&too_large);
    let frames = ReceiverStream::new(session.connect()).inspect(move |frame| {
        let bytes = frame.encoded_len();
        if bytes > most {
            noticed.set(bytes).ok();
        }
    });
    let why = |status| match too_large.get() {
        Some(bytes) => Error::too_large(*bytes, most),
        None => Error::from_status(status),
    };

    let mut request = Request::new(frames);
    if let Some(limit) = limit {
        announce_deadline(&mut request, limit);
    }
    let context = run.context().clone();
    session.open(W::open(context, session.call().clone(), output == Output::Streamed));

    let mut grpc = run.client().grpc().await?;
    let path = PathAndQuery::from_static(W::HOOK.path);
    let codec = ProstCodec::<W::Sent, W::Received>::new();
    let response = grpc.streaming(request, path, codec).await.map_err(why)?;
    let mut inbound = response.into_inner();
    loop {
        let frame = tokio::select! {
            biased;
            () = session.one_is_done() => continue,
            frame = inbound.message() => frame.map_err(why)?,
        };
        let Some(frame) = frame else {
            return Err(Error::protocol("a wrapped call ended without `finished`"));
        };
        match read::<W>(frame)? {
            Frame::Next(next) => session.begin(next)?,
            Frame::Emit(Some(piece)) => session.show(piece),
            Frame::Emit(None) | Frame::KeepAlive => {}
            Frame::Finished(finished, answered_by) => {
                return Ok(Finished { finished, answered_by, inbound });
            }
        }
    }
}

/// Ends the stream, and puts together what came of the call.
async fn conclude<W, F, C, S>(
    mut session: Session<'_, W, F, C, S>,
    finished: Finished<W>,
) -> Result<Wrapped<W::Output>, HookError>
where
    W: Wrapping,
    F: FnMut(Start<W>) -> C,
    C: Future<Output = (i32, Came<W>)>,
    S: FnMut(W::Delta),
{
    let Finished { finished, answered_by, inbound } = finished;
    session.keep_only(answered_by.invocation);
    session.half_close();
    // Whatever the stream says from here on: the decision has been made.
    timeout(DRAIN, drain(&mut session, inbound)).await.ok();

    let Reply { answer, effects, report, origin } = Given::from_parts(finished.into_parts())?;
    let own = session.output_of(answered_by.invocation).await;
    let Some(output) = W::settle(answer, own) else {
        let what = "the answer is that of a real call that gave none";
        return Err(Error::protocol(what).into());
    };
    session.show_whole(&output);
    Ok(Wrapped { output, answered_by, effects, report, origin })
}

/// Reads the stream to its end: a stream that is dropped earlier is reset, and a server counts
/// resets against the whole connection.
async fn drain<W, F, C, S>(
    session: &mut Session<'_, W, F, C, S>,
    mut inbound: Streaming<W::Received>,
) where
    W: Wrapping,
    F: FnMut(Start<W>) -> C,
    C: Future<Output = (i32, Came<W>)>,
    S: FnMut(W::Delta),
{
    loop {
        tokio::select! {
            biased;
            frame = inbound.message() => match frame {
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return,
            },
            () = session.one_is_done() => {}
        }
    }
}

/// Gives what the real call gives. One that the chain has asked for already is not made again,
/// since a real call may have effects.
async fn without_chain<W, F, C, S>(
    run: &Run,
    mut session: Session<'_, W, F, C, S>,
    origin: Origin,
) -> Result<Wrapped<W::Output>, HookError>
where
    W: Wrapping,
    F: FnMut(Start<W>) -> C,
    C: Future<Output = (i32, Came<W>)>,
    S: FnMut(W::Delta),
{
    session.half_close();
    let came = match session.latest().await {
        Some(came) => came,
        None => {
            session.begin(Next::unwrapped())?;
            let Some(came) = session.latest().await else {
                return Err(Error::protocol("a real call gave nothing").into());
            };
            came
        }
    };
    let (invocation, came) = came;
    match came {
        Ok(output) => {
            session.show_whole(&output);
            let answered_by = AnsweredBy { invocation, middleware: String::new() };
            let effects = Effects::default();
            Ok(Wrapped { output, answered_by, effects, report: None, origin })
        }
        Err(failure) => {
            run.check_tripwire()?;
            Err(failure.into_hook_error())
        }
    }
}
