//! What endangers databases, containers, clouds and registries.

mod containers;
mod database;
mod deploy;
mod http;
mod judge;
mod packages;
mod protocol;
mod verbs;
mod words;

pub(super) use database::{mongo, redis, sql, statement};
pub(super) use judge::judge;
pub(super) use protocol::spoken;
