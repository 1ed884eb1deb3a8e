//! `sidehook schema`: the JSON schema of the configuration, for editors.

use super::{Failed, output};
use crate::{config, middleware};

/// Prints the JSON schema of the configuration. An editor that knows it
/// completes and checks the file:
/// `# yaml-language-server: $schema=sidehook.schema.json`.
#[derive(Debug, clap::Args)]
pub(super) struct Schema {}

impl Schema {
    pub(super) fn run(&self) -> Result<(), Failed> {
        let schema = config::json_schema(&middleware::schemas());
        Ok(output::print(&format!("{schema:#}"))?)
    }
}
