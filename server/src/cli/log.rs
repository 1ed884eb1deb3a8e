//! Where the process's own log goes, and how it looks.

use super::Failed;
use crate::config::file::{Log, LogFormat};
use std::io::IsTerminal;
use tracing_subscriber::{EnvFilter, fmt};

/// Overrides the configured level, with the syntax of `tracing`'s filters.
const FILTER: &str = "SIDEHOOK_LOG";

/// Logs to standard error from now on.
pub(super) fn start(log: &Log) -> Result<(), Failed> {
    let filter = match std::env::var(FILTER) {
        Ok(filter) => EnvFilter::try_new(filter)
            .map_err(|error| Failed::usage(format!("{FILTER} is no filter: {error}")))?,
        Err(_) => EnvFilter::new(log.level.name()),
    };
    let lines = fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    let started = match log.format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    started.map_err(|error| Failed::new(format!("cannot log: {error}")))?;
    // A middleware's panic is a fault, which is logged as one; the default
    // message would say it a second time, without its run.
    std::panic::set_hook(Box::new(|panic| tracing::error!(%panic, "panicked")));
    Ok(())
}
