//! What endangers the machine, or the files of the people who use it.

mod accounts;
pub(super) mod delete;
mod disk;
mod files;
mod judge;
mod network;
mod permissions;
mod power;

pub(super) use files::written;
pub(super) use judge::judge;
