//! The real calls of one wrapped call: those that run, what came of them, what they streamed.

use super::{
    CallFailure, Deltas,
    deltas::Route,
    frames::{Approval, Next, Wrapping},
};
use crate::{Error, Run};
use futures::{StreamExt, stream::FuturesUnordered};
use sidehook_proto::v1::{Relay, Tripwire};
use std::{
    collections::{BTreeMap, BTreeSet},
    future::Future,
};
use tokio::sync::mpsc;

/// How many pieces or frames wait for whoever takes them.
const WAITING: usize = 16;

/// What the caller's closure makes a real call with.
pub(super) struct Invocation<W: Wrapping> {
    pub(super) call: W::Call,
    pub(super) approval: Approval,
    pub(super) deltas: Deltas<W::Delta>,
}

/// What came of a real call.
pub(super) type Came<W> = Result<<W as Wrapping>::Output, CallFailure>;

/// Everything about a real call that is about to start.
pub(super) struct Start<W: Wrapping> {
    number: i32,
    invocation: Invocation<W>,
    answer_needed: bool,
    frames: Option<mpsc::WeakSender<W::Sent>>,
    tripwire: Option<Tripwire>,
}

/// The real calls of one wrapped call. Dropping it cancels those that run.
pub(super) struct Session<'a, W: Wrapping, F, C, S> {
    run: &'a Run,
    call: W::Call,
    start: F,
    show: S,
    shown: Shown,
    /// Frames to the sidecar. Dropping it half-closes.
    frames: Option<mpsc::Sender<W::Sent>>,
    pieces: (mpsc::Sender<W::Delta>, mpsc::Receiver<W::Delta>),
    begun: BTreeSet<i32>,
    running: FuturesUnordered<C>,
    came: BTreeMap<i32, Came<W>>,
}

/// Whether anything of the output has been shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Nothing,
    Something,
}

/// Makes a real call, and puts its last frame on the way.
///
/// Once the run has tripped no real call is started any more: the chain is told of the tripwire.
pub(super) fn real_call<W, F, Fut>(
    make: &mut F,
    start: Start<W>,
) -> impl Future<Output = (i32, Came<W>)> + use<W, F, Fut>
where
    W: Wrapping,
    F: FnMut(Invocation<W>) -> Fut,
    Fut: Future<Output = Came<W>>,
{
    let Start { number, invocation, answer_needed, frames, tripwire } = start;
    let made = match tripwire {
        Some(tripwire) => Err(CallFailure::Tripwire(tripwire)),
        None => Ok(make(invocation)),
    };
    async move {
        let came = match made {
            Ok(made) => made.await,
            Err(tripped) => Err(tripped),
        };
        if let Some(frames) = frames.and_then(|frames| frames.upgrade()) {
            let frame = match &came {
                Ok(output) => W::end(number, answer_needed.then(|| output.clone())),
                Err(failure) => W::failed(number, failure.clone()),
            };
            // A stream that has ended says so itself, to whoever reads it.
            frames.send(frame).await.ok();
        }
        (number, came)
    }
}

impl<'a, W, F, C, S> Session<'a, W, F, C, S>
where
    W: Wrapping,
    F: FnMut(Start<W>) -> C,
    C: Future<Output = (i32, Came<W>)>,
    S: FnMut(W::Delta),
{
    pub(super) fn new(run: &'a Run, call: W::Call, start: F, show: S) -> Self {
        Self {
            run,
            call,
            start,
            show,
            shown: Shown::Nothing,
            frames: None,
            pieces: mpsc::channel(WAITING),
            begun: BTreeSet::new(),
            running: FuturesUnordered::new(),
            came: BTreeMap::new(),
        }
    }

    /// The call as it was opened.
    pub(super) fn call(&self) -> &W::Call {
        &self.call
    }

    /// Opens the way of frames to the sidecar.
    pub(super) fn connect(&mut self) -> mpsc::Receiver<W::Sent> {
        let (frames, queue) = mpsc::channel(WAITING);
        self.frames = Some(frames);
        queue
    }

    /// Says that no frame will follow.
    pub(super) fn half_close(&mut self) {
        self.frames = None;
    }

    /// Sends a frame that must be the first.
    pub(super) fn open(&self, frame: W::Sent) {
        if let Some(frames) = &self.frames {
            // There is room: nothing else has been sent.
            frames.try_send(frame).ok();
        }
    }

    /// Starts a real call.
    pub(super) fn begin(&mut self, next: Next<W::Call>) -> Result<(), Error> {
        if !self.begun.insert(next.invocation) {
            return Err(Error::protocol("an invocation was asked for twice"));
        }
        let frames = self.frames.as_ref().map(mpsc::Sender::downgrade);
        let route = match (next.relay, &frames) {
            (Relay::Direct, _) => Route::Show(self.pieces.0.clone()),
            (Relay::Relayed, Some(frames)) => Route::Relay(frames.clone()),
            (Relay::Relayed, None) | (Relay::Held, _) => Route::Hold,
            (Relay::Unspecified, _) => return Err(Error::protocol("a relay is not said")),
        };
        let invocation = Invocation {
            call: next.call.unwrap_or_else(|| self.call.clone()),
            approval: next.approval,
            deltas: Deltas::new(next.invocation, route),
        };
        self.running.push((self.start)(Start {
            number: next.invocation,
            invocation,
            answer_needed: next.answer_needed,
            frames,
            tripwire: self.run.tripwire().cloned(),
        }));
        Ok(())
    }

    /// Lets the real calls run and shows what they stream, until one is done. Never returns
    /// while none runs. Cancel safe.
    pub(super) async fn one_is_done(&mut self) {
        loop {
            tokio::select! {
                biased;
                Some(piece) = self.pieces.1.recv() => self.show(piece),
                Some((number, came)) = self.running.next(), if !self.running.is_empty() => {
                    // It may have put pieces in the very step in which it ended.
                    while let Ok(piece) = self.pieces.1.try_recv() {
                        self.show(piece);
                    }
                    if let Err(CallFailure::Tripwire(tripwire)) = &came {
                        self.run.trip(tripwire);
                    }
                    self.came.insert(number, came);
                    return;
                }
            }
        }
    }

    /// Shows a piece.
    pub(super) fn show(&mut self, piece: W::Delta) {
        self.shown = Shown::Something;
        (self.show)(piece);
    }

    /// Shows the output in one piece, if nothing of it was shown before.
    pub(super) fn show_whole(&mut self, output: &W::Output) {
        match self.shown {
            Shown::Nothing => self.show(W::whole(output)),
            Shown::Something => {}
        }
    }

    /// Cancels the real calls that nobody waits for any more: all but `number`.
    pub(super) fn keep_only(&mut self, number: i32) {
        if !self.begun.contains(&number) || self.came.contains_key(&number) {
            self.running.clear();
        }
    }

    /// What the real call `number` gave, once it is done; `None` if it failed or never began.
    pub(super) async fn output_of(&mut self, number: i32) -> Option<W::Output> {
        while !self.came.contains_key(&number) && !self.running.is_empty() {
            self.one_is_done().await;
        }
        self.came.remove(&number)?.ok()
    }

    /// What the real calls gave without a chain to judge it: a tripwire, else the latest output,
    /// else the latest failure; `None` if no real call began.
    pub(super) async fn latest(&mut self) -> Option<(i32, Came<W>)> {
        loop {
            let tripped = |came: &Came<W>| matches!(came, Err(CallFailure::Tripwire(_)));
            let decisive = [tripped, |came: &Came<W>| came.is_ok()];
            let found = decisive
                .iter()
                .find_map(|decides| self.came.iter().rev().find(|(_, came)| decides(came)));
            if let Some(number) = found.map(|(number, _)| *number) {
                return self.came.remove_entry(&number);
            }
            if self.running.is_empty() {
                return self.came.pop_last();
            }
            self.one_is_done().await;
        }
    }
}
