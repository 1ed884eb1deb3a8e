//! The figures, where the data is present.

use super::*;
use crate::evaluation::Target;
use std::path::PathBuf;

/// The data beside the repository, or `None`, said plainly.
#[expect(clippy::print_stderr, reason = "a test says that it is skipped")]
fn data() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let data = root.join("../shared/data/detectors");
    if !data.is_dir() {
        eprintln!("skipped: there is no data at `{}`", data.display());
        return None;
    }
    Some(data)
}

#[track_caller]
fn check_reached(report: &Report) {
    for figure in &report.figures {
        let reached = match figure.target {
            Some(Target::AtLeast(least)) => figure.value >= least,
            Some(Target::AtMost(most)) => figure.value <= most,
            None => true,
        };
        assert!(reached, "{figure:?}");
    }
}

#[test]
fn the_weights_that_ship_reach_their_targets() {
    let Some(data) = data() else { return };
    let report = shipped(&data).unwrap();
    assert!(report.figures.len() > 10);
    check_reached(&report);
}

/// Trains 16 models.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation; run with --release")]
fn the_training_reaches_its_targets_on_rows_and_sources_it_has_not_seen() {
    let Some(data) = data() else { return };
    let report = evaluate(&data).unwrap();
    check_reached(&report);
}

#[test]
fn the_threshold_lets_no_more_than_the_share_through() {
    let row = |attack| Row {
        set: "s".into(),
        text: String::new(),
        attack,
        by_context: false,
        group: String::new(),
        weight: 1.0,
    };
    let rows = [row(false), row(false), row(false), row(false), row(true)];
    let scores = [0.1, 0.2, 0.9, 0.3, 0.5];
    let judged = Judged { rows: &rows, scores: &scores, threshold: 0.0 };
    let at = |share| Judged { threshold: judged.threshold_at(share), ..judged };
    assert_eq!(at(0.25).found(|row| !row.attack), (0.25, 4));
    assert_eq!(at(0.25).found(|row| row.attack), (1.0, 1));
    assert_eq!(at(0.0).found(|row| !row.attack), (0.0, 4));
}
