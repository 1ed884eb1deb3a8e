//! Finds texts that try to take over an agent, in what users and other agents
//! write and in what tools return.
//!
//! [`score`] judges a text, [`train`] makes the weights that it uses. A
//! [`Detector`] is whatever judges texts for the middleware: today the scorer.

mod boundary;
mod config;
mod detector;
mod middleware;
pub mod score;
pub mod train;

pub use config::{Action, DEFAULT_THRESHOLD, InToolResult, Place, PromptInjectionConfig};
pub use detector::Detector;
pub use middleware::PromptInjection;
