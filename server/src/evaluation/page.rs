//! Writes `docs/detection.md`.

mod reasons;

use super::{Aim, Figure, Part};
use reasons::{of_figure, of_report};
use std::fmt::{Error, Write};

/// Why the page cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// Something falls short, and nobody said why.
    #[error("no reason is given in `evaluation/page/reasons.rs` for: {}", .0.join("; "))]
    Unexplained(Vec<String>),
    /// The page cannot be put together.
    #[error(transparent)]
    Format(#[from] Error),
}

const HEAD: &str = "# Detection

How good the guards are, on test data by others.
The tables are written by the evaluation:

```console
cargo run --release -p sidehook-server --example evaluate -- --docs
```

It reads the sets below `../shared/data/detectors`, or another folder: `evaluate -- DIR`.
`--misses` lists every row that a guard gets wrong, `--json FILE` writes the figures, and `--check` fails when one is worse than the committed one by more than 0.005.
The data is not part of the repository.

Shares are from 0 to 1.
A personal datum counts as found when a finding of its kind meets it, and *exact* when both are the same to the character.
A secret counts as found when findings cover half of it or more.
A dangerous command counts as found when it is denied or asked about.
Of the validators' set, IBANs are judged with the other sets, and three rules are left out: `ethereum_checksum` and `monero_address`, which are not looked for, and `greece_amka_checksum`, whose rule is not the published one.
*Injection* counts attacks that are attacks by their words; those that only the place makes one (*by context*) are apart.
";

/// The page, from what was measured and how fast it went.
///
/// # Errors
///
/// Names what falls short without a reason.
pub fn page(parts: &[Part], speed: &[Figure]) -> Result<String, PageError> {
    let mut page = HEAD.to_owned();
    let all = || parts.iter().flat_map(|part| &part.report.figures).chain(speed);
    page.push_str("\n## Targets\n\n");
    table(&mut page, all().filter(|figure| figure.is_reached().is_some()))?;
    shortfalls(&mut page, parts, all())?;
    for part in parts {
        write!(page, "\n## {}\n\n", part.name)?;
        table(&mut page, part.report.figures.iter())?;
    }
    page.push_str("\n## Speed\n\n");
    page.push_str(
        "Of one core, on text in which there is nothing to find; the best of several.\n\n",
    );
    table(&mut page, speed.iter())?;
    Ok(page)
}

/// What is not what it should be, and why.
fn shortfalls<'a>(
    page: &mut String,
    parts: &[Part],
    figures: impl Iterator<Item = &'a Figure>,
) -> Result<(), PageError> {
    let mut unexplained = Vec::new();
    let mut lines = String::new();
    for figure in figures.filter(|figure| figure.is_reached() == Some(false)) {
        let what = format!("{}, {}", figure.set, figure.measure);
        match of_figure(&figure.set, &figure.measure) {
            Some(reason) => writeln!(lines, "- **{what}**: {reason}")?,
            None => unexplained.push(what),
        }
    }
    let misses = parts.iter().flat_map(|part| &part.report.misses);
    for miss in misses.filter(|miss| miss.set.starts_with("issue-reports")) {
        match of_report(&miss.text) {
            Some(reason) => writeln!(lines, "- **{}**: {reason}", miss.set)?,
            None => unexplained.push(format!("{}: {}", miss.set, miss.text)),
        }
    }
    if !unexplained.is_empty() {
        return Err(PageError::Unexplained(unexplained));
    }
    if !lines.is_empty() {
        write!(page, "\n## What falls short\n\n{lines}")?;
    }
    Ok(())
}

fn table<'a>(page: &mut String, figures: impl Iterator<Item = &'a Figure>) -> Result<(), Error> {
    page.push_str(
        "| Data | What | Rows | Figure | Target | |\n| --- | --- | ---: | ---: | --- | --- |\n",
    );
    for figure in figures {
        let Figure { set, measure, rows, .. } = figure;
        let value = match figure.value {
            value
                if matches!(figure.aim, Aim::AtLeast(aim) | Aim::AtMost(aim) if aim > 1.0)
                    || value > 1.0 =>
            {
                format!("{value:.1}")
            }
            value => format!("{value:.3}"),
        };
        let mark = match figure.is_reached() {
            Some(true) => "reached",
            Some(false) => "missed",
            None => "",
        };
        writeln!(page, "| {set} | {measure} | {rows} | {value} | {} | {mark} |", figure.aim)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{super::Report, *};

    fn part(value: f64) -> Part {
        let mut report = Report::default();
        report.figure("a set", "recall", (value, 10), Aim::AtLeast(0.9));
        Part { name: "A guard", report }
    }

    #[test]
    fn what_is_reached_stands_in_its_row() {
        let page = page(&[part(0.95)], &[]).unwrap();
        assert!(
            page.contains("| a set | recall | 10 | 0.950 | at least 0.9 | reached |"),
            "{page}"
        );
        assert!(!page.contains("falls short"));
    }

    #[test]
    fn what_falls_short_needs_a_reason() {
        let error = page(&[part(0.85)], &[]).unwrap_err().to_string();
        assert!(error.ends_with("for: a set, recall"), "{error}");
    }
}
