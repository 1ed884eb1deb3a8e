//! Tests of whole programs, which run in QuickJS.

mod builtins;
mod exports;
mod folder;
mod imports;
mod origins;
mod problems;
mod runtime;
mod types;
