//! What `commands` finds, and what it lets pass.

mod arguments;
mod code;
mod data;
mod disguise;
mod git;
mod host;
mod hostile;
mod middleware;
mod service;
mod support;
