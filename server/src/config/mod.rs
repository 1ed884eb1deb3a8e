//! The configuration: from one YAML file to typed values, or to every problem there is.
//!
//! ```text
//! text ─ document ─ schema::walk ─ check ─ serde ─ file::Config
//!        places     one value      several          what may be written
//! ```
//!
//! [`read`] does all of it. What needs the middleware itself, such as whether a pattern compiles,
//! comes later and is placed with [`Document::problem`].

mod address;
mod agent_pattern;
mod byte_size;
mod check;
mod document;
mod duration;
pub mod file;
mod format;
mod found;
mod kinds;
mod lower;
mod name;
mod path;
mod problem;
mod read;
pub mod reload;
#[cfg(test)]
mod sample_kinds;
mod schema;
mod sources;
mod version;

pub use self::{
    address::Address,
    agent_pattern::AgentPattern,
    byte_size::ByteSize,
    document::Document,
    duration::{Duration, Timeout},
    kinds::{KindSchema, Kinds},
    lower::{Compiled, EMBEDDED, compile, compile_from},
    name::Name,
    path::{Path, Segment},
    problem::{Complaint, Place, Problem, Problems},
    read::{ConfigFile, read},
    schema::json_schema,
    sources::Sources,
    version::Version,
};
pub(crate) use self::{
    lower::{compile_document, nearest},
    schema::ALIAS,
};
