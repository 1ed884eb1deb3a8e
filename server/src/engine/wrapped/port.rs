//! The engine's side of a wrapped call's connection: frames out, and a mailbox
//! for each invocation.

use super::exchange::{Accepted, Exchange, ExchangeError, FrameKind};
use crate::hooks::{
    Wrapped,
    wrapped::{Incoming, NextCall},
};
use parking_lot::Mutex;
use prost::Message;
use sidehook_proto::v1::{CallFailed, Relay};
use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};
use tokio::sync::{Notify, mpsc};

/// What arrives for an invocation.
#[derive(Debug)]
pub(super) enum Arrived<W: Wrapped> {
    Delta(W::Delta, usize),
    End(Option<W::Result>),
    Failed(CallFailed),
}

/// Why a frame from the runtime ends the call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortError {
    /// The frame is illegal in this state.
    #[error(transparent)]
    Illegal(#[from] ExchangeError),
    /// The runtime streams faster than what is released can be sent, for so long
    /// that the bound is reached.
    #[error("more than {limit} bytes wait to be relayed")]
    TooMuchWaiting {
        /// The bound.
        limit: usize,
    },
}

/// One wrapped call's connection.
///
/// Frames from the runtime are put into mailboxes without waiting, so that a
/// runtime that writes everything before it reads cannot block itself. What
/// waits in them is bounded in bytes.
pub struct Port<W: Wrapped> {
    out: mpsc::Sender<W::Response>,
    exchange: Mutex<Exchange>,
    mailboxes: Mutex<HashMap<i32, Arc<Mailbox<W>>>>,
    waiting: AtomicUsize,
    limit: usize,
    stale: AtomicU64,
    emitted: AtomicBool,
    /// Told when a link asks for a real call.
    asked: Notify,
}

impl<W: Wrapped> fmt::Debug for Port<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Port").field("exchange", &self.exchange).finish_non_exhaustive()
    }
}

impl<W: Wrapped> Port<W> {
    /// A call that sends frames to `out` and lets at most `limit` bytes of
    /// streamed text wait.
    #[must_use]
    pub fn new(out: mpsc::Sender<W::Response>, limit: usize) -> Self {
        Self {
            out,
            exchange: Mutex::default(),
            mailboxes: Mutex::default(),
            waiting: AtomicUsize::new(0),
            limit,
            stale: AtomicU64::new(0),
            emitted: AtomicBool::new(false),
            asked: Notify::new(),
        }
    }

    /// Takes a frame from the runtime. Returns the opening one, for the caller
    /// to act on.
    ///
    /// # Errors
    ///
    /// The call cannot go on.
    pub fn receive(&self, incoming: Incoming<W>) -> Result<Option<W::Open>, PortError> {
        let (kind, invocation) = kind_of(&incoming);
        if self.exchange.lock().receive(kind)? == Accepted::Stale {
            self.stale.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        let arrived = match incoming {
            Incoming::Open(open) => return Ok(Some(open)),
            Incoming::Delta { delta, .. } => {
                let size = delta.encoded_len() + size_of::<Arrived<W>>();
                if self.waiting.fetch_add(size, Ordering::Relaxed) + size > self.limit {
                    return Err(PortError::TooMuchWaiting { limit: self.limit });
                }
                Arrived::Delta(delta, size)
            }
            Incoming::End { result, .. } => Arrived::End(result),
            Incoming::Failed(failed) => Arrived::Failed(failed),
        };
        let ends = !matches!(arrived, Arrived::Delta(..));
        let mut mailboxes = self.mailboxes.lock();
        if let Some(mailbox) = mailboxes.get(&invocation) {
            mailbox.put(arrived);
        }
        if ends {
            mailboxes.remove(&invocation);
        }
        Ok(None)
    }

    /// The runtime has half-closed. Waits until that makes the call impossible,
    /// which it need not: its last frames may be all that is needed.
    pub async fn half_closed(&self) -> ExchangeError {
        loop {
            let asked = self.asked.notified();
            if let Err(error) = self.exchange.lock().half_close() {
                return error;
            }
            asked.await;
        }
    }

    /// Waits until the runtime reads no more.
    pub async fn closed(&self) {
        self.out.closed().await;
    }

    /// How many frames came for invocations that nobody waited for any more.
    pub fn stale_count(&self) -> u64 {
        self.stale.load(Ordering::Relaxed)
    }

    /// Sends the last frame. Whatever the runtime still sends is stale.
    pub async fn finish(&self, frame: W::Response) {
        self.exchange.lock().finish();
        self.send(frame).await;
    }

    /// Sends a frame that says that the call is being worked on, unless the
    /// writer is busy anyway.
    pub fn keep_alive(&self) {
        let _full_or_gone = self.out.try_send(W::keep_alive());
    }

    pub(super) async fn next(
        &self,
        call: Option<&W::Call>,
        opened: &W::Call,
        relay: Relay,
        answer_needed: bool,
    ) -> Invocation<'_, W> {
        let mailbox = Arc::new(Mailbox::new());
        let number = self.exchange.lock().next(relay, answer_needed);
        self.mailboxes.lock().insert(number, Arc::clone(&mailbox));
        self.asked.notify_waiters();
        // Made before it sends, so that the invocation is abandoned if the link
        // stops waiting while the writer is busy.
        let invocation = Invocation { port: self, number, mailbox };
        let next = NextCall { invocation: number, call, opened, relay, answer_needed };
        self.send(W::next(next)).await;
        invocation
    }

    pub(super) async fn emit(&self, delta: W::Delta) {
        self.emitted.store(true, Ordering::Relaxed);
        self.send(W::emit(delta)).await;
    }

    /// Whether text was released, so that it cannot be taken back.
    pub(super) fn has_emitted(&self) -> bool {
        self.emitted.load(Ordering::Relaxed)
    }

    async fn send(&self, frame: W::Response) {
        // When the runtime is gone, the whole call is about to be dropped.
        let _gone = self.out.send(frame).await;
    }
}

/// What has arrived for one invocation and was not looked at yet. A channel
/// would set room for 32 frames aside, for what is mostly one.
struct Mailbox<W: Wrapped> {
    arrived: Mutex<VecDeque<Arrived<W>>>,
    put: Notify,
}

impl<W: Wrapped> Mailbox<W> {
    fn new() -> Self {
        Self { arrived: Mutex::new(VecDeque::with_capacity(1)), put: Notify::new() }
    }

    fn put(&self, arrived: Arrived<W>) {
        self.arrived.lock().push_back(arrived);
        self.put.notify_one();
    }

    async fn take(&self) -> Arrived<W> {
        loop {
            if let Some(arrived) = self.arrived.lock().pop_front() {
                return arrived;
            }
            self.put.notified().await;
        }
    }
}

/// A real call that the runtime makes.
pub(super) struct Invocation<'a, W: Wrapped> {
    port: &'a Port<W>,
    pub(super) number: i32,
    mailbox: Arc<Mailbox<W>>,
}

impl<W: Wrapped> Invocation<'_, W> {
    /// The next thing that arrives for it. Waits for ever when the runtime is
    /// gone: the call is dropped then.
    pub(super) async fn arrived(&mut self) -> Arrived<W> {
        let arrived = self.mailbox.take().await;
        if let Arrived::Delta(_, size) = arrived {
            self.port.waiting.fetch_sub(size, Ordering::Relaxed);
        }
        arrived
    }
}

impl<W: Wrapped> Drop for Invocation<'_, W> {
    fn drop(&mut self) {
        self.port.exchange.lock().abandon(self.number);
        self.port.mailboxes.lock().remove(&self.number);
        for arrived in self.mailbox.arrived.lock().drain(..) {
            if let Arrived::Delta(_, size) = arrived {
                self.port.waiting.fetch_sub(size, Ordering::Relaxed);
            }
        }
    }
}

fn kind_of<W: Wrapped>(incoming: &Incoming<W>) -> (FrameKind, i32) {
    match incoming {
        Incoming::Open(_) => (FrameKind::Open, 0),
        Incoming::Delta { invocation, sequence, .. } => {
            (FrameKind::Delta { invocation: *invocation, sequence: *sequence }, *invocation)
        }
        Incoming::End { invocation, result } => {
            (FrameKind::End { invocation: *invocation, with_result: result.is_some() }, *invocation)
        }
        Incoming::Failed(failed) => {
            (FrameKind::Failed { invocation: failed.invocation }, failed.invocation)
        }
    }
}
