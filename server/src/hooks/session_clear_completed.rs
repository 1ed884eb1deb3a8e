//! `SessionClearCompleted`: tells that a chat was cleared.
//!
//! - **Fires** after a chat is cleared, perhaps more than once.
//! - **Sees** what went.
//! - **Answers** nothing.
//! - **Rule** [`Rule::Observe`]: answers are ignored.
//! - **Veto** is ignored, and reported as such.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** nobody can change anything.
//! - **Source** document 004, "sessionClearing / sessionClearCompleted".

use super::{FaultDefault, Hook, Rule, VetoUse};

/// Tells that a chat was cleared.
#[derive(Debug)]
pub struct SessionClearCompleted;

impl Hook for SessionClearCompleted {
    const RULE: Rule = Rule::Observe;
    const VETO: VetoUse = VetoUse::Ignored;
    const FAULTS: FaultDefault = FaultDefault::Skip;
}
