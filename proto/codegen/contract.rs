//! Puts `contract.rs` together.

use super::{
    described::{described, reachable},
    fields::fields,
    names::{field, type_name},
    response::{changed_fields, response},
    script_form::script_forms,
    validate::validate,
};
use prost_types::FileDescriptorSet;
use std::fmt::Write;

/// What comes from a model's provider is passed on as it is, however broken,
/// so nothing inside these is checked.
pub(super) const UNCHECKED: [&str; 4] = ["Message", "ChatRequest", "ChatResponse", "ToolOutcome"];

/// Fields of answers that the chain fills, not a middleware.
pub(super) const FILLED_BY_CHAIN: [&str; 2] = ["decided_by", "plan"];

/// The text of `contract.rs`.
pub(crate) fn contract(set: &FileDescriptorSet) -> String {
    let messages = described(set);
    let mut out = String::new();
    let in_requests = reachable(&messages, &[]);
    for (name, message) in &messages {
        if in_requests.contains(name) {
            fields(&mut out, name, message.message);
        }
        if name.ends_with("Request") || reachable(&messages, &UNCHECKED).contains(*name) {
            validate(&mut out, &messages, name, message);
        }
        if name.ends_with("Request")
            && message.message.field.iter().any(|field| field.name() == "context")
            && messages.contains_key(name.replace("Request", "Answer").as_str())
        {
            let response = name.replace("Request", "Response");
            let _ = writeln!(
                out,
                "impl HookRequest for v1::{name} {{ type Response = v1::{response}; fn context(&self) -> Option<&v1::HookContext> {{ self.context.as_ref() }} \
                 fn take_context(&mut self) -> v1::HookContext {{ self.context.take().unwrap_or_default() }} }}"
            );
        }
        if let Some(answer) = field(message.message, "answer") {
            response(&mut out, name, message.message, type_name(answer));
        }
        if name.ends_with("Answer") {
            changed_fields(&mut out, name, message.message);
        }
    }
    script_forms(&mut out, set, &messages);
    out
}
