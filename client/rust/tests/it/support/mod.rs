//! The other side of the wire, as a script.

mod call;
mod model;
mod sidecar;
mod socket;

pub(crate) use call::{Call, refused};
pub(crate) use model::{Model, delta, model_call, next, text};
pub(crate) use sidecar::Sidecar;
