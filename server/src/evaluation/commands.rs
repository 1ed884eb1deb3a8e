//! How good `commands` is: how much danger it finds, and how often it is in the
//! way.
//!
//! A dangerous command counts as found when anything is found in it, so that it
//! is denied or asked about. A safe one counts as refused when something
//! dangerous is found in it, and as asked about when there is only a caution.

use super::{
    Figure, Miss, Report,
    Target::{AtLeast, AtMost},
    rows,
};
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
        let targets = [AtLeast(0.98), AtMost(0.02)].map(|target| aimed.then_some(target));
        let [found, refused] = targets;
        let rows = [
            ("dangerous found", self.found, self.dangerous, found),
            ("safe refused", self.refused, self.safe, refused),
            ("safe asked about", self.asked, self.safe, None),
        ];
        let rows = rows.into_iter().filter(|(_, _, rows, _)| *rows > 0);
        report.figures.extend(rows.map(|(measure, count, rows, target)| Figure {
            set: set.into(),
            measure: measure.into(),
            value: share(count, rows),
            rows,
            target,
        }));
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
    let wrong = report.misses.len().saturating_sub(before);
    report.figures.push(Figure {
        set: "issue-reports (shell)".into(),
        measure: "right".into(),
        value: share(rows.len().saturating_sub(wrong), rows.len()),
        rows: rows.len(),
        target: Some(AtLeast(0.95)),
    });
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
    let figure = |measure: &str, time: Option<Duration>, target| Figure {
        set: "shell-dcg".into(),
        measure: format!("microseconds, {measure}"),
        value: time.unwrap_or_default().as_secs_f64() * 1e6,
        rows: times.len(),
        target,
    };
    let most = times.last().copied();
    Ok(vec![
        figure("median", at(50), None),
        figure("99 of 100", at(99), Some(AtMost(40.0))),
        figure("most", most, None),
    ])
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows are small")]
fn share(count: usize, rows: usize) -> f64 {
    count as f64 / rows.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was measured when this was committed.
    const COMMITTED: [(&str, &str, f64); 10] = [
        ("shell (host)", "dangerous found", 0.990),
        ("shell (host)", "safe refused", 0.0),
        ("shell (host)", "safe asked about", 0.089),
        ("shell (git)", "dangerous found", 0.971),
        ("shell (git)", "safe refused", 0.0),
        ("shell (git)", "safe asked about", 0.069),
        ("shell (service)", "dangerous found", 0.982),
        ("shell (service)", "safe refused", 0.010),
        ("shell (service)", "safe asked about", 0.017),
        ("issue-reports (shell)", "right", 1.0),
    ];

    #[test]
    #[expect(clippy::print_stderr, reason = "a test says that it is skipped")]
    fn the_figures_are_not_worse_than_the_committed_ones() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/detectors");
        if !data.exists() {
            eprintln!("skipped: there is no data at {}", data.display());
            return;
        }
        let report = evaluate(&data).unwrap();
        for (set, measure, committed) in COMMITTED {
            let figure = |figure: &&Figure| figure.set == set && figure.measure == measure;
            let value = report.figures.iter().find(figure).unwrap().value;
            let worse =
                if measure.starts_with("safe") { value - committed } else { committed - value };
            assert!(worse < 0.005, "{set}, {measure}: {value:.3}, committed {committed:.3}");
        }
    }
}
