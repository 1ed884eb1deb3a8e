//! What a script's thread is told, and what it says.

use super::super::limits::LEAST_WEIGHT;
use crate::{
    engine::{Fault, State},
    hooks::HookId,
};
use sidehook_proto::v1;
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize},
};
use tokio::{
    runtime::Handle,
    sync::{mpsc::UnboundedSender, oneshot},
};

/// What happens to a script.
#[derive(Debug)]
pub(crate) enum Event {
    /// A hook is called.
    Call(Box<Call>),
    /// What is inside a wrapped call has answered.
    Returned {
        /// The call.
        id: u64,
        /// Which use of `next` it answers.
        invocation: u32,
        /// What it is.
        result: Returned,
    },
    /// A piece of a stream, or its end, reaches a sink of the script.
    Stream {
        /// The call.
        id: u64,
        /// The use of `next` that was handed the sink.
        invocation: u32,
        /// The piece as JSON; `None` is the end.
        delta: Option<String>,
        /// Told what the sink says to it. Dropped when the whole call is
        /// answered instead.
        taken: Taken,
    },
    /// Nobody waits for the call any more.
    Cancelled(u64),
}

/// Who waits until a sink has taken a piece of a stream: a letter and JSON, or
/// how the script broke.
pub(crate) type Taken = oneshot::Sender<Result<String, Fault>>;

/// What `next` gives.
#[derive(Debug)]
pub(crate) enum Returned {
    /// A result, as JSON in script form.
    Result {
        /// The JSON.
        text: String,
        /// Whether it holds payloads in envelopes.
        marked: bool,
    },
    /// Nothing: a failure or a tripwire, as JSON.
    Nothing(String),
}

/// A call of a hook, or of `enabled`.
#[derive(Debug)]
pub(crate) struct Call {
    /// Its number, unique within the script.
    pub(crate) id: u64,
    /// Which of the script's middleware.
    pub(crate) index: usize,
    /// What is called, and with which arguments.
    pub(crate) target: Target,
    /// The arguments as JSON.
    pub(crate) text: String,
    /// Whether they hold payloads in envelopes.
    pub(crate) marked: bool,
    /// Whether the hook has effects.
    pub(crate) has_effects: bool,
    /// The state that it sees.
    pub(crate) state: State,
    /// Where operations on state run that do not answer at once.
    pub(crate) runtime: Handle,
    /// Set when nobody waits for the call any more.
    pub(crate) cancelled: Arc<AtomicBool>,
    /// Who waits for it.
    pub(crate) caller: Caller,
}

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A hook.
    Hook(HookId),
    /// The middleware's `enabled`.
    Enabled,
}

/// Who waits for a call.
#[derive(Debug)]
pub(crate) enum Caller {
    /// A unary hook.
    Unary(oneshot::Sender<Said>),
    /// A hook around a call.
    Wrapped(UnboundedSender<Asked>, Arc<AtomicUsize>),
}

/// How a call ended.
#[derive(Debug)]
pub(crate) struct Said {
    /// A letter that says what follows, and JSON; or how the script broke.
    pub(crate) answer: Result<String, Fault>,
    /// What it asks the run to do beside it.
    pub(crate) effects: v1::Effects,
}

/// What a script wants while it is around a call. What waits to be done counts
/// in the caller's counter, in bytes.
#[derive(Debug)]
pub(crate) enum Asked {
    /// A real call.
    Next {
        /// Its number within the hook call, from 1.
        invocation: u32,
        /// The call as JSON; `None` is the one that was given.
        text: Option<String>,
        /// Whether streamed text goes through a sink of the script.
        has_sink: bool,
    },
    /// To release streamed text: a delta as JSON.
    Emit(String),
    /// To say that a sink has taken a piece of a stream, once what it let through
    /// is released.
    Taken(Taken, Result<String, Fault>),
    /// Nothing any more.
    Done(Said),
}

impl Call {
    /// What it counts for among the bytes that wait for the script.
    pub(crate) fn weight(&self) -> usize {
        self.text.len().max(LEAST_WEIGHT)
    }
}

impl Asked {
    /// What it counts for among the bytes that wait to be done.
    pub(crate) fn weight(&self) -> usize {
        let text = match self {
            Self::Next { text, .. } => text.as_deref().unwrap_or_default(),
            Self::Emit(text) => text,
            Self::Taken(..) | Self::Done(_) => return 0,
        };
        text.len() + size_of::<Self>()
    }
}

impl Caller {
    pub(super) fn answer(self, said: Said) {
        match self {
            Self::Unary(caller) => {
                let _gone = caller.send(said);
            }
            Self::Wrapped(caller, _) => {
                let _gone = caller.send(Asked::Done(said));
            }
        }
    }
}
