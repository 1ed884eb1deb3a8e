//! Generates from the descriptors what every request and response shares:
//! checks of requests, access to the outcome of responses, and the form in
//! which scripts see messages.
//!
//! Runs in the build script, where a broken contract may as well panic.
//!
//! What a request must fulfil stands in its comments: `Required.` as the first
//! word, `at most N bytes`, `a JSON object`, `a JSON value`.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "runs at build time, over our own contract"
)]

mod contract;
mod described;
mod fields;
mod names;
mod response;
mod script_form;
mod validate;

pub(crate) use contract::contract;
