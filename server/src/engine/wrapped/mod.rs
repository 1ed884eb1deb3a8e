//! Runs a chain around a call: links nest, and each may make the real call
//! never, once or again.

mod exchange;
mod guarded;
mod next;
mod onion;
mod port;
mod sink;

#[cfg(test)]
mod tests;

pub use exchange::{Exchange, ExchangeError, FrameKind};
pub use next::{Inner, Next, WrapError};
pub use onion::{Ran, Streaming, run};
pub use port::{Port, PortError};
pub use sink::{Outlet, Sink, StreamUse};
