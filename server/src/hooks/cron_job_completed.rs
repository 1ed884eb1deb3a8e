//! `CronJobCompleted`: tells that a scheduled run has closed.
//!
//! - **Fires** at most once, when a run that ran closes.
//! - **Sees** how it closed.
//! - **Answers** nothing.
//! - **Rule** [`Rule::Observe`]: answers are ignored.
//! - **Veto** is ignored, and reported as such.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** nobody can change anything.
//! - **Source** document 004, "cronJobCompleted".

use super::{FaultDefault, Hook, Rule, VetoUse};

/// Tells that a scheduled run has closed.
#[derive(Debug)]
pub struct CronJobCompleted;

impl Hook for CronJobCompleted {
    const RULE: Rule = Rule::Observe;
    const VETO: VetoUse = VetoUse::Ignored;
    const FAULTS: FaultDefault = FaultDefault::Skip;
}
