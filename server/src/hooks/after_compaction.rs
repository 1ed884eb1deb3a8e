//! `AfterCompaction`: tells that a compaction ran.
//!
//! - **Fires** after a compaction.
//! - **Sees** how large the conversation was and is.
//! - **Answers** nothing.
//! - **Rule** [`Rule::Observe`]: answers are ignored.
//! - **Veto** does not exist.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** nobody can change anything.
//! - **Source** document 000, "Hooks".

use super::{Hook, Rule};

/// Tells that a compaction ran.
#[derive(Debug)]
pub struct AfterCompaction;

impl Hook for AfterCompaction {
    const RULE: Rule = Rule::Observe;
}
