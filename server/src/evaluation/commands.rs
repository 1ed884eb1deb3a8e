//! How good `commands` is: how much danger it finds, and how often it is in the
//! way.
//!
//! A dangerous command counts as found when anything is found in it, so that it
//! is denied or asked about. A safe one counts as refused when something
//! dangerous is found in it, and as asked about when there is only a caution.

use super::{Aim, Figure, Miss, Report, figure::share, rows};
use crate::middleware::commands::{Checker, Severity};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    hint, io,
    path::Path,
    time::{Duration, Instant},
};

/// A command with what is true of it.
#[derive(Debug, Deserialize)]
struct Row {
    text: String,
    #[serde(default)]
    label: String,
    #[serde(default)]
    tier: String,
    #[serde(default)]
    area: String,
}

/// What is counted of a set's rows of one tier.
#[derive(Debug, Default)]
struct Counts {
    dangerous: usize,
    found: usize,
    safe: usize,
    refused: usize,
    asked: usize,
}

/// The sets that tell their rows apart by tier.
const TIERED: [&str; 2] = ["shell-dcg", "shell-shellfirm"];

/// Measures what is found in the sets below `data`.
///
/// # Errors
///
/// When a set cannot be read.
pub fn evaluate(data: &Path) -> io::Result<Report> {
    let checker = Checker::default();
    let mut report = Report::default();
    let mut tiers: BTreeMap<(String, String), Counts> = BTreeMap::new();
    for set in TIERED {
        for row in rows::read::<Row>(data, set)? {
            let miss = count(
                &checker,
                set,
                &row,
                tiers.entry((row.tier.clone(), set.into())).or_default(),
            );
            report.misses.extend(miss);
        }
    }
    for tier in ["host", "git", "service"] {
        let mut whole = Counts::default();
        for (_, counts) in tiers.iter().filter(|((of, _), _)| of == tier) {
            whole.add(counts);
        }
        whole.figures(&format!("shell ({tier})"), tier == "host", &mut report);
    }
    for ((tier, set), counts) in &tiers {
        counts.figures(&format!("{set} ({tier})"), false, &mut report);
    }
    reported(&checker, data, &mut report)?;
    Ok(report)
}

/// Counts a row; what is said of it if that is not its label.
fn count(checker: &Checker, set: &str, row: &Row, counts: &mut Counts) -> Option<Miss> {
    let found = checker.text(&row.text);
    let refused = found.iter().any(|finding| finding.severity == Severity::Dangerous);
    let asked = !found.is_empty() && !refused;
    let right = match row.label.as_str() {
        "dangerous" => {
            counts.dangerous = counts.dangerous.saturating_add(1);
            counts.found = counts.found.saturating_add(usize::from(refused || asked));
            refused || asked
        }
        "safe" => {
            counts.safe = counts.safe.saturating_add(1);
            counts.refused = counts.refused.saturating_add(usize::from(refused));
            counts.asked = counts.asked.saturating_add(usize::from(asked));
            !refused && !asked
        }
        // A caution may be found or not.
        _ => true,
    };
    let rules: Vec<_> = found.iter().map(|finding| finding.rule).collect();
    (!right).then(|| Miss {
        set: format!("{set} ({})", row.tier),
        text: row.text.clone(),
        expected: row.label.clone(),
        got: match (refused, asked) {
            (true, _) => format!("refused: {}", rules.join(", ")),
            (_, true) => format!("asked about: {}", rules.join(", ")),
            _ => "nothing".into(),
        },
    })
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.dangerous = self.dangerous.saturating_add(other.dangerous);
        self.found = self.found.saturating_add(other.found);
        self.safe = self.safe.saturating_add(other.safe);
        self.refused = self.refused.saturating_add(other.refused);
        self.asked = self.asked.saturating_add(other.asked);
    }

    fn figures(&self, set: &str, aimed: bool, report: &mut Report) {
        let (found, refused) = match aimed {
            true => (Aim::AtLeast(0.98), Aim::AtMost(0.02)),
            false => (Aim::High, Aim::Low),
        };
        for (measure, count, rows, aim) in [
            ("dangerous found", self.found, self.dangerous, found),
            ("safe refused", self.refused, self.safe, refused),
            ("safe asked about", self.asked, self.safe, Aim::Low),
        ] {
            if rows > 0 {
                report.figure(set, measure, share(count, rows), aim);
            }
        }
    }
}

/// The quotations from bug reports: each has one right answer.
fn reported(checker: &Checker, data: &Path, report: &mut Report) -> io::Result<()> {
    let rows = rows::read::<Row>(data, "issue-reports")?;
    let rows: Vec<_> = rows.into_iter().filter(|row| row.area == "shell").collect();
    let before = report.misses.len();
    let misses =
        rows.iter().filter_map(|row| count(checker, "issue-reports", row, &mut Counts::default()));
    report.misses.extend(misses);
    let right = rows.len().saturating_sub(report.misses.len().saturating_sub(before));
    report.figure("issue-reports", "shell right", share(right, rows.len()), Aim::High);
    Ok(())
}

/// Measures how long a check takes, in microseconds.
///
/// # Errors
///
/// When the set cannot be read.
pub fn speed(data: &Path) -> io::Result<Vec<Figure>> {
    let checker = Checker::default();
    let rows = rows::read::<Row>(data, "shell-dcg")?;
    let time = |row: &Row| {
        let once = || {
            let start = Instant::now();
            hint::black_box(checker.text(hint::black_box(&row.text)));
            start.elapsed()
        };
        // The least of a few: the others measure what else the machine does.
        (0..5).map(|_| once()).min().unwrap_or_default()
    };
    let mut times: Vec<_> = rows.iter().map(time).collect();
    times.sort_unstable();
    let at = |share: usize| times.get(times.len().saturating_mul(share) / 100).copied();
    let figure = |measure: &str, time: Option<Duration>, aim| Figure {
        set: "shell-dcg".into(),
        measure: format!("a command, {measure} (µs)"),
        value: time.unwrap_or_default().as_secs_f64() * 1e6,
        rows: times.len(),
        aim,
    };
    let most = times.last().copied();
    Ok(vec![
        figure("median", at(50), Aim::Low),
        figure("99 of 100", at(99), Aim::AtMost(40.0)),
        figure("longest", most, Aim::Low),
    ])
}
