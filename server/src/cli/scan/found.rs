//! What was found, how often, and what could not be looked at.

use super::{super::output, files::Input};
use serde_json::{Value, json};
use std::{collections::BTreeMap, io};

/// What was found in all files.
#[derive(Debug, Default)]
pub(super) struct Tally {
    findings: Vec<Value>,
    lines: Vec<String>,
    /// How often, by guard and by kind.
    counts: BTreeMap<(String, String), usize>,
    files: usize,
    with_findings: usize,
    /// Files that are no text.
    passed_over: Vec<String>,
    problems: Vec<String>,
}

/// One finding.
#[derive(Debug)]
pub(super) struct Finding<'a> {
    pub(super) guard: &'a str,
    pub(super) kind: String,
    /// From 1.
    pub(super) line: usize,
    /// In characters, from 1.
    pub(super) column: usize,
    /// What was found, if it is to be shown.
    pub(super) shown: Option<&'a str>,
}

impl Tally {
    /// A file was gone through, and so much was found.
    pub(super) fn file(&mut self, found: usize) {
        self.files += 1;
        self.with_findings += usize::from(found > 0);
    }

    pub(super) fn add(&mut self, input: &Input, finding: &Finding<'_>) {
        let Finding { guard, kind, line, column, shown } = finding;
        let text = shown.map(|text| format!(": {text:?}")).unwrap_or_default();
        self.lines.push(format!("{input}:{line}:{column}: {guard}: {kind}{text}"));
        let mut object = json!({
            "file": input.to_string(),
            "line": line,
            "column": column,
            "guard": guard,
            "kind": kind,
        });
        if let (Some(text), Some(object)) = (shown, object.as_object_mut()) {
            object.insert("text".into(), (*text).into());
        }
        self.findings.push(object);
        *self.counts.entry(((*guard).to_owned(), kind.clone())).or_default() += 1;
    }

    /// A file could not be looked at. One that is no text is passed over, unless it
    /// is standard input.
    pub(super) fn problem(&mut self, input: &Input, error: &io::Error) {
        match (error.kind(), input) {
            (io::ErrorKind::InvalidData, Input::File(_)) => {
                self.passed_over.push(input.to_string());
            }
            _ => self.problems.push(format!("`{input}` {error}")),
        }
    }

    /// The lines of what was found since they were last taken.
    pub(super) fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    pub(super) fn total(&self) -> usize {
        self.counts.values().sum()
    }

    pub(super) fn problems(&self) -> String {
        self.problems.join("\n")
    }

    /// How many of what, as a table with a line above.
    pub(super) fn summary(&self) -> String {
        let Self { files, with_findings, .. } = self;
        let mut text = format!("{} found in {with_findings} of {files} files", self.total());
        if !self.passed_over.is_empty() {
            text += &format!("; {} are no text", self.passed_over.len());
        }
        if self.counts.is_empty() {
            return text;
        }
        let rows = self
            .counts
            .iter()
            .map(|((guard, kind), count)| vec![count.to_string(), guard.clone(), kind.clone()]);
        let rows: Vec<_> = rows.collect();
        format!("{text}\n{}", output::table(&["count", "guard", "kind"], &rows))
    }

    pub(super) fn as_json(&self) -> Value {
        let counts = self
            .counts
            .iter()
            .map(|((guard, kind), count)| json!({ "guard": guard, "kind": kind, "count": count }));
        json!({
            "findings": self.findings,
            "counts": counts.collect::<Vec<_>>(),
            "files": self.files,
            "passed_over": self.passed_over,
        })
    }
}
