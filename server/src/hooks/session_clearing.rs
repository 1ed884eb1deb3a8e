//! `SessionClearing`: tells that a chat is about to be cleared.
//!
//! - **Fires** before a chat is cleared, perhaps more than once.
//! - **Sees** what goes.
//! - **Answers** nothing.
//! - **Rule** [`Rule::Observe`]: answers are ignored.
//! - **Veto** is ignored, and reported as such.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** nobody can change anything.
//! - **Source** document 004, "sessionClearing / sessionClearCompleted".

use super::{FaultDefault, Hook, Rule, VetoUse};

/// Tells that a chat is about to be cleared.
#[derive(Debug)]
pub struct SessionClearing;

impl Hook for SessionClearing {
    const RULE: Rule = Rule::Observe;
    const VETO: VetoUse = VetoUse::Ignored;
    const FAULTS: FaultDefault = FaultDefault::Skip;
}
