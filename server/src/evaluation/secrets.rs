//! How many secrets are found, and how often something else is taken for one.
//!
//! A secret counts as found when findings cover half of it or more: data differs
//! in whether a user name, a prefix or a quote belongs to it. Exact spans are
//! counted apart.

use super::{Figure, Miss, Report, Target, rows};
use crate::middleware::secrets::{Finding, Rules, Scanner};
use serde::Deserialize;
use std::{io, path::Path};

/// What a row of the data says.
#[derive(Debug, Deserialize)]
struct Row {
    text: String,
    #[serde(default)]
    expected: Vec<Expected>,
    /// Nothing may be found in it.
    #[serde(default)]
    clean: bool,
    #[serde(default)]
    area: String,
    #[serde(default)]
    rule: String,
}

/// Where a secret stands, in characters; some rows do not know.
#[derive(Debug, Deserialize)]
struct Expected {
    start: Option<usize>,
    end: Option<usize>,
}

const SETS: [&str; 4] =
    ["secrets-gitleaks", "secrets-kingfisher", "secrets-noseyparker", "secrets-detect-secrets"];

/// How the secrets of one set fared.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    secrets: usize,
    found: usize,
    exact: usize,
    clean: usize,
    alarms: usize,
}

/// Measures the detector of secrets on the data in `data`.
///
/// # Errors
///
/// The data cannot be read, or a rule cannot.
pub fn evaluate(data: &Path) -> io::Result<Report> {
    let scanner = Scanner::new(Rules::shared().map_err(io::Error::other)?);
    let mut report = Report::default();
    let mut all = Tally::default();
    for set in SETS {
        let mut tally = Tally::default();
        for row in rows::read::<Row>(data, set)? {
            judge(&scanner, set, &row, &mut tally, &mut report.misses);
        }
        let share = |count| ratio(count, tally.secrets);
        report.figures.push(figure(set, "recall", share(tally.found), tally.secrets, None));
        report.figures.push(figure(set, "exact", share(tally.exact), tally.secrets, None));
        all.add(tally);
    }
    let recall = ratio(all.found, all.secrets);
    let at_least = Some(Target::AtLeast(0.85));
    report.figures.push(figure("secrets", "recall", recall, all.secrets, at_least));
    let alarms = ratio(all.alarms, all.clean);
    let at_most = Some(Target::AtMost(0.02));
    report.figures.push(figure("secrets", "false positives", alarms, all.clean, at_most));
    report.figures.push(reported(&scanner, data, &mut report.misses)?);
    Ok(report)
}

/// What people reported to other detectors: right is what they expected.
fn reported(scanner: &Scanner, data: &Path, misses: &mut Vec<Miss>) -> io::Result<Figure> {
    let set = "issue-reports (secret)";
    let rows = rows::read::<Row>(data, "issue-reports")?;
    let rows: Vec<_> = rows.into_iter().filter(|row| row.area == "secret").collect();
    let before = misses.len();
    for row in &rows {
        let (mut tally, mut missed) = (Tally::default(), Vec::new());
        let row_is_clean = row.expected.is_empty();
        judge(scanner, set, row, &mut tally, &mut missed);
        let found = scanner.find(&row.text);
        if row_is_clean && !found.is_empty() {
            missed.push(miss(set, row, "nothing", &found));
        }
        misses.extend(missed.into_iter().take(1));
    }
    let right = rows.len().saturating_sub(misses.len().saturating_sub(before));
    Ok(figure(set, "right", ratio(right, rows.len()), rows.len(), Some(Target::AtLeast(0.95))))
}

fn judge(scanner: &Scanner, set: &str, row: &Row, tally: &mut Tally, misses: &mut Vec<Miss>) {
    let found = scanner.find(&row.text);
    let places: Vec<usize> =
        row.text.char_indices().map(|(at, _)| at).chain([row.text.len()]).collect();
    let byte = |at: Option<usize>| places.get(at?).copied();
    for expected in &row.expected {
        let (Some(start), Some(end)) = (byte(expected.start), byte(expected.end)) else { continue };
        let shared =
            |found: &Finding<'_>| found.end.min(end).saturating_sub(found.start.max(start));
        let covered: usize = found.iter().map(shared).sum();
        tally.secrets += 1;
        tally.exact += usize::from(found.iter().any(|f| (f.start, f.end) == (start, end)));
        if covered > 0 && covered * 2 >= end.saturating_sub(start) {
            tally.found += 1;
        } else {
            misses.push(miss(set, row, row.text.get(start..end).unwrap_or_default(), &found));
        }
    }
    if row.clean {
        tally.clean += 1;
        tally.alarms += usize::from(!found.is_empty());
        if !found.is_empty() {
            misses.push(miss(set, row, "nothing", &found));
        }
    }
}

fn miss(set: &str, row: &Row, expected: &str, found: &[Finding<'_>]) -> Miss {
    let set = if row.rule.is_empty() { set.into() } else { format!("{set}: {}", row.rule) };
    let got = found.iter().map(|found| {
        format!("{} {:?}", found.service, row.text.get(found.start..found.end).unwrap_or_default())
    });
    Miss {
        set,
        text: row.text.clone(),
        expected: expected.into(),
        got: got.collect::<Vec<_>>().join(", "),
    }
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.secrets += other.secrets;
        self.found += other.found;
        self.exact += other.exact;
        self.clean += other.clean;
        self.alarms += other.alarms;
    }
}

fn figure(set: &str, measure: &str, value: f64, rows: usize, target: Option<Target>) -> Figure {
    Figure { set: set.into(), measure: measure.into(), value, rows, target }
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows are small")]
fn ratio(count: usize, rows: usize) -> f64 {
    count as f64 / rows.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was measured when this was committed.
    const COMMITTED: [(&str, &str, f64); 7] = [
        ("secrets-gitleaks", "recall", 0.993),
        ("secrets-kingfisher", "recall", 0.881),
        ("secrets-noseyparker", "recall", 0.727),
        ("secrets-detect-secrets", "recall", 0.603),
        ("secrets", "recall", 0.889),
        ("secrets", "false positives", 0.019),
        ("issue-reports (secret)", "right", 0.889),
    ];

    #[test]
    fn the_figures_are_not_worse_than_the_committed_ones() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/detectors");
        if !data.exists() {
            #[expect(clippy::print_stderr, reason = "says that nothing was tested")]
            {
                eprintln!("skipped: there is no data at {}", data.display());
            }
            return;
        }
        let report = evaluate(&data).unwrap();
        for (set, measure, committed) in COMMITTED {
            let figure = |figure: &&Figure| figure.set == set && figure.measure == measure;
            let value = report.figures.iter().find(figure).unwrap().value;
            let worse =
                if measure == "false positives" { value - committed } else { committed - value };
            assert!(worse < 0.005, "{set}, {measure}: {value:.3}, committed {committed:.3}");
        }
    }
}
