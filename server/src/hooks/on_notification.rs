//! `OnNotification`: tells that the run needs a person.
//!
//! - **Fires** when an approval or an answer is needed.
//! - **Sees** what is needed.
//! - **Answers** nothing.
//! - **Rule** [`Rule::Observe`]: answers are ignored.
//! - **Veto** does not exist.
//! - **Faults** are logged; the rest still runs.
//! - **Limits** nobody can change anything.
//! - **Source** document 000, "Hooks".

use super::{FaultDefault, Hook, Rule};

/// Tells that the run needs a person.
#[derive(Debug)]
pub struct OnNotification;

impl Hook for OnNotification {
    const RULE: Rule = Rule::Observe;
    const FAULTS: FaultDefault = FaultDefault::Log;
}
