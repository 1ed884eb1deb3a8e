//! Wrapped calls: the order of frames, the nesting of links, streamed text, and
//! what faults do around a call.

pub(super) mod acted;
mod audit;
mod calls;
mod clock;
mod exchange;
mod faults;
mod model;
mod nesting;
mod played;
mod ports;
pub(super) mod poured;
mod streams;
pub(super) mod texts;
mod tools;
