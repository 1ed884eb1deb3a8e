//! How the three wrapped hooks differ on the wire.

use super::{CallFailure, Delta};
use crate::{Error, hook::Hook};
use prost::Message;
use sidehook_proto::{
    HookResponse,
    v1::{AnsweredBy, HookContext, Relay},
};

/// Whether a tool call still has the approval that it was opened with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// It has: nobody changed the arguments.
    AsOpened,
    /// A middleware changed the arguments, so an earlier approval does not cover them. Ask
    /// again before the tool runs.
    Needed,
}

/// One of the wrapped hooks.
pub(super) trait Wrapping: 'static {
    const HOOK: Hook;

    /// What is called.
    type Call: Clone;
    /// What a call gives.
    type Output: Clone;
    type Delta: Delta<Frame = Self::Sent>;
    type Sent: Message + Default + 'static;
    type Received: Message + Default + 'static;
    type Finished: HookResponse;

    fn open(context: HookContext, call: Self::Call, streaming: bool) -> Self::Sent;
    fn end(invocation: i32, output: Option<Self::Output>) -> Self::Sent;
    fn failed(invocation: i32, failure: CallFailure) -> Self::Sent;

    /// Reads a frame of the sidecar; `None` is one that the contract does not have.
    fn read(frame: Self::Received) -> Option<Frame<Self>>;

    /// The output that `answer` means, where `own` is what its real call gave.
    fn settle(answer: AnswerOf<Self>, own: Option<Self::Output>) -> Option<Self::Output>;

    /// The output in one piece, for whoever has been shown nothing of it.
    fn whole(output: &Self::Output) -> Self::Delta;
}

pub(super) type AnswerOf<W> = <<W as Wrapping>::Finished as HookResponse>::Answer;

/// One frame of the sidecar.
pub(super) enum Frame<W: Wrapping + ?Sized> {
    Next(Next<W::Call>),
    Emit(Option<W::Delta>),
    KeepAlive,
    Finished(W::Finished, AnsweredBy),
}

/// Asks for a real call.
pub(super) struct Next<C> {
    pub(super) invocation: i32,
    /// `None` is the call as it was opened.
    pub(super) call: Option<C>,
    pub(super) relay: Relay,
    pub(super) answer_needed: bool,
    pub(super) approval: Approval,
}

impl<C> Next<C> {
    /// What a caller does whom no chain tells anything.
    pub(super) fn unwrapped() -> Self {
        Self {
            invocation: 1,
            call: None,
            relay: Relay::Direct,
            answer_needed: false,
            approval: Approval::AsOpened,
        }
    }
}

/// Reads a frame, or says what is wrong with it.
pub(super) fn read<W: Wrapping>(frame: W::Received) -> Result<Frame<W>, Error> {
    W::read(frame).ok_or_else(|| Error::protocol("a frame is empty"))
}
