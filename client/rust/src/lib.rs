//! The Rust client of Sidehook.
