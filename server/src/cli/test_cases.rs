//! `sidehook test`: runs the cases of guard authors against their configuration.

use super::{Failed, block_on, output};
use crate::cases::{self, Bench, Contract, Loaded, Verdict};
use clap::ValueEnum;
use serde_json::{Value, json};
use std::path::PathBuf;

/// What a file or a configuration that is wrong exits with.
const EXIT_WRONG: u8 = 2;

/// Runs cases: hook calls with what the chains of a configuration must say to
/// them. Every file `*.case.yaml` below a folder is read, and each case runs
/// through a sidecar in this process, on a real socket. Exits with 0 if all
/// passed, with 1 if one did not, and with 2 if a file or a configuration is
/// wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct TestCases {
    /// Folders and case files.
    #[arg(value_name = "DIR", required = true)]
    paths: Vec<PathBuf>,

    /// Runs only the cases with this text in their name or their file's path.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// What is printed for a case: words, or one JSON object on a line.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

const EXAMPLE: &str = r#"A case file, money.case.yaml:
  config: sidehook.yaml          # absent: the nearest one, else the embedded default
  cases:
    - name: a large refund needs a person
      hook: before_tool_call
      context: { agent_name: support }
      request: { tool_call: { name: refund, arguments: { amount: 500 } } }
      expect:
        answer: { decision: ask, reason: { matches: "(?i)person" } }

docs/testing.md says what else a case may say, and `sidehook schema --cases` prints the JSON
schema for editors."#;

impl TestCases {
    pub(super) fn run(self) -> Result<(), Failed> {
        let wrong = |error: &dyn std::fmt::Display| Failed::with(EXIT_WRONG, error.to_string());
        let contract = Contract::load().map_err(|error| wrong(&error))?;
        let found = cases::find(&self.paths).map_err(|error| wrong(&error))?;
        let mut loaded = cases::load(&found, &contract).map_err(|error| wrong(&error))?;
        if let Some(filter) = &self.filter {
            for (file, _) in &mut loaded.files {
                if !file.file.display().to_string().contains(filter) {
                    file.cases.retain(|case| case.name.contains(filter));
                }
            }
            if loaded.files.iter().all(|(file, _)| file.cases.is_empty()) {
                return Err(wrong(&format!("no case has `{filter}` in its name or path")));
            }
        }
        let failed = block_on(self.play(&contract, loaded))?;
        if failed == 0 { Ok(()) } else { Err(Failed::with(1, "")) }
    }

    /// Runs every case, and returns how many failed.
    async fn play(&self, contract: &Contract, loaded: Loaded) -> Result<usize, Failed> {
        let mut benches = Vec::new();
        for compiled in loaded.configs {
            let bench = Bench::start(contract, compiled).await;
            benches.push(bench.map_err(|error| Failed::new(error.to_string()))?);
        }
        let (mut passed, mut failed) = (0, 0);
        for (file, config) in &loaded.files {
            let Some(bench) = benches.get_mut(*config) else { continue };
            for case in &file.cases {
                let verdict = bench.run(case).await;
                *(if verdict.failed.is_none() { &mut passed } else { &mut failed }) += 1;
                output::print(&match self.format {
                    Format::Text => cases::in_words(file, case, &verdict),
                    Format::Json => as_json(file, case, &verdict).to_string(),
                })?;
            }
        }
        for bench in &benches {
            bench.finish().await;
        }
        if self.format == Format::Text {
            output::print(&cases::summary(passed, failed))?;
        }
        Ok(failed)
    }
}

fn as_json(file: &cases::CaseFile, case: &cases::Case, verdict: &Verdict) -> Value {
    let mut object = json!({
        "file": file.file.display().to_string(),
        "line": case.place.line,
        "name": case.name,
        "passed": verdict.failed.is_none(),
    });
    if let (Some(failed), Some(object)) = (&verdict.failed, object.as_object_mut()) {
        let differences = failed
            .differences
            .iter()
            .map(|it| json!({ "path": it.path, "expected": it.expected, "got": it.got }));
        object.insert("step".into(), failed.step.unwrap_or(1).into());
        object.insert("hook".into(), failed.hook.name().into());
        object.insert("differences".into(), differences.collect());
        object.insert("links".into(), failed.links.clone().into());
    }
    object
}
