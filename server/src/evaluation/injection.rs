//! Measures `prompt_injection`: the weights that ship, and the training by
//! cross-validation.
//!
//! The weights that ship were trained on all rows, so that on the same rows
//! only cross-validation says how they do on others: by groups of near twins,
//! and on a source that the training has not seen.

mod crossed;
mod reported;
mod rows;
#[cfg(test)]
mod tests;

pub use rows::{Row, rows};

use super::{Aim, Miss, Report, figure::share};
use crate::middleware::prompt_injection::{DEFAULT_THRESHOLD, score::Scorer};
use std::{collections::BTreeSet, io, path::Path};

/// Measures everything. Takes about a quarter of a minute in a release build.
///
/// # Errors
///
/// The data is not there or cannot be read.
pub fn evaluate(data: &Path) -> io::Result<Report> {
    let mut report = shipped(data)?;
    report.extend(crossed::cross_validated(&rows(data)?));
    Ok(report)
}

/// Measures the weights that ship.
///
/// # Errors
///
/// As for [`evaluate`].
pub fn shipped(data: &Path) -> io::Result<Report> {
    let scorer = Scorer::new().map_err(io::Error::other)?;
    let rows = rows(data)?;
    let scores: Vec<f64> = rows.iter().map(|row| scorer.judge(&row.text).score.into()).collect();
    let judged = Judged { rows: &rows, scores: &scores, threshold: DEFAULT_THRESHOLD.into() };
    let mut report = Report::default();
    for set in sets(&rows) {
        judged.figures("shipped", &set, &mut report);
    }
    reported::reported(data, &scorer, &mut report)?;
    Ok(report)
}

/// Whether a row is an attack by its words, or harmless.
fn is(row: &Row, attack: bool) -> bool {
    row.attack == attack && !(attack && row.by_context)
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
        share(found.iter().filter(|found| **found).count(), found.len())
    }

    /// A set's recall and its false positives.
    fn figures(&self, how: &str, set: &str, report: &mut Report) {
        let found = |attack| self.found(|row| row.set == set && is(row, attack));
        let aim = if set == "injection-notinject" { Aim::AtMost(0.03) } else { Aim::Low };
        for (measure, found, aim) in
            [("recall", found(true), Aim::High), ("false positives", found(false), aim)]
        {
            if found.1 > 0 {
                report.figure(set, &format!("{how}: {measure}"), found, aim);
            }
        }
    }

    /// How much of what is found is an attack, and that and the recall as one.
    fn precision(&self, how: &str, report: &mut Report) {
        let caught = |attack| {
            let (share, rows) = self.found(|row| is(row, attack));
            share * rows as f64
        };
        let (hits, alarms) = (caught(true), caught(false));
        let (recall, rows) = self.found(|row| is(row, true));
        let precision = hits / (hits + alarms).max(1.0);
        let both = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
        report.figure("injection", &format!("{how}: precision"), (precision, rows), Aim::High);
        report.figure("injection", &format!("{how}: F1"), (both, rows), Aim::High);
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
