//! The command line: one file per subcommand.

mod check;
mod demo;
mod health;
mod hooks;
mod log;
mod output;
mod scan;
mod schema;
mod serve;
mod test_cases;
mod types;

use crate::config::{
    self, Compiled, EMBEDDED, Problems,
    reload::{self, Unloadable},
};
use clap::{Parser, Subcommand};
use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// What a wrong configuration exits with: `EX_USAGE` of sysexits.
const EXIT_USAGE: u8 = 64;

/// A gRPC sidecar that runs agent middleware.
///
/// An agent calls one gRPC method per hook; the chains of middleware that the
/// configuration names answer. Without a subcommand it serves.
#[derive(Debug, Parser)]
#[command(name = "sidehook", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    serve: serve::Serve,
}

const EXAMPLES: &str = "\
Examples:
  sidehook                                 serve the embedded default on 127.0.0.1:50051
  sidehook serve --config sidehook.yaml    serve your own chains
  sidehook check sidehook.yaml             find every mistake, print every chain
  sidehook test .                          run the cases in *.case.yaml
  sidehook scan logs/                      list what the guards find in files
  sidehook demo                            watch a recorded agent go through the hooks
  grpcurl -plaintext 127.0.0.1:50051 list  look at what is served";

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves the hooks until SIGTERM or SIGINT.
    Serve(serve::Serve),
    /// Checks a configuration and prints the chain of each hook.
    Check(check::Check),
    /// Prints the JSON schema of the configuration, for editors.
    Schema(schema::Schema),
    /// Prints the TypeScript types of scripts, for editors.
    Types(types::Types),
    /// Prints the hooks: how answers combine, what a veto and a fault do.
    Hooks(hooks::Hooks),
    /// Runs cases: hook calls, and what the chains must say to them.
    Test(test_cases::TestCases),
    /// Lists or masks what the guards find in files.
    Scan(scan::Scan),
    /// Plays a recorded agent run and prints what each hook did.
    Demo(demo::Demo),
    /// Asks a sidecar whether it serves. Exits with 0 if it does, with 1 if not.
    Health(health::Health),
}

impl Arguments {
    /// Runs the subcommand and returns what the process exits with.
    #[must_use]
    pub fn run(self) -> ExitCode {
        let done = match self.command.unwrap_or(Command::Serve(self.serve)) {
            Command::Serve(serve) => serve.run(),
            Command::Check(check) => check.run(),
            Command::Schema(schema) => schema.run(),
            Command::Types(types) => types.run(),
            Command::Hooks(hooks) => hooks.run(),
            Command::Test(test) => test.run(),
            Command::Scan(scan) => scan.run(),
            Command::Demo(demo) => demo.run(),
            Command::Health(health) => health.run(),
        };
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(failed) => {
                // What has been said already needs no other word.
                if !failed.message.is_empty() {
                    output::error(&failed.message);
                }
                ExitCode::from(failed.code)
            }
        }
    }
}

/// Why a subcommand fails.
#[derive(Debug)]
struct Failed {
    message: String,
    code: u8,
}

impl Failed {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    fn with(code: u8, message: impl Into<String>) -> Self {
        Self { message: message.into(), code }
    }

    fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: EXIT_USAGE }
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<Unloadable> for Failed {
    fn from(error: Unloadable) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<Problems> for Failed {
    fn from(problems: Problems) -> Self {
        Self::usage(problems.to_string())
    }
}

/// The configuration file, from an option or the environment.
#[derive(Debug, Clone, clap::Args)]
struct ConfigFile {
    /// The configuration file. Without one, an embedded default runs: personal
    /// data and secrets are masked, prompt injection and dangerous commands are
    /// stopped.
    #[arg(long, short, value_name = "FILE", env = "SIDEHOOK_CONFIG")]
    config: Option<PathBuf>,
}

/// Compiles the configuration in `file`, or the embedded one.
fn compile(file: Option<&Path>) -> Result<Compiled, Failed> {
    let Some(path) = file else { return Ok(config::compile("the embedded default", EMBEDDED)?) };
    Ok(reload::load(path).compiled?)
}

/// Runs `work` on a runtime of its own. What still runs afterwards, such as a
/// client that hangs, does not hold up the end of the process.
fn block_on<T>(work: impl Future<Output = Result<T, Failed>>) -> Result<T, Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    done
}
