//! Measures `prompt_injection`: the weights that ship, and the training by
//! cross-validation.
//!
//! The weights that ship were trained on all rows, so that on the same rows
//! only cross-validation says how they do on others: by groups of near twins,
//! and on a source that the training has not seen.

mod crossed;
mod issues;
#[cfg(test)]
mod tests;

use super::{Figure, Miss, Report, Target};
use crate::middleware::prompt_injection::{
    DEFAULT_THRESHOLD,
    score::{BadWeights, Scorer},
    train::{DataError, Row, rows},
};
use std::{collections::BTreeSet, path::Path};

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The weights that ship are damaged.
    #[error(transparent)]
    Weights(#[from] BadWeights),
}

/// Measures everything. Takes about a quarter of a minute in a release build.
///
/// # Errors
///
/// [`Error`] when the data is not there or cannot be read.
pub fn evaluate(data: &Path) -> Result<Report, Error> {
    let mut report = shipped(data)?;
    let more = crossed::cross_validated(&rows(data)?);
    report.figures.extend(more.figures);
    report.misses.extend(more.misses);
    Ok(report)
}

/// Measures the weights that ship.
///
/// # Errors
///
/// As for [`evaluate`].
pub fn shipped(data: &Path) -> Result<Report, Error> {
    let scorer = Scorer::new()?;
    let rows = rows(data)?;
    let scores: Vec<f64> = rows.iter().map(|row| scorer.judge(&row.text).score.into()).collect();
    let judged = Judged { rows: &rows, scores: &scores, threshold: DEFAULT_THRESHOLD.into() };
    let mut report = Report::default();
    for set in sets(&rows) {
        report.figures.extend(judged.figure("shipped", &set, false));
        report.figures.extend(judged.figure("shipped", &set, true));
    }
    issues::measure(data, &scorer, &mut report)?;
    Ok(report)
}

fn sets(rows: &[Row]) -> BTreeSet<String> {
    rows.iter().map(|row| row.set.clone()).collect()
}

/// Rows with their scores.
#[derive(Debug, Clone, Copy)]
struct Judged<'a> {
    rows: &'a [Row],
    scores: &'a [f64],
    threshold: f64,
}

impl Judged<'_> {
    /// The share of the rows that are found, and how many there are.
    fn found(&self, wanted: impl Fn(&Row) -> bool) -> (f64, usize) {
        let rows = self.rows.iter().zip(self.scores).filter(|(row, _)| wanted(row));
        let found: Vec<bool> = rows.map(|(_, score)| *score >= self.threshold).collect();
        let count = found.iter().filter(|found| **found).count();
        (count as f64 / found.len().max(1) as f64, found.len())
    }

    /// A set's recall, or its false positives.
    fn figure(&self, how: &str, set: &str, benign: bool) -> Option<Figure> {
        let wanted = |row: &Row| row.set == set && row.attack != benign && !row.by_context;
        let (value, rows) = self.found(wanted);
        let what = if benign { "false positives" } else { "recall" };
        let target = (benign && set == "injection-notinject").then_some(Target::AtMost(0.03));
        let measure = format!("{how}: {what}");
        (rows > 0).then(|| Figure { set: set.to_owned(), measure, value, rows, target })
    }

    /// The threshold that this share of the harmless rows reaches.
    fn threshold_at(&self, share: f64) -> f64 {
        let benign = self.rows.iter().zip(self.scores).filter(|(row, _)| !row.attack);
        let mut scores: Vec<f64> = benign.map(|(_, score)| *score).collect();
        scores.sort_by(|one, two| two.total_cmp(one));
        let allowed = (scores.len() as f64 * share) as usize;
        // Just above the first that may not be found any more.
        scores.get(allowed).map_or(0.0, |score| score.next_up())
    }

    fn misses(&self, how: &str) -> Vec<Miss> {
        let rows = self.rows.iter().zip(self.scores);
        let wrong = rows
            .filter(|(row, score)| !row.by_context && (**score >= self.threshold) != row.attack);
        let word = |attack: bool| if attack { "injection" } else { "benign" };
        wrong
            .map(|(row, score)| Miss {
                set: format!("{} ({how})", row.set),
                text: row.text.clone(),
                expected: word(row.attack).into(),
                got: format!("{} ({score:.2})", word(!row.attack)),
            })
            .collect()
    }
}
