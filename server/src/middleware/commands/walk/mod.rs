//! Follows what a text runs, through pipes, wrappers and other languages.

mod check;
mod code;
mod fallback;
mod find;
mod input;
mod interpreter;
mod known;
mod program;
mod shell;
mod tokens;
mod wrappers;

pub use check::Checker;
