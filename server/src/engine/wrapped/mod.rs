//! Runs a chain around a call: links nest, and each may make the real call
//! never, once or again.

mod audit;
mod exchange;
mod guarded;
mod next;
mod notes;
mod onion;
mod port;
mod relay;
mod sink;

#[cfg(test)]
mod tests;

pub use exchange::{Exchange, ExchangeError, FrameKind};
pub use next::{Inner, Next, Unrepeatable, WrapError};
pub use notes::Ran;
pub use onion::run;
pub use port::{Port, PortError};
pub use relay::Streaming;
pub use sink::{Outlet, Sink, StreamUse};
