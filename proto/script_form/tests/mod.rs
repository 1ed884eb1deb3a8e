//! Tests of the script form: each rule, each irregular message, and that
//! whatever a script does not touch comes back as it was.

mod chat;
mod coverage;
mod event;
mod javascript;
mod kept;
mod numbers_kept;
mod payload;
mod response;
mod result;
mod round_trip;
mod rules;
mod strategy;
mod writer;
