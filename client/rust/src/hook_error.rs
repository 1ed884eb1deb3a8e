//! Why a run must not simply go on after a hook.

use crate::Error;
use sidehook_proto::v1::{ChainReport, Effects, Failure, Tripwire};

/// Why a run must not simply go on after a hook.
///
/// A tripwire and a failure are decisions, and data on the wire. They are errors *here* because
/// both end the run: `?` then does the right thing, and going on takes a visible `match`.
/// A veto ends one operation only, so it is an answer: see [`Decision`](crate::Decision).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HookError {
    /// A guard found something that the run must not go on with. From then on every hook of
    /// the run but `after_run` gives this at once, and no real call is started.
    #[error("`{}` ended the run: {}", .tripwire.middleware, .tripwire.reason)]
    Tripped {
        /// What was found, and by whom.
        tripwire: Box<Tripwire>,
        /// What the links before it asked for.
        effects: Box<Effects>,
        /// What each link did, if the context asks for it.
        report: Option<Box<ChainReport>>,
    },

    /// A middleware failed and its fault policy ends the run, or a wrapped call failed.
    ///
    /// [`Failure::middleware`] is empty when the runtime's own call failed; its `type` is then
    /// the provider's, so that the runtime can move to its next model.
    #[error("{}: {}", .failure.r#type, .failure.message)]
    Failed {
        /// What failed.
        failure: Box<Failure>,
        /// What the links before it asked for.
        effects: Box<Effects>,
        /// What each link did, if the context asks for it.
        report: Option<Box<ChainReport>>,
    },

    /// Nothing was decided.
    #[error("no answer")]
    NoAnswer(#[source] Error),
}

impl HookError {
    /// The tripwire, if it was one.
    #[must_use]
    pub fn tripwire(&self) -> Option<&Tripwire> {
        match self {
            Self::Tripped { tripwire, .. } => Some(tripwire),
            Self::Failed { .. } | Self::NoAnswer(_) => None,
        }
    }

    /// The failure, if it was one.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed { failure, .. } => Some(failure),
            Self::Tripped { .. } | Self::NoAnswer(_) => None,
        }
    }

    /// Why nothing was decided, if nothing was.
    #[must_use]
    pub fn no_answer(&self) -> Option<&Error> {
        match self {
            Self::NoAnswer(error) => Some(error),
            Self::Tripped { .. } | Self::Failed { .. } => None,
        }
    }

    pub(crate) fn tripped(
        tripwire: Tripwire,
        effects: Effects,
        report: Option<ChainReport>,
    ) -> Self {
        Self::Tripped {
            tripwire: Box::new(tripwire),
            effects: Box::new(effects),
            report: report.map(Box::new),
        }
    }

    pub(crate) fn failed(failure: Failure, effects: Effects, report: Option<ChainReport>) -> Self {
        Self::Failed {
            failure: Box::new(failure),
            effects: Box::new(effects),
            report: report.map(Box::new),
        }
    }
}

impl From<Error> for HookError {
    fn from(error: Error) -> Self {
        Self::NoAnswer(error)
    }
}
