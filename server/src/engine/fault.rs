//! What went wrong in a middleware, in one form for every cause.

use crate::redaction::redacted;
use serde::{Deserialize, Serialize};
use sidehook_proto::v1;
use std::{fmt, time::Duration};

/// Says that a middleware failed: it threw, hung, panicked, answered nonsense
/// or could not be reached.
///
/// A refusal is not a fault. Normalised as document 001 says, "Error handling":
/// a recognised status code, network failure or error type keeps its class;
/// anything else is `invalid_params` with the code `middleware_threw`. What its
/// message quotes of secrets and personal data is redacted, for it is logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    kind: FaultKind,
    class: String,
    code: String,
    message: String,
    retryable: bool,
    counts_toward_breaker: bool,
}

/// The causes of faults, as a closed set for counters and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// It threw or panicked.
    Threw,
    /// It took longer than it may.
    Timeout,
    /// Its answer does not fit the hook.
    Malformed,
    /// It could not be reached.
    Unreachable,
}

/// What a fault of a link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnFault {
    /// Ends the chain with a failure.
    Fail,
    /// Skips the link; the value goes on unchanged.
    Skip,
    /// Refuses in the author's name. Only on hooks that can refuse.
    Block,
}

impl OnFault {
    /// The name in configuration and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Skip => "skip",
            Self::Block => "block",
        }
    }
}

impl Fault {
    /// A middleware threw something that is not recognised. Not retryable, and
    /// never counted by a circuit breaker.
    pub fn threw(message: impl Into<String>) -> Self {
        Self::new(
            FaultKind::Threw,
            "invalid_params",
            "middleware_threw",
            redacted(message.into()),
            false,
        )
    }

    /// A middleware panicked; `payload` is what it panicked with.
    #[must_use]
    pub fn panicked(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("of unknown cause");
        Self::threw(format!("panicked: {text}"))
    }

    /// A middleware took longer than `limit`. Retryable.
    #[must_use]
    pub fn timeout(limit: Duration) -> Self {
        let message = format!("timed out after {limit:?}");
        Self::new(FaultKind::Timeout, "timeout", "middleware_timeout", message, true)
    }

    /// A middleware's answer does not fit the hook.
    pub fn malformed(problem: impl Into<String>) -> Self {
        Self::new(
            FaultKind::Malformed,
            "invalid_params",
            "malformed_answer",
            redacted(problem.into()),
            false,
        )
    }

    /// A middleware could not be reached. Retryable.
    pub fn unreachable(message: impl Into<String>) -> Self {
        Self::new(
            FaultKind::Unreachable,
            "network",
            "middleware_unreachable",
            redacted(message.into()),
            true,
        )
    }

    /// As much as `limit` says waits for a middleware. Retryable.
    #[must_use]
    pub fn busy(limit: &str) -> Self {
        let message = format!("is busy: {limit} wait for it already");
        Self::new(FaultKind::Unreachable, "unavailable", "middleware_busy", message, true)
    }

    /// A middleware failed with an HTTP status, which keeps its class.
    pub fn http_status(status: u16, message: impl Into<String>) -> Self {
        let (class, retryable) = class_of(status.into());
        let message = redacted(message.into());
        let mut fault = Self::new(FaultKind::Threw, class, "middleware_threw", message, retryable);
        fault.code = format!("http_{status}");
        fault.counts_toward_breaker = retryable;
        fault
    }

    /// A failure that is already typed, for example by a remote chain, passes
    /// through with its type and `retryable` intact.
    #[must_use]
    pub fn from_failure(failure: v1::Failure) -> Self {
        let kind = match failure.r#type.as_str() {
            "timeout" => FaultKind::Timeout,
            "network" | "unavailable" => FaultKind::Unreachable,
            _ => FaultKind::Threw,
        };
        Self {
            kind,
            class: failure.r#type,
            code: failure.code,
            message: redacted(failure.message),
            retryable: failure.retryable,
            counts_toward_breaker: failure.counts_toward_breaker,
        }
    }

    /// The failure that a real call's error is. It keeps its type; one without a
    /// type gets that of its HTTP status.
    pub(super) fn of_provider(error: v1::CallError) -> v1::Failure {
        let (class, retryable) = match (&*error.r#type, error.http_status) {
            ("", 0) => ("internal", error.retryable),
            ("", status) => class_of(status),
            (class, _) => (class, error.retryable),
        };
        v1::Failure {
            r#type: class.into(),
            code: error.code,
            message: error.message,
            middleware: String::new(),
            retryable,
            counts_toward_breaker: true,
            retry_after_seconds: error.retry_after_seconds,
        }
    }

    /// The failure that the caller sees, in the name of `middleware`.
    #[must_use]
    pub fn to_failure(&self, middleware: &str) -> v1::Failure {
        v1::Failure {
            r#type: self.class.clone(),
            code: self.code.clone(),
            message: format!("middleware `{middleware}` {}", self.message),
            middleware: middleware.into(),
            retryable: self.retryable,
            counts_toward_breaker: self.counts_toward_breaker,
            retry_after_seconds: 0.0,
        }
    }

    /// The cause.
    #[must_use]
    pub const fn kind(&self) -> FaultKind {
        self.kind
    }

    fn new(
        kind: FaultKind,
        class: &str,
        code: &str,
        message: impl Into<String>,
        retryable: bool,
    ) -> Self {
        Self {
            kind,
            class: class.into(),
            code: code.into(),
            message: message.into(),
            retryable,
            counts_toward_breaker: false,
        }
    }
}

/// The class of an HTTP status, and whether the same call may succeed later.
const fn class_of(status: i32) -> (&'static str, bool) {
    match status {
        408 | 504 => ("timeout", true),
        429 => ("rate_limited", true),
        401 | 403 => ("auth", false),
        500..=599 => ("unavailable", true),
        _ => ("invalid_params", false),
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unrecognised_throw_is_invalid_params_and_never_counts() {
        let failure = Fault::threw("no such column").to_failure("guard");
        assert_eq!(
            (failure.r#type.as_str(), failure.code.as_str()),
            ("invalid_params", "middleware_threw")
        );
        assert!(!failure.retryable && !failure.counts_toward_breaker);
        assert_eq!(failure.message, "middleware `guard` no such column");
    }

    #[test]
    fn a_recognised_status_keeps_its_class() {
        let failure = Fault::http_status(429, "slow down").to_failure("guard");
        assert_eq!(failure.r#type, "rate_limited");
        assert!(failure.retryable);
        assert!(!Fault::http_status(400, "no").to_failure("guard").retryable);
    }

    #[test]
    fn a_timeout_is_retryable_and_says_how_long() {
        let failure = Fault::timeout(Duration::from_secs(5)).to_failure("guard");
        assert_eq!(
            (failure.r#type.as_str(), failure.message.as_str()),
            ("timeout", "middleware `guard` timed out after 5s")
        );
        assert!(failure.retryable);
    }
}
