//! Finds keys, tokens and passwords in texts and masks them: in whole texts, in
//! JSON and in streams, with the same outcome.
//!
//! [`regions`] and [`cutter`] say where a text may be cut, so that no finding
//! crosses a cut. [`Scanner`] searches what lies between: one pass of an
//! automaton over it finds the words that a secret may stand at, and only there
//! is more looked at. What a finding depends on is bounded: `CONTEXT` bytes
//! before it, one byte after it.

mod assignment;
mod block;
mod bytes;
mod candidate;
mod checksum;
mod config;
mod connector;
mod cutter;
mod examples;
mod gate;
mod identifier;
mod login;
mod mask;
mod middleware;
mod password;
mod pattern;
mod placeholder;
mod random;
mod regions;
mod remember;
mod rules;
mod scanner;
mod stream;
#[cfg(test)]
mod texts;
mod token;
mod word;

pub use block::MAX_BLOCK;
pub use config::{SecretsConfig, SecretsLabel, SecretsMode};
pub use cutter::MAX_RUN;
pub use mask::{Counts, Masker, Style};
pub use middleware::Secrets;
pub use rules::Rules;
pub use scanner::{Finding, Scanner};
pub use stream::StreamMasker;
