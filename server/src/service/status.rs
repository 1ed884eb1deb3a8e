//! Why a hook call got no answer, and the one place where that becomes a gRPC
//! status.
//!
//! A refusal is not here: it *is* an answer.

use crate::{
    engine::{ExchangeError, PortError},
    runs::{Ending, Refused, StateError},
};
use sidehook_proto::InvalidField;
use std::collections::HashMap;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The domain of every `ErrorInfo`.
pub const ERROR_DOMAIN: &str = "sidehook.dev";

/// Why a hook call got no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The request breaks the contract. Sending it again unchanged fails again.
    #[error("{0}")]
    InvalidField(InvalidField),

    /// The bytes are no message of the contract.
    #[error("{0}")]
    Undecodable(String),

    /// A message is larger than the configured limit.
    #[error("{0}")]
    TooLarge(String),

    /// The run has ended. Start another one, or resume this one.
    #[error("run `{0}` has ended")]
    RunEnded(String),

    /// The run was idle or open for too long, or there were too many.
    #[error("run `{0}` was evicted")]
    RunEvicted(String),

    /// The run was never open here.
    #[error("run `{0}` is not known here")]
    UnknownRun(String),

    /// The sidecar has no chains yet. Try again soon.
    #[error("the sidecar is starting; its chains are not compiled yet")]
    Starting,

    /// The sidecar is about to stop. Open runs go on; new ones belong elsewhere.
    #[error("the sidecar is draining; it takes no new runs")]
    Draining,

    /// The caller's deadline passed before the chain was done.
    #[error("the deadline passed before the chain was done")]
    DeadlineExceeded,

    /// A frame of a wrapped call is illegal in its state.
    #[error("illegal frame: {0}")]
    IllegalFrame(ExchangeError),

    /// The runtime streams faster than what is released can be sent.
    #[error("{0}")]
    TooMuchWaiting(String),

    /// The caller went away.
    #[error("the caller went away")]
    Cancelled,

    /// The state store does not answer. Nothing was changed.
    #[error("run state is unavailable")]
    State(#[source] StateError),
}

impl CallError {
    /// Why `run_id` is refused.
    #[must_use]
    pub fn refused(refused: Refused, run_id: &str) -> Self {
        match refused {
            Refused::Over(Ending::Ended) => Self::RunEnded(run_id.into()),
            Refused::Over(Ending::Evicted) => Self::RunEvicted(run_id.into()),
            Refused::New => Self::Draining,
        }
    }

    /// What a broken stream of frames means.
    #[must_use]
    pub fn broken_stream(status: &Status) -> Self {
        match status.code() {
            Code::OutOfRange | Code::ResourceExhausted => Self::TooLarge(status.message().into()),
            Code::Internal => Self::Undecodable(status.message().into()),
            _ => Self::Cancelled,
        }
    }

    /// The status code.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::InvalidField(_) | Self::Undecodable(_) => Code::InvalidArgument,
            Self::TooLarge(_) | Self::TooMuchWaiting(_) => Code::ResourceExhausted,
            Self::RunEnded(_) | Self::RunEvicted(_) | Self::IllegalFrame(_) => {
                Code::FailedPrecondition
            }
            Self::UnknownRun(_) => Code::NotFound,
            Self::Starting | Self::Draining | Self::State(_) => Code::Unavailable,
            Self::DeadlineExceeded => Code::DeadlineExceeded,
            Self::Cancelled => Code::Cancelled,
        }
    }

    /// The stable name that callers may branch on. Never renamed, never reused.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::InvalidField(_) => "INVALID_FIELD",
            Self::Undecodable(_) => "UNDECODABLE",
            Self::TooLarge(_) => "MESSAGE_TOO_LARGE",
            Self::RunEnded(_) => "RUN_ENDED",
            Self::RunEvicted(_) => "RUN_EVICTED",
            Self::UnknownRun(_) => "UNKNOWN_RUN",
            Self::Starting => "STARTING",
            Self::Draining => "DRAINING",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::IllegalFrame(_) => "ILLEGAL_FRAME",
            Self::TooMuchWaiting(_) => "TOO_MUCH_WAITING",
            Self::Cancelled => "CANCELLED",
            Self::State(_) => "STATE_UNAVAILABLE",
        }
    }

    /// What is dynamic in the message, for programs.
    fn metadata(&self) -> HashMap<String, String> {
        let pairs: &[(&str, &str)] = match self {
            Self::InvalidField(invalid) => {
                &[("field", &invalid.field), ("problem", &invalid.problem)]
            }
            Self::RunEnded(run) | Self::RunEvicted(run) | Self::UnknownRun(run) => {
                &[("run_id", run)]
            }
            Self::IllegalFrame(error) => &[("frame", &error.frame), ("state", &error.state)],
            Self::Undecodable(_)
            | Self::TooLarge(_)
            | Self::Starting
            | Self::Draining
            | Self::DeadlineExceeded
            | Self::TooMuchWaiting(_)
            | Self::Cancelled
            | Self::State(_) => &[],
        };
        pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
    }

    /// The status that the caller gets.
    #[must_use]
    pub fn into_status(self) -> Status {
        let info = ErrorDetails::with_error_info(self.reason(), ERROR_DOMAIN, self.metadata());
        Status::with_error_details(self.code(), self.to_string(), info)
    }
}

impl From<InvalidField> for CallError {
    fn from(invalid: InvalidField) -> Self {
        Self::InvalidField(invalid)
    }
}

impl From<PortError> for CallError {
    fn from(error: PortError) -> Self {
        match error {
            PortError::Illegal(error) => Self::IllegalFrame(error),
            PortError::TooMuchWaiting { .. } => Self::TooMuchWaiting(error.to_string()),
        }
    }
}

impl From<StateError> for CallError {
    fn from(error: StateError) -> Self {
        Self::State(error)
    }
}
