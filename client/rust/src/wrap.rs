//! Wrapped calls: the chain decides how often the real call happens, and what comes of it.
//!
//! 1. The call is opened with everything that the links need to know.
//! 2. For each `next` the caller's closure makes one real call; several may run at once.
//! 3. What a real call streams is shown, relayed or held, as `next` says.
//! 4. `finished` ends the call: the client half-closes and reads the stream to its end.
//!
//! `frames.rs` says how the three wrapped hooks differ on the wire, `session.rs` keeps the real
//! calls, `driver.rs` speaks with the sidecar.

mod deltas;
mod driver;
mod failure;
mod frames;
mod logical_call;
mod model_call;
mod session;
mod tool_call;

pub use deltas::{Delta, Deltas};
pub use failure::CallFailure;
pub use frames::Approval;
pub use logical_call::LogicalCall;

use crate::Origin;
use sidehook_proto::v1::{AnsweredBy, ChainReport, Effects};

/// What came of a wrapped call.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the output may not be the real call's own"]
#[non_exhaustive]
pub struct Wrapped<T> {
    /// The output, as the chain wants it.
    pub output: T,
    /// Which real call it comes from, and which middleware made or changed it.
    pub answered_by: AnsweredBy,
    /// Context to add, whether to stop, and entries for the thread's log.
    pub effects: Effects,
    /// What each link did, if the context asks for it.
    pub report: Option<ChainReport>,
    /// Who answered.
    pub origin: Origin,
}
