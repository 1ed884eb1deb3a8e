//! `sidehook types`: the types of scripts, for editors.

use super::{Failed, output};

/// What scripts may use, with comments. Made from the contract by a test.
const TYPES: &str = include_str!("../../../examples/middleware/sidehook.d.ts");

/// Prints the TypeScript types of everything that a script can use. Save them
/// beside your scripts, and an editor completes and checks them:
/// `sidehook types > sidehook.d.ts`.
#[derive(Debug, clap::Args)]
pub(super) struct Types {}

impl Types {
    pub(super) fn run(&self) -> Result<(), Failed> {
        Ok(output::print(TYPES.trim_end())?)
    }
}
