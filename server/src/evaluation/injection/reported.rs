//! What people reported of comparable guards: quotations with the right answer.

use super::DEFAULT_THRESHOLD;
use crate::{
    evaluation::{Aim, Miss, Report, figure::share, rows},
    middleware::prompt_injection::score::Scorer,
};
use serde::Deserialize;
use std::{io, path::Path};

#[derive(Deserialize)]
struct Written {
    text: String,
    area: String,
    label: Option<String>,
}

/// Judges the reports about injection.
pub(super) fn reported(data: &Path, scorer: &Scorer, report: &mut Report) -> io::Result<()> {
    let set = "issue-reports";
    let (mut right, mut count) = (0_usize, 0_usize);
    for written in rows::read::<Written>(data, set)? {
        if written.area != "injection" {
            continue;
        }
        count += 1;
        let score = scorer.judge(&written.text).score;
        let got = if score >= DEFAULT_THRESHOLD { "injection" } else { "benign" };
        let expected = written.label.unwrap_or_default();
        if got == expected {
            right += 1;
        } else {
            let (set, got) = (format!("{set} (injection)"), format!("{got} ({score:.2})"));
            report.misses.push(Miss { set, text: written.text, expected, got });
        }
    }
    report.figure(set, "injection right", share(right, count), Aim::High);
    Ok(())
}
