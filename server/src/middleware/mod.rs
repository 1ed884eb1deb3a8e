//! Middleware: the trait that all of it shares, and the kinds that ship.

mod any;
mod middleware;
mod record;

pub use any::{AnyAnswer, AnyRequest, fields_of};
pub use middleware::{Middleware, Reply, Wrapped};
pub use record::{Record, RecordOutcome};
