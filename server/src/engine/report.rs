//! What each link did, as plain data until somebody asks for the report.

use super::{Fault, Link};
use sidehook_proto::v1::{self, StepOutcome};
use std::{sync::Arc, time::Duration};

/// How much of what the links do is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Only what the outcome needs.
    Outcome,
    /// Every step, with times and changed fields.
    Steps,
}

/// What one link did.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The middleware.
    pub middleware: Arc<str>,
    /// Its kind.
    pub kind: &'static str,
    /// Its layer.
    pub layer: v1::Layer,
    /// What came of it.
    pub outcome: StepOutcome,
    /// How long it ran.
    pub duration: Duration,
    /// The answer's fields that it filled, sorted.
    pub changed_fields: Vec<&'static str>,
    /// Why it failed.
    pub fault: Option<Fault>,
    /// In audit mode, what it would have caused.
    pub would_have: Option<StepOutcome>,
}

impl Step {
    pub(super) fn new(link: &Link, outcome: StepOutcome, duration: Duration) -> Self {
        Self {
            middleware: Arc::clone(&link.name),
            kind: link.kind,
            layer: link.layer.into(),
            outcome,
            duration,
            changed_fields: Vec::new(),
            fault: None,
            would_have: None,
        }
    }

    pub(super) fn with_changes(mut self, fields: Vec<&'static str>) -> Self {
        self.changed_fields = fields;
        self
    }

    pub(super) fn with_fault(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }
}

/// What the links of a chain did, in the order in which they were asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Steps(pub Vec<Step>);

impl Steps {
    /// The report for the caller.
    #[must_use]
    pub fn to_report(&self, generation: u64, hash: &str) -> v1::ChainReport {
        v1::ChainReport {
            config_generation: i64::try_from(generation).unwrap_or(i64::MAX),
            config_hash: hash.into(),
            steps: self.0.iter().map(Step::to_message).collect(),
        }
    }
}

impl Step {
    fn to_message(&self) -> v1::Step {
        v1::Step {
            middleware: self.middleware.to_string(),
            kind: self.kind.into(),
            layer: self.layer.into(),
            outcome: self.outcome.into(),
            duration: prost_types::Duration::try_from(self.duration).ok(),
            changed_fields: self.changed_fields.iter().map(|&field| field.into()).collect(),
            fault: self.fault.as_ref().map(|fault| fault.to_failure(&self.middleware)),
            would_have: self.would_have.unwrap_or_default().into(),
        }
    }
}
