//! `OnEvent`: tells of an event of an LLM client.
//!
//! - **Fires** on retries, rate limits, fallbacks and circuit changes, and when
//!   a middleware acts.
//! - **Sees** the event.
//! - **Answers** nothing.
//! - **Rule** [`Rule::Observe`]: answers are ignored.
//! - **Veto** does not exist.
//! - **Faults** are logged; the rest still runs.
//! - **Limits** nobody can change anything.
//! - **Source** document 001, "onEvent and the 'middleware' event".

use super::{FaultDefault, Hook, Rule};

/// Tells of an event of an LLM client.
#[derive(Debug)]
pub struct OnEvent;

impl Hook for OnEvent {
    const RULE: Rule = Rule::Observe;
    const FAULTS: FaultDefault = FaultDefault::Log;
}
