//! `commands`: finds commands that destroy a machine, lose work or delete what a
//! service holds, and denies them or has a person asked.
//!
//! A command is parsed as a shell would parse it (`syntax`), then followed
//! through what it runs (`walk`): pipes, wrappers such as `sudo`, substitutions,
//! and one-liners in other languages. Only what would run is judged (`host`,
//! `git`, `service`): a text that is printed, searched for or committed is not.

mod allowed;
mod arguments;
mod config;
mod finding;
mod git;
mod host;
mod middleware;
mod place;
mod rewrite;
mod service;
mod syntax;
mod tool;
mod walk;

#[cfg(test)]
mod tests;

pub use allowed::Allowed;
pub use config::{Action, CommandsConfig, Reasons, Rewrite, Unasked};
pub use finding::{Finding, Severity, Tier};
pub use middleware::Commands;
pub use walk::Checker;
