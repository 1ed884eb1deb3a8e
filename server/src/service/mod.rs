//! The gRPC services: what is the same for every hook is done once, in
//! `unary.rs` and `wrapped.rs`.

mod admin;
mod deadline;
mod decode;
mod events;
mod generations;
mod hooks;
mod listen;
mod recording;
mod server;
mod sidecar;
mod status;
mod unary;
mod wrapped;

pub use decode::DecodeErrorLayer;
pub use generations::{Generation, ReloadFailure};
pub use listen::{Listener, SocketFile};
pub use server::Server;
pub use sidecar::{Limits, Sidecar};
pub use status::{CallError, ERROR_DOMAIN};
pub use wrapped::Frames;

/// What serves the contract: [`Sidecar`] under a type of this crate that
/// clones.
#[derive(Debug, Clone)]
pub struct Service(pub std::sync::Arc<Sidecar>);
