//! `script`: middleware in TypeScript or JavaScript. A file is middleware as it
//! is: its types are stripped, and it runs in a QuickJS runtime of its own, on a
//! thread of its own, within limits.
//!
//! - `source/` makes modules of files, with positions of the source in errors.
//! - `thread/` is a script's runtime and event loop; `js/` is its JavaScript half.
//! - `standard/` holds the objects of the web that scripts expect.
//! - The rest is the middleware: what a script gets, and what its answers mean.

mod answer;
mod build;
mod config;
mod fault;
mod found;
mod handle;
mod input;
mod limits;
mod middleware;
mod pool;
mod sink;
mod source;
mod standard;
mod thread;
#[cfg(test)]
mod types;
mod wrapped;

pub(super) use build::build;
pub(super) use config::ScriptConfig;
