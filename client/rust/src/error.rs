//! Why a call got no answer from the sidecar.

use std::{collections::HashMap, error::Error as StdError, fmt, time::Duration};
use tokio::runtime::TryCurrentError;
use tonic::{Code, Status};
use tonic_types::{ErrorInfo, StatusExt};

/// Why a call got no answer: nothing was decided.
///
/// A veto, a tripwire and a failed middleware are decisions, so they are never here.
/// [`is_unreachable`](Self::is_unreachable) says whether
/// [`OnUnreachable`](crate::OnUnreachable) applies; [`reason`](Self::reason) is the name
/// that Sidehook gives its own refusals, for example `DRAINING` or `RUN_ENDED`.
pub struct Error(Box<Kind>);

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("`{address}` is not an address: {problem}")]
    Address { address: String, problem: String },
    #[error("`{0}` is not a hook")]
    UnknownHook(String),
    #[error("no Tokio runtime is running, which a connection needs")]
    NoRuntime(#[source] TryCurrentError),
    #[error("the sidecar cannot be reached")]
    Unreachable(#[source] Status),
    #[error("the sidecar did not answer in time")]
    Deadline(#[source] Option<Status>),
    #[error("the sidecar refused the call with {:?}: {}", .status.code(), .status.message())]
    Refused { status: Status, info: Option<ErrorInfo> },
    #[error("a message of {bytes} bytes is too large: at most {limit}")]
    TooLarge { bytes: usize, limit: usize },
    #[error("the sidecar broke the protocol: {0}")]
    Protocol(&'static str),
    #[error("the sidecar does not serve after {0:?}")]
    NotServing(Duration, #[source] Option<Error>),
}

impl Error {
    /// Whether no answer came because the sidecar is not there: it refuses connections, a
    /// connection broke, or the deadline passed.
    ///
    /// False for everything that Sidehook itself says, so also while it drains.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        match &*self.0 {
            Kind::Unreachable(_) | Kind::Deadline(_) => true,
            Kind::NotServing(_, last) => last.as_ref().is_some_and(Self::is_unreachable),
            Kind::Address { .. }
            | Kind::UnknownHook(_)
            | Kind::NoRuntime(_)
            | Kind::Refused { .. }
            | Kind::TooLarge { .. }
            | Kind::Protocol(_) => false,
        }
    }

    /// Whether the deadline of the hook passed.
    #[must_use]
    pub fn is_deadline_exceeded(&self) -> bool {
        matches!(&*self.0, Kind::Deadline(_))
    }

    /// Whether the sidecar sent something that the contract does not allow.
    #[must_use]
    pub fn is_protocol_violation(&self) -> bool {
        matches!(&*self.0, Kind::Protocol(_))
    }

    /// The gRPC status code, if there is one.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match &*self.0 {
            Kind::Unreachable(status) | Kind::Refused { status, .. } => Some(status.code()),
            Kind::Deadline(_) => Some(Code::DeadlineExceeded),
            Kind::TooLarge { .. } => Some(Code::OutOfRange),
            Kind::NotServing(_, last) => last.as_ref().and_then(Self::code),
            Kind::Address { .. }
            | Kind::UnknownHook(_)
            | Kind::NoRuntime(_)
            | Kind::Protocol(_) => None,
        }
    }

    /// The stable name of the refusal, for example `DRAINING`.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.info().map(|info| info.reason.as_str())
    }

    /// What the refusal says about itself: everything dynamic in its message.
    #[must_use]
    pub fn metadata(&self) -> Option<&HashMap<String, String>> {
        self.info().map(|info| &info.metadata)
    }

    fn info(&self) -> Option<&ErrorInfo> {
        match &*self.0 {
            Kind::Refused { info, .. } => info.as_ref(),
            Kind::NotServing(_, last) => last.as_ref().and_then(Self::info),
            Kind::Address { .. }
            | Kind::UnknownHook(_)
            | Kind::NoRuntime(_)
            | Kind::Unreachable(_)
            | Kind::Deadline(_)
            | Kind::TooLarge { .. }
            | Kind::Protocol(_) => None,
        }
    }

    /// Whether the connection failed, so that a repeat may find another one.
    pub(crate) fn is_transport(&self) -> bool {
        matches!(&*self.0, Kind::Unreachable(_))
    }

    pub(crate) fn address(address: &str, problem: impl fmt::Display) -> Self {
        Self::of(Kind::Address { address: address.into(), problem: problem.to_string() })
    }

    pub(crate) fn unknown_hook(name: &str) -> Self {
        Self::of(Kind::UnknownHook(name.into()))
    }

    pub(crate) fn no_runtime(error: TryCurrentError) -> Self {
        Self::of(Kind::NoRuntime(error))
    }

    pub(crate) fn deadline() -> Self {
        Self::of(Kind::Deadline(None))
    }

    pub(crate) fn protocol(what: &'static str) -> Self {
        Self::of(Kind::Protocol(what))
    }

    /// A message cannot be sent. tonic resets the stream for it, which looks like a lost
    /// connection, and a guard must not be passed by asking it too much.
    pub(crate) fn too_large(bytes: usize, limit: usize) -> Self {
        Self::of(Kind::TooLarge { bytes, limit })
    }

    pub(crate) fn not_serving(waited: Duration, last: Option<Self>) -> Self {
        Self::of(Kind::NotServing(waited, last))
    }

    /// Tells apart who ended the call: Sidehook, the clock, or the connection.
    pub(crate) fn from_status(status: Status) -> Self {
        let code = status.code();
        // Whoever notices first that the deadline passed: it is one event, and which of the
        // two clocks is ahead must not decide between failing and proceeding. tonic's own
        // servers report it as a bare `CANCELLED`.
        if code == Code::DeadlineExceeded || has_source::<tonic::TimeoutExpired>(&status) {
            return Self::of(Kind::Deadline(Some(status)));
        }
        let info = status.get_details_error_info();
        // A status inside a source is our own codec's, for example of an oversized request.
        let from_connection = status.source().is_some() && !has_source::<Status>(&status);
        match code {
            _ if info.is_some() => Self::of(Kind::Refused { status, info }),
            _ if from_connection => Self::of(Kind::Unreachable(status)),
            Code::Unavailable => Self::of(Kind::Unreachable(status)),
            Code::Cancelled => Self::of(Kind::Deadline(Some(status))),
            _ => Self::of(Kind::Refused { status, info }),
        }
    }

    fn of(kind: Kind) -> Self {
        Self(Box::new(kind))
    }
}

/// Whether a `T` stands behind `status`.
fn has_source<T: StdError + 'static>(status: &Status) -> bool {
    let mut source = status.source();
    while let Some(error) = source {
        if error.is::<T>() {
            return true;
        }
        source = error.source();
    }
    false
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic_types::ErrorDetails;

    /// Compares "kind code reason" of what `status` is taken for.
    #[track_caller]
    fn check(status: Status, expected: &str) {
        let error = Error::from_status(status);
        let kind = match (error.is_deadline_exceeded(), error.is_unreachable()) {
            (true, _) => "deadline",
            (false, true) => "unreachable",
            (false, false) => "refused",
        };
        let code = error.code().expect("a code");
        assert_eq!(format!("{kind} {code:?} {}", error.reason().unwrap_or("-")), expected);
    }

    fn sidehook(code: Code, reason: &str) -> Status {
        let info = ErrorDetails::with_error_info(reason, "sidehook.v1", HashMap::new());
        Status::with_error_details(code, "no", info)
    }

    #[test]
    fn what_sidehook_says_is_never_taken_for_its_absence() {
        check(sidehook(Code::Unavailable, "DRAINING"), "refused Unavailable DRAINING");
        check(
            sidehook(Code::FailedPrecondition, "RUN_ENDED"),
            "refused FailedPrecondition RUN_ENDED",
        );
        check(
            sidehook(Code::ResourceExhausted, "OVERLOADED"),
            "refused ResourceExhausted OVERLOADED",
        );
        check(sidehook(Code::Cancelled, "RUN_ENDED"), "refused Cancelled RUN_ENDED");
        check(Status::invalid_argument("no"), "refused InvalidArgument -");
        check(Status::out_of_range("too large"), "refused OutOfRange -");
    }

    #[test]
    fn an_unavailable_that_is_not_sidehooks_is_its_absence() {
        check(Status::unavailable("no healthy upstream"), "unreachable Unavailable -");
    }

    #[test]
    fn a_deadline_is_one_event_whoever_notices_it() {
        check(Status::deadline_exceeded("late"), "deadline DeadlineExceeded -");
        check(sidehook(Code::DeadlineExceeded, "DEADLINE"), "deadline DeadlineExceeded -");
        check(Status::cancelled("Timeout expired"), "deadline DeadlineExceeded -");
        let expired = Status::from_error(Box::new(tonic::TimeoutExpired(())));
        check(expired, "deadline DeadlineExceeded -");
    }

    #[test]
    fn a_failing_codec_is_not_a_failing_connection() {
        #[derive(Debug, thiserror::Error)]
        #[error("body")]
        struct Body(#[source] Status);

        let status = Status::from_error(Box::new(Body(Status::out_of_range("too large"))));
        check(status, "refused OutOfRange -");
        let status = Status::from_error(Box::new(std::io::Error::other("broken pipe")));
        check(status, "unreachable Unknown -");
    }
}
