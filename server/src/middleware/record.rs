//! What an observer is told of a hook call that is done.

use crate::{engine::Steps, hooks::HookId};
use sidehook_proto::v1;
use std::time::{Duration, SystemTime};

/// A hook call that is done, without any payload.
#[derive(Debug)]
pub struct Record<'a> {
    /// When it came.
    pub time: SystemTime,
    /// The hook.
    pub hook: HookId,
    /// Who asked and on whose behalf.
    pub context: &'a v1::HookContext,
    /// What came of it.
    pub outcome: RecordOutcome,
    /// The decision, where the hook has one and it was taken, for example `DENY`.
    pub decision: Option<&'static str>,
    /// The middleware that decided, or empty.
    pub decided_by: &'a str,
    /// How long it took.
    pub duration: Duration,
    /// What each link did.
    pub steps: &'a Steps,
    /// The configuration's generation.
    pub generation: u64,
}

/// What came of a hook call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordOutcome {
    /// The chain had no opinion.
    NoOpinion,
    /// The chain answered.
    Answered,
    /// A link refused the operation.
    Vetoed,
    /// A link ended the run.
    Tripped,
    /// A link, or the real call, failed.
    Failed,
    /// The caller went away, or its deadline passed.
    Cancelled,
}

impl RecordOutcome {
    /// The name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoOpinion => "no_opinion",
            Self::Answered => "answered",
            Self::Vetoed => "vetoed",
            Self::Tripped => "tripped",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}
