//! Evaluates all guards.

use super::{Aim, Report, commands, figure::share, injection, pii, secrets};
use serde::Serialize;
use std::{io, path::Path};

/// What was found of one guard.
#[derive(Debug, Clone, Serialize)]
pub struct Part {
    /// What it is about.
    pub name: &'static str,
    /// What was found.
    pub report: Report,
}

/// Where each guard leaves what it makes of reported texts.
const REPORTED: &str = "issue-reports";

/// Measures every guard on the sets below `data`; sets that are not there have no
/// figures. Says what it begins with. Takes about half a minute in a release build,
/// most of it for the training.
///
/// # Errors
///
/// The data cannot be read.
pub fn evaluate(data: &Path, begin: impl FnMut(&'static str)) -> io::Result<Vec<Part>> {
    with(data, begin, [pii::evaluate, secrets::evaluate, injection::evaluate, commands::evaluate])
}

/// As [`evaluate`], with these evaluations of the guards.
pub(super) fn with(
    data: &Path,
    mut begin: impl FnMut(&'static str),
    evaluations: [fn(&Path) -> io::Result<Report>; 4],
) -> io::Result<Vec<Part>> {
    let mut parts = Vec::new();
    let names = ["Personal data", "Secrets", "Prompt injection", "Commands"];
    for (name, evaluate) in names.into_iter().zip(evaluations) {
        begin(name);
        parts.push(Part { name, report: evaluate(data)? });
    }
    let report = reported(&mut parts);
    parts.push(Part { name: "What people reported of comparable guards", report });
    for part in &mut parts {
        part.report.figures.retain(|figure| figure.rows > 0);
    }
    Ok(parts)
}

/// Takes out what each guard made of reported texts, and adds them up.
fn reported(parts: &mut [Part]) -> Report {
    let mut all = Report::default();
    for part in parts {
        let report = std::mem::take(&mut part.report);
        let (theirs, own) = report.figures.into_iter().partition(|it| it.set == REPORTED);
        let (missed, others) =
            report.misses.into_iter().partition(|it| it.set.starts_with(REPORTED));
        all.extend(Report { figures: theirs, misses: missed });
        part.report = Report { figures: own, misses: others };
    }
    let rows: usize = all.figures.iter().map(|figure| figure.rows).sum();
    let right = rows.saturating_sub(all.misses.len());
    all.figure(REPORTED, "right", share(right, rows), Aim::AtLeast(0.95));
    all
}
