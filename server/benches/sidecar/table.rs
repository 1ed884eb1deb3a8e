//! Prints rows of a Markdown table as they come.

use super::{
    Error,
    compare::{Compared, Pair},
};
use std::io::{self, Write};

/// What ratios should be; `None` where nothing is asked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Targets {
    /// At most so many times the baseline's.
    pub(crate) p50: Option<f64>,
    /// At least so many times the baseline's.
    pub(crate) throughput: Option<f64>,
}

/// A table on standard output.
pub(crate) struct Table(io::Stdout);

impl Table {
    /// Prints the head.
    pub(crate) fn start() -> Result<Self, Error> {
        let mut table = Self(io::stdout());
        table.row(["What", "Measure", "Echo", "Sidehook", "Ratio", "Target", "Met"])?;
        table.row(["---", "---", "---:", "---:", "---:", "---:", "---"])?;
        Ok(table)
    }

    /// Prints what a comparison came to.
    pub(crate) fn compared(
        &mut self,
        what: &str,
        compared: &Compared,
        targets: Targets,
    ) -> Result<(), Error> {
        let Compared { p50, throughput, processor, .. } = compared;
        let is_below = |limit| (format!("≤ {limit:.2}"), p50.ratio <= limit);
        self.pair(what, "p50, 1 caller", p50, micros, targets.p50.map(is_below))?;
        let is_above = |limit| (format!("≥ {limit:.2}"), throughput.ratio >= limit);
        let met = targets.throughput.map(is_above);
        self.pair(what, "calls/s, 64 callers", throughput, thousands, met)?;
        self.pair(what, "server CPU per call", processor, micros, None)
    }

    /// Prints a value that has no baseline, and whether it is at most `limit`.
    pub(crate) fn alone(
        &mut self,
        what: &str,
        measure: &str,
        (value, limit): (f64, f64),
        unit: &str,
    ) -> Result<(), Error> {
        let (seen, target) = (format!("{value:.1} {unit}"), format!("≤ {limit} {unit}"));
        self.row([what, measure, "", &seen, "", &target, yes(value <= limit)])
    }

    fn pair(
        &mut self,
        what: &str,
        measure: &str,
        pair: &Pair,
        shown: fn(f64) -> String,
        target: Option<(String, bool)>,
    ) -> Result<(), Error> {
        let (baseline, subject) = (shown(pair.baseline), shown(pair.subject));
        let (target, met) = target.map_or(("".into(), ""), |(text, met)| (text, yes(met)));
        self.row([what, measure, &baseline, &subject, &format!("{:.2}", pair.ratio), &target, met])
    }

    fn row(&mut self, cells: [&str; 7]) -> Result<(), Error> {
        writeln!(self.0, "| {} |", cells.join(" | "))?;
        Ok(self.0.flush()?)
    }
}

fn yes(met: bool) -> &'static str {
    if met { "yes" } else { "no" }
}

fn micros(seconds: f64) -> String {
    format!("{:.1} µs", seconds * 1e6)
}

fn thousands(per_second: f64) -> String {
    format!("{:.1}k", per_second / 1e3)
}
