//! Which failures of a call another try is meant for.

use schemars::JsonSchema;
use serde::Deserialize;
use sidehook_proto::v1;
use std::time::Duration;

/// Stands for what a failure says of itself.
const RETRYABLE: &str = "retryable";

/// Failures by type or code; `retryable` stands for all that say of themselves that the same call
/// may succeed later.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Failures(Vec<String>);

impl Failures {
    /// The failures with these types or codes.
    #[must_use]
    pub fn of<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }

    /// The failures that say of themselves that the same call may succeed later.
    #[must_use]
    pub fn retryable() -> Self {
        Self::of([RETRYABLE])
    }

    pub(super) fn contains(&self, failure: &v1::Failure) -> bool {
        self.0.iter().any(|name| match name.as_str() {
            RETRYABLE => failure.retryable,
            name => name == failure.r#type || name == failure.code,
        })
    }
}

/// How long the provider asks to wait, if it says so.
pub(super) fn retry_after(failure: &v1::Failure) -> Option<Duration> {
    let seconds = failure.retry_after_seconds;
    let asked = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    (seconds > 0.0).then_some(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(class: &str, code: &str, retryable: bool) -> v1::Failure {
        let (r#type, code) = (class.into(), code.into());
        v1::Failure { r#type, code, retryable, ..v1::Failure::default() }
    }

    #[test]
    fn a_failure_is_named_by_its_type_its_code_or_what_it_says_of_itself() {
        let failure = failure("rate_limited", "E429", false);
        for (names, contained) in [
            (vec!["rate_limited"], true),
            (vec!["E429"], true),
            (vec!["timeout", "E429"], true),
            (vec!["retryable"], false),
            (vec!["rate"], false),
            (vec![], false),
        ] {
            assert_eq!(Failures::of(names.clone()).contains(&failure), contained, "{names:?}");
        }
        assert!(Failures::retryable().contains(&self::failure("odd", "", true)));
        assert!(!Failures::of(["timeout"]).contains(&self::failure("odd", "", true)));
    }

    #[test]
    fn only_a_time_above_zero_is_asked_for() {
        let asked = |seconds| {
            retry_after(&v1::Failure { retry_after_seconds: seconds, ..v1::Failure::default() })
        };
        assert_eq!(asked(1.5), Some(Duration::from_millis(1500)));
        assert_eq!(asked(f64::INFINITY), Some(Duration::MAX));
        assert_eq!([asked(0.0), asked(-1.0), asked(f64::NAN)], [None; 3]);
    }
}
