//! Middleware: the trait that all of it shares, and the kinds that ship.

pub(crate) mod any;
mod audit;
pub mod cache;
pub mod commands;
mod contract;
mod failures;
pub mod fallback;
pub(crate) mod finder;
pub(crate) mod json;
mod kinds;

pub mod pii;
#[cfg(test)]
mod played;
pub mod prompt_injection;
mod pseudonym;
mod record;
pub mod retry;
mod rules;
mod script;
pub mod secrets;
pub(crate) mod texts;

pub use any::{AnyAnswer, AnyRequest};
pub use audit::{Audit, AuditConfig};
pub use commands::{Commands, CommandsConfig};
pub use contract::{Middleware, Reply, Wrapped};
pub use failures::Failures;
pub use finder::{Finder, Found, Mask};
pub use kinds::{Build, KINDS, Kind, Made, Misfit, Part, Written, schemas};
pub use pseudonym::{HashKey, KeySource};
pub use record::{Record, RecordOutcome};
pub use rules::{Misplaced, Rules, RulesConfig};
