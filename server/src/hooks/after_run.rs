//! `AfterRun`: tells that a run ended.
//!
//! - **Fires** once a run completed, paused or failed, before its caller gets
//!   the result.
//! - **Sees** how it ended, its result or its error, and the model that it
//!   ended on.
//! - **Answers** nothing.
//! - **Rule** [`Rule::Observe`]: answers are ignored.
//! - **Veto** does not exist.
//! - **Faults** are logged; the rest still runs.
//! - **Limits** the run is over: nobody can change anything.
//! - **Source** document 000, "afterRun".

use super::{FaultDefault, Hook, Rule};

/// Tells that a run ended.
#[derive(Debug)]
pub struct AfterRun;

impl Hook for AfterRun {
    const RULE: Rule = Rule::Observe;
    const FAULTS: FaultDefault = FaultDefault::Log;
}
