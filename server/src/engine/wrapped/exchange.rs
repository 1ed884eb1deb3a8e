//! The order of frames of a wrapped call, as a state machine without I/O.
//!
//! ```text
//! runtime   open → (delta* (end | failed))* per invocation → half-close
//! sidehook  (next | emit | keep_alive)* → finished
//! ```

use sidehook_proto::v1::Relay;

/// A frame from the runtime, as far as its order matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    /// Opens the call.
    Open,
    /// A piece of a streamed result.
    Delta {
        /// The real call.
        invocation: i32,
        /// Its number within the invocation.
        sequence: i64,
    },
    /// A real call succeeded.
    End {
        /// The real call.
        invocation: i32,
        /// Whether the frame carries the result.
        with_result: bool,
    },
    /// A real call failed.
    Failed {
        /// The real call.
        invocation: i32,
    },
}

/// What to do with a legal frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// Hand it to whoever waits for the invocation.
    Deliver,
    /// Drop it: nobody waits any more.
    Stale,
}

/// Why a frame is illegal: the state of the call and the frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{frame} while {state}")]
pub struct ExchangeError {
    /// The frame, for example "`end` of invocation 2".
    pub frame: String,
    /// The state, for example "invocation 2 has ended".
    pub state: String,
}

/// Where a call stands.
#[derive(Debug, Default)]
pub struct Exchange {
    phase: Phase,
    /// By number, from 1.
    invocations: Vec<Invocation>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Phase {
    #[default]
    Unopened,
    Open,
    Finished,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Invocation {
    Running {
        relay: Relay,
        answer_needed: bool,
        next_sequence: i64,
    },
    /// A link stopped waiting; the runtime may not know yet.
    Abandoned,
    Ended,
}

impl Exchange {
    /// Takes a frame from the runtime.
    ///
    /// # Errors
    ///
    /// The frame is illegal in this state. The call cannot go on.
    pub fn receive(&mut self, frame: FrameKind) -> Result<Accepted, ExchangeError> {
        match (self.phase, frame) {
            // What comes after `finished` crossed it on the way.
            (Phase::Finished, _) => Ok(Accepted::Stale),
            (Phase::Unopened, FrameKind::Open) => {
                self.phase = Phase::Open;
                Ok(Accepted::Deliver)
            }
            (Phase::Unopened, _) => Err(illegal(frame, "the call is not open")),
            (Phase::Open, FrameKind::Open) => Err(illegal(frame, "the call is already open")),
            (Phase::Open, FrameKind::Delta { invocation, sequence }) => {
                self.delta(frame, invocation, sequence)
            }
            (Phase::Open, FrameKind::End { invocation, .. } | FrameKind::Failed { invocation }) => {
                self.end(frame, invocation)
            }
        }
    }

    /// Asks the runtime for a real call and returns its number.
    pub fn next(&mut self, relay: Relay, answer_needed: bool) -> i32 {
        self.invocations.push(Invocation::Running { relay, answer_needed, next_sequence: 0 });
        i32::try_from(self.invocations.len()).unwrap_or(i32::MAX)
    }

    /// Nobody waits for `invocation` any more: frames of it are dropped.
    pub fn abandon(&mut self, invocation: i32) {
        if let Some(state @ Invocation::Running { .. }) = self.invocation(invocation) {
            *state = Invocation::Abandoned;
        }
    }

    /// An invocation that the runtime still has to end.
    #[must_use]
    pub fn running(&self) -> Option<i32> {
        let running = |state: &Invocation| matches!(state, Invocation::Running { .. });
        let index = self.invocations.iter().position(running)?;
        i32::try_from(index + 1).ok()
    }

    /// The runtime sends no more frames.
    ///
    /// # Errors
    ///
    /// An invocation has not ended, so that the call cannot go on.
    pub fn half_close(&self) -> Result<(), ExchangeError> {
        let state = match (self.phase, self.running()) {
            (Phase::Finished, _) | (Phase::Open, None) => return Ok(()),
            (Phase::Unopened, _) => "the call is not open".into(),
            (Phase::Open, Some(number)) => format!("invocation {number} has not ended"),
        };
        Err(ExchangeError { frame: "half-close".into(), state })
    }

    /// The last frame was sent.
    pub fn finish(&mut self) {
        self.phase = Phase::Finished;
    }

    fn delta(
        &mut self,
        frame: FrameKind,
        invocation: i32,
        sequence: i64,
    ) -> Result<Accepted, ExchangeError> {
        match self.invocation(invocation) {
            None => Err(illegal(frame, "no `next` asked for it")),
            Some(Invocation::Ended) => Err(illegal(frame, "the invocation has ended")),
            Some(Invocation::Abandoned) => Ok(Accepted::Stale),
            Some(Invocation::Running { relay, .. }) if *relay != Relay::Relayed => {
                let state = format!("its relay is `{}`", relay.as_str_name());
                Err(illegal(frame, &state))
            }
            Some(Invocation::Running { next_sequence, .. }) if *next_sequence != sequence => {
                let state = format!("the next sequence is {next_sequence}");
                Err(illegal(frame, &state))
            }
            Some(Invocation::Running { next_sequence, .. }) => {
                *next_sequence += 1;
                Ok(Accepted::Deliver)
            }
        }
    }

    fn end(&mut self, frame: FrameKind, invocation: i32) -> Result<Accepted, ExchangeError> {
        let bare = matches!(frame, FrameKind::End { with_result: false, .. });
        match self.invocation(invocation) {
            None => Err(illegal(frame, "no `next` asked for it")),
            Some(Invocation::Ended) => Err(illegal(frame, "the invocation has ended")),
            Some(Invocation::Running { answer_needed: true, .. }) if bare => {
                Err(illegal(frame, "`next` said that the answer is needed, and there is none"))
            }
            Some(state) => {
                let stale = *state == Invocation::Abandoned;
                *state = Invocation::Ended;
                Ok(if stale { Accepted::Stale } else { Accepted::Deliver })
            }
        }
    }

    fn invocation(&mut self, number: i32) -> Option<&mut Invocation> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.invocations.get_mut(index)
    }
}

fn illegal(frame: FrameKind, state: &str) -> ExchangeError {
    let frame = match frame {
        FrameKind::Open => "`open`".into(),
        FrameKind::Delta { invocation, sequence } => {
            format!("`delta` {sequence} of invocation {invocation}")
        }
        FrameKind::End { invocation, .. } => format!("`end` of invocation {invocation}"),
        FrameKind::Failed { invocation } => format!("`failed` of invocation {invocation}"),
    };
    ExchangeError { frame, state: state.into() }
}
