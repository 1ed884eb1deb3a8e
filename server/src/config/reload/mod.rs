//! A changed configuration is taken up without a restart.
//!
//! ```text
//! files ─ seen ─ load ─ reloader ─ Sidecar::install
//!         stat   compile  fixed: what only a restart changes
//! ```
//!
//! Changes are found by looking, not by being told: that sees a write in place, a file that is
//! moved over another, the swap of a symbolic link as Kubernetes makes it, and a change behind a
//! bind mount alike.

mod fingerprint;
mod fixed;
mod load;
mod reloader;
mod seen;
#[cfg(test)]
mod tests;

pub use fixed::Fixed;
pub use load::{Loaded, Unloadable, load};
pub use reloader::Reloader;
pub use seen::Seen;
