//! Says what is wrong with a value that a script gave, and where.

use serde_json::Value;
use std::fmt;

/// A value that does not have the form of the message that it is read as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misread {
    /// The place within what was read, for example `messages[2].role`; empty
    /// for the whole.
    pub path: String,
    /// What is wrong, for example `must be a string, got number`.
    pub problem: String,
}

impl Misread {
    /// Says that what is read `problem`.
    #[must_use]
    pub fn new(problem: impl Into<String>) -> Self {
        Self { path: String::new(), problem: problem.into() }
    }

    /// Says that a value must be `expected`.
    #[must_use]
    pub fn expected(expected: &str, got: &Value) -> Self {
        Self::new(format!("must be {expected}, got {}", type_of(got)))
    }

    /// Says that it happened in the member `name`.
    #[must_use]
    pub fn inside(mut self, name: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{name}{dot}{}", self.path);
        self
    }

    /// Says that it happened in the element `index`.
    #[must_use]
    pub fn at(self, index: usize) -> Self {
        self.inside(&format!("[{index}]"))
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return f.write_str(&self.problem);
        }
        write!(f, "{} {}", self.path, self.problem)
    }
}

impl std::error::Error for Misread {}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
