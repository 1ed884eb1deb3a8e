//! Cross-validation: what the training does on rows, and on sources, that it
//! has not seen.

use super::{Judged, Row, is, sets};
use crate::{
    evaluation::{Aim, Report},
    middleware::prompt_injection::{
        DEFAULT_THRESHOLD,
        score::Scorer,
        train::{Document, Settings, own, train},
    },
};

const FOLDS: u64 = 5;

/// The rows as documents, and our own examples, which are learned from always.
struct Material<'a> {
    rows: &'a [Row],
    documents: Vec<Document>,
    own: Vec<Document>,
}

/// Measures by five folds of groups, and by leaving out one source at a time.
pub(super) fn cross_validated(rows: &[Row]) -> Report {
    let sets: Vec<String> = sets(rows).into_iter().collect();
    let number = |set: &String| sets.iter().position(|it| it == set).unwrap_or_default();
    let source = |row: &Row| u32::try_from(number(&row.set)).unwrap_or_default();
    let material = Material {
        rows,
        documents: rows.iter().map(|row| Document::new(&row.example(source(row)))).collect(),
        own: own(63).iter().map(Document::new).collect(),
    };
    let mut report = Report::default();
    let folds = material.scores(FOLDS, |row| fold(&row.group));
    by_fold(rows, &folds, &mut report);
    let count = sets.len() as u64;
    let sources = material.scores(count, |row| source(row).into());
    by_source(rows, &sources, &sets, &mut report);
    report
}

impl Material<'_> {
    /// Scores each part of the rows by a model that was trained on the others.
    fn scores(&self, parts: u64, part: impl Fn(&Row) -> u64) -> Vec<f64> {
        let mut scores = vec![0.0; self.rows.len()];
        for left_out in 0..parts {
            let rows = self.rows.iter().zip(&self.documents);
            let learned = rows.filter(|(row, _)| part(row) != left_out && !row.by_context);
            let learned = learned.map(|(_, document)| document).chain(&self.own);
            let scorer = Scorer::with(train(&learned.collect::<Vec<_>>(), &Settings::default()));
            let rows = self.rows.iter().zip(&mut scores);
            for (row, score) in rows.filter(|(row, _)| part(row) == left_out) {
                *score = scorer.judge(&row.text).score.into();
            }
        }
        scores
    }
}

/// The fold of a group: the same everywhere.
fn fold(group: &str) -> u64 {
    let hash = group.bytes().fold(7_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(13)
    });
    hash % FOLDS
}

fn by_fold(rows: &[Row], scores: &[f64], report: &mut Report) {
    let judged = Judged { rows, scores, threshold: DEFAULT_THRESHOLD.into() };
    let at_1 = Judged { threshold: judged.threshold_at(0.01), ..judged };
    let mut figure = |set: &str, measure: &str, value, aim| {
        report.figure(set, &format!("5-fold: {measure}"), value, aim);
    };
    let attack = |row: &Row| is(row, true);
    let at_least = Aim::AtLeast(0.88);
    figure("injection", "recall at 1 % false positives", at_1.found(attack), at_least);
    let threshold = (at_1.threshold, rows.len());
    figure("injection", "threshold at 1 % false positives", threshold, Aim::Either);
    let by_context = at_1.found(|row| row.attack && row.by_context);
    figure("injection, by context", "recall at 1 % false positives", by_context, Aim::High);
    figure("injection", "recall", judged.found(attack), Aim::High);
    figure("injection", "false positives", judged.found(|row| is(row, false)), Aim::Low);
    judged.precision("5-fold", report);
    for set in sets(rows) {
        judged.figures("5-fold", &set, report);
    }
    report.misses.extend(judged.misses("5-fold"));
}

fn by_source(rows: &[Row], scores: &[f64], sets: &[String], report: &mut Report) {
    let judged = Judged { rows, scores, threshold: DEFAULT_THRESHOLD.into() };
    let how = "leave one source out";
    let (found, alarms) = (judged.found(|row| is(row, true)), judged.found(|row| is(row, false)));
    report.figure("injection", &format!("{how}: recall"), found, Aim::AtLeast(0.60));
    report.figure("injection", &format!("{how}: false positives"), alarms, Aim::AtMost(0.06));
    for set in sets {
        judged.figures(how, set, report);
    }
    report.misses.extend(judged.misses(how));
}
