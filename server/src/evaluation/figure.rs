//! What an evaluation says: figures with their targets, and what was missed.

use serde::Serialize;

/// One number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// The data it was measured on.
    pub set: String,
    /// What was measured.
    pub measure: String,
    /// The number, mostly a share from 0 to 1.
    pub value: f64,
    /// Over how many rows.
    pub rows: usize,
    /// What it should be, if that was set.
    pub target: Option<Target>,
}

/// What a figure should be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

/// A row that was judged wrongly.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Miss {
    /// The data it stands in.
    pub set: String,
    /// Its text.
    pub text: String,
    /// What is right.
    pub expected: String,
    /// What was said.
    pub got: String,
}

/// What an evaluation found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// The figures.
    pub figures: Vec<Figure>,
    /// The rows that were judged wrongly.
    pub misses: Vec<Miss>,
}
