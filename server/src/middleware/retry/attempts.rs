//! What is reported of the attempts at a call. Never holds payload text.

use crate::engine::{Context, Unrepeatable};
use serde_json::{Map, Value};
use sidehook_proto::v1;
use std::time::Duration;

/// Why no further attempt was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GaveUp {
    /// There were as many as are allowed.
    Attempts,
    /// Another attempt would not help.
    NotRetryable,
    /// The caller would not wait for it.
    Deadline,
    /// The provider asks to wait for longer than is waited.
    RetryAfter,
    /// The chain forbids it.
    Chain(Unrepeatable),
}

impl GaveUp {
    const fn name(self) -> &'static str {
        match self {
            Self::Attempts => "attempts",
            Self::NotRetryable => "not_retryable",
            Self::Deadline => "deadline",
            Self::RetryAfter => "retry_after",
            Self::Chain(Unrepeatable::Over) => "chain_over",
            Self::Chain(Unrepeatable::Stopping) => "run_stopping",
            Self::Chain(Unrepeatable::Shown) => "text_released",
        }
    }
}

/// The attempts at one call.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    failures: Vec<Map<String, Value>>,
}

impl Attempts {
    /// How many have failed.
    pub(super) fn failed(&self) -> u32 {
        u32::try_from(self.failures.len()).unwrap_or(u32::MAX)
    }

    /// One more has failed.
    pub(super) fn add(&mut self, failure: &v1::Failure) {
        let mut said = Map::new();
        said.insert("type".into(), failure.r#type.clone().into());
        said.insert("code".into(), failure.code.clone().into());
        if failure.retry_after_seconds > 0.0 {
            said.insert("retry_after_seconds".into(), failure.retry_after_seconds.into());
        }
        self.failures.push(said);
    }

    /// The last one is followed by another, after `delay`.
    pub(super) fn delayed(&mut self, delay: Duration) {
        if let Some(failure) = self.failures.last_mut() {
            failure.insert("delay_seconds".into(), delay.as_secs_f64().into());
        }
    }

    /// Writes what came of it to the thread's log, unless there is nothing to tell: a call that
    /// succeeded at once, or failed in a way that is not for this middleware.
    pub(super) fn report(self, context: &Context<'_>, gave_up: Option<GaveUp>) {
        let failed = self.failed();
        if failed == 0 || (failed == 1 && gave_up == Some(GaveUp::NotRetryable)) {
            return;
        }
        let attempts = if gave_up.is_none() { failed + 1 } else { failed };
        let failures = self.failures.into_iter().map(Value::Object).collect::<Vec<_>>();
        let mut note = Map::new();
        note.insert("hook".into(), context.hook().name().into());
        note.insert("attempts".into(), attempts.into());
        note.insert("succeeded".into(), gave_up.is_none().into());
        if let Some(gave_up) = gave_up {
            note.insert("gave_up".into(), gave_up.name().into());
        }
        note.insert("failures".into(), failures.into());
        context.log_event("retry", &Value::Object(note));
    }
}
