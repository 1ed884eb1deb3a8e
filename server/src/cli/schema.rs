//! `sidehook schema`: the JSON schemas of what people write, for editors.

use super::{Failed, output};
use crate::{
    cases::{self, Contract},
    config, middleware,
};

/// Prints the JSON schema of the configuration. An editor that knows it
/// completes and checks the file:
/// `# yaml-language-server: $schema=sidehook.schema.json`.
#[derive(Debug, clap::Args)]
pub(super) struct Schema {
    /// Prints the schema of case files instead; see `sidehook test --help`.
    #[arg(long)]
    cases: bool,
}

impl Schema {
    pub(super) fn run(&self) -> Result<(), Failed> {
        let schema = if self.cases {
            let contract = Contract::load().map_err(|error| Failed::new(error.to_string()))?;
            cases::json_schema(&contract).map_err(|error| Failed::new(error.to_string()))?
        } else {
            config::json_schema(&middleware::schemas())
        };
        Ok(output::print(&format!("{schema:#}"))?)
    }
}
