//! Why a real call failed, as its closure says it.

use crate::HookError;
use sidehook_proto::v1::{CallError, CallFailed, Effects, Failure, Tripwire, call_failed::Cause};

/// Why a real call failed.
///
/// The chain sees it and may retry or fall back. Implement `From<YourError>` for it, and `?`
/// works inside the closure; a nested run's [`HookError`] converts as it is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CallFailure {
    /// The call failed.
    #[error("{}: {}", .0.r#type, .0.message)]
    Error(CallError),
    /// A nested run hit a tripwire, which ends this run too.
    #[error("`{}` ended a nested run: {}", .0.middleware, .0.reason)]
    Tripwire(Tripwire),
}

impl CallFailure {
    pub(super) fn into_frame(self, invocation: i32) -> CallFailed {
        let cause = match self {
            Self::Error(error) => Cause::Error(error),
            Self::Tripwire(tripwire) => Cause::Tripwire(tripwire),
        };
        CallFailed { invocation, cause: Some(cause) }
    }

    /// What the caller gets when no chain stands between it and the real call.
    pub(super) fn into_hook_error(self) -> HookError {
        match self {
            Self::Tripwire(tripwire) => HookError::tripped(tripwire, Effects::default(), None),
            Self::Error(error) => {
                let failure = Failure {
                    r#type: error.r#type,
                    code: error.code,
                    message: error.message,
                    middleware: String::new(),
                    retryable: error.retryable,
                    // A breaker counts what may pass: outages, not mistakes.
                    counts_toward_breaker: error.retryable,
                    retry_after_seconds: error.retry_after_seconds,
                };
                HookError::failed(failure, Effects::default(), None)
            }
        }
    }
}

impl From<CallError> for CallFailure {
    fn from(error: CallError) -> Self {
        Self::Error(error)
    }
}

impl From<Tripwire> for CallFailure {
    fn from(tripwire: Tripwire) -> Self {
        Self::Tripwire(tripwire)
    }
}

/// Passes a nested run's end outward: its tripwire stays one, the rest fails the call.
impl From<HookError> for CallFailure {
    fn from(error: HookError) -> Self {
        match error {
            HookError::Tripped { tripwire, .. } => Self::Tripwire(*tripwire),
            HookError::Failed { failure, .. } => Self::Error(CallError {
                r#type: failure.r#type,
                code: failure.code,
                message: failure.message,
                retryable: failure.retryable,
                http_status: 0,
                retry_after_seconds: failure.retry_after_seconds,
            }),
            HookError::NoAnswer(error) => Self::Error(CallError {
                r#type: "unavailable".into(),
                code: error.reason().unwrap_or("SIDECAR_NO_ANSWER").into(),
                message: error.to_string(),
                retryable: error.is_unreachable(),
                http_status: 0,
                retry_after_seconds: 0.0,
            }),
        }
    }
}
