//! How good the guards are, measured on other people's data.

pub mod commands;
mod figure;
pub mod injection;
pub mod pii;
mod pii_kinds;
mod rows;
pub mod secrets;

pub use figure::{Figure, Miss, Report, Target};
