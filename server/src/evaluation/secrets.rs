//! How many secrets are found, and how often something else is taken for one.
//!
//! A secret counts as found when findings cover half of it or more: data differs
//! in whether a user name, a prefix or a quote belongs to it. Exact spans are
//! counted apart.

use super::{Aim, Miss, Report, figure::share, rows};
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
        let (found, exact) = (tally.found, tally.exact);
        report.figure(set, "recall", share(found, tally.secrets), Aim::High);
        report.figure(set, "recall, exact", share(exact, tally.secrets), Aim::High);
        if tally.clean > 0 {
            report.figure(set, "false positives", share(tally.alarms, tally.clean), Aim::Low);
        }
        all.add(tally);
    }
    let (recall, alarms) = (share(all.found, all.secrets), share(all.alarms, all.clean));
    report.figure("secrets", "recall", recall, Aim::AtLeast(0.85));
    report.figure("secrets", "false positives", alarms, Aim::AtMost(0.02));
    reported(&scanner, data, &mut report)?;
    Ok(report)
}

/// What people reported of comparable guards: right is what they expected.
fn reported(scanner: &Scanner, data: &Path, report: &mut Report) -> io::Result<()> {
    let set = "issue-reports (secret)";
    let rows = rows::read::<Row>(data, "issue-reports")?;
    let rows: Vec<_> = rows.into_iter().filter(|row| row.area == "secret").collect();
    let before = report.misses.len();
    for row in &rows {
        let (mut tally, mut missed) = (Tally::default(), Vec::new());
        let row_is_clean = row.expected.is_empty();
        judge(scanner, set, row, &mut tally, &mut missed);
        let found = scanner.find(&row.text);
        if row_is_clean && !found.is_empty() {
            missed.push(miss(set, row, "nothing", &found));
        }
        report.misses.extend(missed.into_iter().take(1));
    }
    let right = rows.len().saturating_sub(report.misses.len().saturating_sub(before));
    report.figure("issue-reports", "secrets right", share(right, rows.len()), Aim::High);
    Ok(())
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
