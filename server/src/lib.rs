//! A gRPC sidecar that runs agent middleware.
//!
//! `ARCHITECTURE.md` in the repository says how the parts fit together. To build
//! your own binary with your own middleware, see [`middleware::Middleware`] and
//! the example `custom_middleware`.

mod cases;
pub mod cli;
pub mod config;
pub mod engine;
pub mod evaluation;
pub mod hooks;
pub mod middleware;
mod redaction;
pub mod replay;
pub mod runs;
pub mod service;
