//! Measures the guards on other people's data, and prints a table.
//!
//! ```text
//! cargo run --release -p sidehook-server --example evaluate -- [DIR] [--json FILE] [--docs]
//! ```

use clap::Parser;
use sidehook_server::evaluation::{Figure, Part, evaluate, page, regressions, speed};
use std::{
    error::Error,
    fs,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// Measures the guards on other people's data, and prints a table.
#[derive(Debug, Parser)]
struct Arguments {
    /// The folder with the sets: `DIR/<set>/*.jsonl` and `*.jsonl.gz`.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/detectors"))]
    dir: PathBuf,
    /// Writes the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes docs/detection.md, and the figures that later ones are compared with.
    #[arg(long)]
    docs: bool,
    /// Fails when a figure is worse than the committed one.
    #[arg(long)]
    check: bool,
    /// Lists every row that a guard gets wrong, of the sets whose names hold this.
    #[arg(long, value_name = "SET", num_args = 0..=1, default_missing_value = "")]
    misses: Option<String>,
    /// Leaves out how fast the guards are.
    #[arg(long)]
    no_speed: bool,
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/detection.md");
const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/evaluation/figures.json");

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    if !arguments.dir.is_dir() {
        let dir = arguments.dir.display();
        writeln!(io::stderr(), "skipped: there is no data at {dir}")?;
        return Ok(if arguments.check { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let parts = evaluate(&arguments.dir, |guard| {
        let _closed = writeln!(io::stderr(), "measuring: {guard}");
    })?;
    let speed = if arguments.no_speed { Vec::new() } else { speed(&arguments.dir)? };
    let figures = || parts.iter().flat_map(|part| &part.report.figures);
    print(figures().chain(&speed))?;
    if let Some(set) = &arguments.misses {
        list(&parts, set)?;
    }
    if let Some(file) = &arguments.json {
        let all: Vec<&Figure> = figures().chain(&speed).collect();
        fs::write(file, serde_json::to_string_pretty(&all)? + "\n")?;
    }
    if arguments.docs {
        fs::write(PAGE, page(&parts, &speed)?)?;
        let all: Vec<&Figure> = figures().collect();
        fs::write(COMMITTED, serde_json::to_string_pretty(&all)? + "\n")?;
    }
    if !arguments.check {
        return Ok(ExitCode::SUCCESS);
    }
    let worse = regressions(&figures().collect::<Vec<_>>())?;
    for it in &worse {
        let (set, measure, was) = (&it.committed.set, &it.committed.measure, it.committed.value);
        let now = it.value.map_or("not measured".into(), |now| format!("{now:.3}"));
        writeln!(io::stderr(), "worse: {set}, {measure}: {now}, committed {was:.3}")?;
    }
    Ok(if worse.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print<'a>(figures: impl Iterator<Item = &'a Figure>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for figure in figures {
        let Figure { set, measure, value, rows, aim } = figure;
        let mark = match figure.is_reached() {
            Some(true) => "reached",
            Some(false) => "MISSED",
            None => "",
        };
        let aim = aim.to_string();
        writeln!(out, "{set:<32} {measure:<44} {rows:>6} {value:>9.3} {aim:<15} {mark}")?;
    }
    Ok(())
}

fn list(parts: &[Part], set: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let misses = parts.iter().flat_map(|part| &part.report.misses);
    for miss in misses.filter(|miss| miss.set.contains(set)) {
        writeln!(out, "\n{}\n  {:?}", miss.set, miss.text)?;
        writeln!(out, "  expected: {}\n  got:      {}", miss.expected, miss.got)?;
    }
    Ok(())
}
