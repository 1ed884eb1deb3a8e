//! Messages in the form in which scripts see them: plain objects.
//!
//! [`ScriptForm`] is generated for regular messages by
//! `proto/codegen/script_form.rs`; those with a oneof stand in [`chat`],
//! [`response`], [`result`] and [`event`]. A [`ScriptWriter`] writes JSON text
//! that the script's engine parses, and [`parse_answer`] with a
//! [`ScriptReader`] reads what it gives back.
//!
//! What a `*_json` field holds is a *payload*. It is spliced into the text as
//! it is, and the [`Payloads`] of a call remember it, so that a value that the
//! script did not touch goes back as the text that it came as.

mod anew;
mod chat;
mod event;
mod form;
mod index;
mod inspect;
mod marks;
mod members;
mod misread;
mod numbers;
mod parse;
mod payloads;
mod reader;
mod response;
mod result;
mod text;
mod writer;

pub(crate) use members::Shape;

pub use form::{ScriptEnum, ScriptForm, ScriptValue};
pub use marks::Marks;
pub use misread::Misread;
pub use parse::parse_answer;
pub use payloads::{PAYLOAD_MARK, Payloads};
pub use reader::ScriptReader;
pub use writer::{ScriptWriter, Written};

#[cfg(test)]
mod tests;
