//! What users reported of comparable guards: quotations with the right answer.

use super::{DEFAULT_THRESHOLD, Error};
use crate::{
    evaluation::{Figure, Miss, Report, Target},
    middleware::prompt_injection::{score::Scorer, train::DataError},
};
use serde::Deserialize;
use std::{fs, path::Path};

#[derive(Deserialize)]
struct Written {
    text: String,
    area: String,
    label: Option<String>,
}

/// Judges the reports about injection.
pub(super) fn measure(data: &Path, scorer: &Scorer, report: &mut Report) -> Result<(), Error> {
    let path = data.join("issue-reports").join("dev.jsonl");
    let text = fs::read_to_string(&path)
        .map_err(|source| DataError::Unreadable { path: path.clone(), source })?;
    let (mut right, mut rows) = (0_usize, 0_usize);
    for (at, line) in text.lines().enumerate() {
        let written: Written = serde_json::from_str(line).map_err(|source| DataError::NoRow {
            path: path.clone(),
            line: at + 1,
            source,
        })?;
        if written.area != "injection" {
            continue;
        }
        rows += 1;
        let score = scorer.judge(&written.text).score;
        let got = if score >= DEFAULT_THRESHOLD { "injection" } else { "benign" };
        let expected = written.label.unwrap_or_default();
        if got == expected {
            right += 1;
        } else {
            let got = format!("{got} ({score:.2})");
            report.misses.push(Miss {
                set: "issue-reports".into(),
                text: written.text,
                expected,
                got,
            });
        }
    }
    report.figures.push(Figure {
        set: "issue-reports".into(),
        measure: "injection: right".into(),
        value: right as f64 / rows.max(1) as f64,
        rows,
        target: Some(Target::AtLeast(0.95)),
    });
    Ok(())
}
