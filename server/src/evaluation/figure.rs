//! What an evaluation says.

/// One number.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The data that it is measured on.
    pub set: String,
    /// What is measured.
    pub measure: String,
    /// The number.
    pub value: f64,
    /// How many rows it comes from.
    pub rows: usize,
    /// What it should be.
    pub target: Option<Target>,
}

/// What a number should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

/// A row that is judged differently from what its label says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The data that it stands in.
    pub set: String,
    /// Its text.
    pub text: String,
    /// What its label says.
    pub expected: String,
    /// What was found.
    pub got: String,
}

/// What an evaluation says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Its numbers.
    pub figures: Vec<Figure>,
    /// The rows that were judged differently.
    pub misses: Vec<Miss>,
}
