//! The `sidehook` binary.

use clap::Parser;
use sidehook_server::cli::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    Arguments::parse().run()
}
