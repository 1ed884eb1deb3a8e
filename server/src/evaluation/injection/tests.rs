//! How figures are counted.

use super::*;

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
