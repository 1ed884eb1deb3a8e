//! Runs chains of middleware over hooks and combines what they answer.
//!
//! Pure: it takes data and middleware and returns what was decided. It knows no
//! socket, file, configuration or log sink, and a middleware's failure never
//! becomes an error here: it becomes an outcome, by the link's fault policy.

mod applies;
mod chains;
pub(crate) mod condition;
mod context;
mod fault;
mod link;
mod report;
mod run;
mod timed;
mod wrapped;

#[cfg(test)]
mod tests;

pub use chains::{Chains, Selected};
pub use condition::{Condition, ConditionError, Variables};
pub use context::{Call, Context, RunWatch, State};
pub use fault::{Fault, FaultKind, OnFault};
pub use link::{AgentScope, Counters, Layer, Link, Mode, Policies};
pub use report::{Detail, Step, Steps};
pub use run::{MAX_REASON_CHARACTERS, Ran, cut, run};
pub use wrapped::{
    Exchange, ExchangeError, FrameKind, Inner, Next, Outlet, Port, PortError, Ran as RanWrapped,
    Sink, StreamUse, Streaming, Unrepeatable, WrapError, run as run_wrapped,
};
