//! Cases: recorded hook calls, and what the chains of a configuration must say to them.
//!
//! ```text
//! *.case.yaml ─ read ─ Case ─ run ─ Verdict
//!               places   request, expected    a sidecar behind a real socket
//! ```

mod bytes;
mod case;
mod compare;
mod contract;
mod door;
mod expected;
mod field;
mod find;
mod load;
mod read;
mod request;
mod run;
mod schema;
mod shown;
mod text;
mod wrapped;

pub(crate) use self::{
    case::{Case, CaseFile},
    contract::Contract,
    find::find,
    load::{Loaded, load},
    run::{Bench, Verdict},
    schema::json_schema,
    text::{in_words, summary},
};
