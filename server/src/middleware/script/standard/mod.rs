//! The objects of the web platform that a script expects on `globalThis`.
//!
//! Each object is compiled when a script first touches it, since most scripts use few of them and
//! every script has a runtime of its own.
//! The JavaScript beside this file reaches the engine only through what `install.js` captured, so
//! that a script that changes `Array.prototype` or a global does not change these objects.

mod bytes;
mod console;
mod crypto;
mod install;
mod level;
mod reflect;
mod units;
mod url;

pub(crate) use install::install;
pub(crate) use level::Level;

#[cfg(test)]
mod tests;
