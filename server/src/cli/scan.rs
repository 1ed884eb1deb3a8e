//! `sidehook scan`: what the guards of a configuration find in files.

mod files;
mod finders;
mod found;
mod pieces;
mod units;

use super::{ConfigFile, Failed, block_on, compile, output};
use clap::ValueEnum;
use files::{Input, inputs};
use finders::Finders;
use found::Tally;
use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

/// What a file or a configuration that is wrong exits with.
const EXIT_WRONG: u8 = 2;

/// Lists or masks what the guards of a configuration find in files: personal data,
/// secrets and prompt injections. Folders are searched as git sees them; files that
/// are no text are passed over. Exits with 0 if nothing was found, with 1 if
/// something was, and with 2 if a file or the configuration is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Scan {
    /// Files and folders; standard input without any, and for `-`.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    config: ConfigFile,

    /// Only what these guards find, by their names in the configuration.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// What the files are. JSON stays JSON when it is masked, and the names of its
    /// members count.
    #[arg(long = "as", value_name = "KIND", default_value = "auto")]
    kind: Kind,

    /// How findings are printed.
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "mask")]
    format: Format,

    /// Prints what is found as well, which is a secret most of the time.
    #[arg(long, conflicts_with = "mask")]
    show: bool,

    /// Prints the masked text instead of findings.
    #[arg(long)]
    mask: bool,

    /// With `--mask`, writes files back instead of printing them.
    #[arg(long, requires = "mask")]
    in_place: bool,

    /// Exits with 0 although something was found.
    #[arg(long)]
    exit_zero: bool,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// By the ending of its name, else by how it begins.
    Auto,
    /// Text.
    Text,
    /// One JSON document.
    Json,
    /// A JSON document on each line.
    Jsonl,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each finding, and a table of how many.
    Text,
    /// One JSON document.
    Json,
}

const EXAMPLES: &str = "\
Examples:
  sidehook scan .                                  what the embedded default finds here
  sidehook scan --config sidehook.yaml logs/       what your own guards find
  sidehook scan --only secrets --format json src   for a CI job; exits with 1 on a finding
  kubectl logs pod | sidehook scan --mask          a log without what nobody should read
  sidehook scan --mask --in-place tickets.jsonl    mask a file where it is";

impl Scan {
    pub(super) fn run(self) -> Result<(), Failed> {
        let compiled = compile(self.config.config.as_deref())
            .map_err(|failed| Failed::with(EXIT_WRONG, failed.message))?;
        let finders = Finders::of(&compiled, &self.only)
            .map_err(|message| Failed::with(EXIT_WRONG, message))?;
        let inputs = inputs(&self.paths).map_err(|message| Failed::with(EXIT_WRONG, message))?;
        if self.mask && !self.in_place && inputs.len() > 1 {
            let message = "several files cannot be printed as one; add `--in-place`";
            return Err(Failed::with(EXIT_WRONG, message));
        }
        let tally = block_on(self.go_through(&finders, inputs))?;
        self.conclude(&tally)
    }

    async fn go_through(&self, finders: &Finders<'_>, inputs: Vec<Input>) -> Result<Tally, Failed> {
        let mut tally = Tally::default();
        let (count, shows) = (inputs.len(), io::stderr().is_terminal() && inputs.len() > 1);
        for (number, input) in inputs.iter().enumerate() {
            if shows {
                progress(number + 1, count);
            }
            let done = match self.mask {
                true => finders.mask(input, self.kind, self.in_place, &mut tally),
                false => finders.list(input, self.kind, self.show, &mut tally).await,
            };
            if let Err(problem) = done {
                tally.problem(input, &problem);
            }
            if self.format == Format::Text {
                for line in tally.take_lines() {
                    output::print(&line)?;
                }
            }
        }
        if shows {
            progress(0, 0);
        }
        Ok(tally)
    }

    /// Says how many were found, and what the process exits with.
    fn conclude(&self, tally: &Tally) -> Result<(), Failed> {
        match self.format {
            Format::Json => output::print(&tally.as_json().to_string())?,
            Format::Text if self.mask => {}
            Format::Text => output::error(&tally.summary()),
        }
        let problems = tally.problems();
        if !problems.is_empty() {
            return Err(Failed::with(EXIT_WRONG, problems));
        }
        match tally.total() {
            0 => Ok(()),
            _ if self.mask || self.exit_zero => Ok(()),
            _ => Err(Failed::with(1, "")),
        }
    }
}

/// Shows how far it is, on one line that is written over.
fn progress(number: usize, count: usize) {
    let mut error = io::stderr().lock();
    let _unseen = match count {
        0 => write!(error, "\r\x1b[K"),
        _ => write!(error, "\r\x1b[K{number} of {count} files"),
    };
    let _unseen = error.flush();
}
