//! Sidehook.
