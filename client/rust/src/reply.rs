//! What a hook answers, with what it wants beside the answer.

use crate::{Error, HookError};
use sidehook_proto::{
    Outcome,
    v1::{ChainReport, Effects, Veto},
};

/// A hook's answer, and what the run should do beside it.
///
/// In an answer, absent means unchanged; [`Apply`](crate::Apply) puts it over what was sent.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the effects may ask the run to stop"]
#[non_exhaustive]
pub struct Reply<A> {
    /// The answer. Its default has no opinion.
    pub answer: A,
    /// Context to add, whether to stop, and entries for the thread's log.
    pub effects: Effects,
    /// What each link did, if the context asks for it.
    pub report: Option<ChainReport>,
    /// Who answered.
    pub origin: Origin,
}

/// Who gave an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// The sidecar.
    Sidecar,
    /// Nobody: no middleware of the run listens to the hook, so it was not called.
    Skipped,
    /// Nobody: the sidecar cannot be reached, and
    /// [`OnUnreachable::Proceed`](crate::OnUnreachable::Proceed) says to go on.
    Unreachable,
}

/// The answer of a hook that can be refused.
///
/// Exhaustive on purpose: whoever matches it has decided what a refusal does.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the operation may have been refused"]
pub enum Decision<A> {
    /// The operation goes on as the answer says.
    Proceed(Reply<A>),
    /// The operation must not happen. The run goes on.
    Vetoed {
        /// Who refused, and why.
        veto: Veto,
        /// What each link did, if the context asks for it.
        report: Option<ChainReport>,
    },
}

impl<A> Decision<A> {
    /// The reply, or the refusal as an error, for callers that treat it as one.
    ///
    /// # Errors
    ///
    /// The veto, if the operation was refused.
    pub fn into_result(self) -> Result<Reply<A>, Veto> {
        match self {
            Self::Proceed(reply) => Ok(reply),
            Self::Vetoed { veto, .. } => Err(veto),
        }
    }
}

/// What a method of a hook gives: [`Reply`] or, if the hook can be refused, [`Decision`].
pub(crate) trait Given: Sized {
    /// The hook's own answer.
    type Answer: Default;

    fn answered(reply: Reply<Self::Answer>) -> Self;

    fn vetoed(veto: Veto, report: Option<ChainReport>) -> Result<Self, HookError>;

    /// What is given when nobody is asked.
    fn neutral(origin: Origin) -> Self {
        Self::answered(Reply {
            answer: Self::Answer::default(),
            effects: Effects::default(),
            report: None,
            origin,
        })
    }

    /// Sorts what the sidecar decided into answers and errors.
    fn from_parts(
        (outcome, effects, report): (Option<Outcome<Self::Answer>>, Effects, Option<ChainReport>),
    ) -> Result<Self, HookError> {
        match outcome {
            Some(Outcome::Answer(answer)) => {
                Ok(Self::answered(Reply { answer, effects, report, origin: Origin::Sidecar }))
            }
            Some(Outcome::Veto(veto)) => Self::vetoed(veto, report),
            Some(Outcome::Tripwire(tripwire)) => Err(HookError::tripped(tripwire, effects, report)),
            Some(Outcome::Failure(failure)) => Err(HookError::failed(failure, effects, report)),
            None => Err(Error::protocol("a response has no outcome").into()),
        }
    }
}

impl<A: Default> Given for Reply<A> {
    type Answer = A;

    fn answered(reply: Self) -> Self {
        reply
    }

    fn vetoed(_: Veto, _: Option<ChainReport>) -> Result<Self, HookError> {
        Err(Error::protocol("a hook that cannot be refused was refused").into())
    }
}

impl<A: Default> Given for Decision<A> {
    type Answer = A;

    fn answered(reply: Reply<A>) -> Self {
        Self::Proceed(reply)
    }

    fn vetoed(veto: Veto, report: Option<ChainReport>) -> Result<Self, HookError> {
        Ok(Self::Vetoed { veto, report })
    }
}
