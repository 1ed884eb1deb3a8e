//! `AfterToolBatch`: tells that every call of a step has its result.
//!
//! - **Fires** once a step, before the next model call.
//! - **Sees** the calls and their results.
//! - **Answers** nothing; links speak through effects: add context, or stop the
//!   run.
//! - **Rule** [`Rule::Gather`]: effects are appended in order; the first stop
//!   counts.
//! - **Veto** does not exist.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** none.
//! - **Source** document 000, "Tool calls before the permissions".

use super::{Hook, Rule};

/// Tells that every call of a step has its result.
#[derive(Debug)]
pub struct AfterToolBatch;

impl Hook for AfterToolBatch {
    const RULE: Rule = Rule::Gather;
}
