//! What an evaluation says: figures with what they should be, and what was
//! missed.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The data it was measured on.
    pub set: String,
    /// What was measured.
    pub measure: String,
    /// The number, mostly a share from 0 to 1.
    pub value: f64,
    /// Over how many rows.
    pub rows: usize,
    /// What it should be.
    pub aim: Aim,
}

/// What a figure should be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
    /// The more the better.
    High,
    /// The less the better.
    Low,
    /// Neither is better.
    Either,
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

impl Figure {
    /// Whether it is what it should be; `None` when that was not said.
    #[must_use]
    pub fn is_reached(&self) -> Option<bool> {
        match self.aim {
            Aim::AtLeast(least) => Some(self.value >= least),
            Aim::AtMost(most) => Some(self.value <= most),
            Aim::High | Aim::Low | Aim::Either => None,
        }
    }

    /// How much worse it is than an earlier figure of the same measure; negative
    /// when it is better.
    #[must_use]
    pub fn worse_than(&self, earlier: f64) -> f64 {
        match self.aim {
            Aim::AtLeast(_) | Aim::High => earlier - self.value,
            Aim::AtMost(_) | Aim::Low => self.value - earlier,
            Aim::Either => 0.0,
        }
    }
}

impl Report {
    pub(super) fn figure(
        &mut self,
        set: &str,
        measure: &str,
        (value, rows): (f64, usize),
        aim: Aim,
    ) {
        let (set, measure) = (set.to_owned(), measure.to_owned());
        self.figures.push(Figure { set, measure, value, rows, aim });
    }

    pub(super) fn extend(&mut self, more: Self) {
        self.figures.extend(more.figures);
        self.misses.extend(more.misses);
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, "at least {least}"),
            Self::AtMost(most) => write!(f, "at most {most}"),
            Self::High | Self::Low | Self::Either => Ok(()),
        }
    }
}

/// A part of a whole, with how large the whole is.
pub(super) fn share(part: usize, whole: usize) -> (f64, usize) {
    (part as f64 / whole.max(1) as f64, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, aim: Aim) -> Figure {
        Figure { set: String::new(), measure: String::new(), value, rows: 1, aim }
    }

    #[test]
    fn a_figure_is_compared_in_the_direction_of_its_aim() {
        assert_eq!(figure(0.5, Aim::AtLeast(0.5)).is_reached(), Some(true));
        assert_eq!(figure(0.6, Aim::AtMost(0.5)).is_reached(), Some(false));
        assert_eq!(figure(0.6, Aim::Low).is_reached(), None);
        assert!(figure(0.5, Aim::High).worse_than(0.75) > 0.2);
        assert!(figure(0.5, Aim::AtMost(1.0)).worse_than(0.25) > 0.2);
        assert!(figure(0.5, Aim::Low).worse_than(0.75) < 0.0);
        assert!(figure(0.5, Aim::Either).worse_than(0.0) <= 0.0);
    }
}
