//! What a script's return value means.
//!
//! Source: document 004, "The shape of a hook": one field is the value itself,
//! several are an object, none is ignored. Documents 000 and 001: an object, or
//! nothing.

use super::{
    fault::{Thrown, tripwire},
    source::Program,
};
use crate::{
    engine::Fault,
    hooks::{HookId, Named},
};
use serde_json::{Map, Value};
use sidehook_proto::{Answer, Outcome, Payloads, ScriptForm, ScriptReader, parse_answer, v1};

/// What came back from a script.
pub(super) enum Returned<'a> {
    /// Nothing: `undefined`.
    Nothing,
    /// A value, as JSON.
    Value(&'a str),
    /// What `tools.cancel` gives.
    Veto(v1::Veto),
    /// A tripwire.
    Tripwire(v1::Tripwire),
    /// The error that a use of `next` threw, as it was.
    Inner(u32),
}

/// Reads what the script's own half says: a letter, and JSON.
pub(super) fn returned<'a>(
    said: &'a str,
    hook: HookId,
    program: &Program,
) -> Result<Returned<'a>, Fault> {
    let (kind, rest) = said.split_at_checked(1).unwrap_or_default();
    Ok(match kind {
        "U" => Returned::Nothing,
        "A" => Returned::Value(rest),
        "V" => {
            let reason = serde_json::from_str(rest).unwrap_or_default();
            Returned::Veto(v1::Veto { reason, ..v1::Veto::default() })
        }
        "T" => Returned::Tripwire(tripwire(rest)),
        "I" => Returned::Inner(rest.parse().unwrap_or_default()),
        "L" => {
            return Err(Fault::malformed(format!(
                "answered with {rest} characters, more than its limit of output allows"
            )));
        }
        _ => return Err(Thrown::read(said, program).fault(&hook.script_name())),
    })
}

/// What `enabled` says. Anything is true or false in JavaScript; nothing is not.
pub(super) fn truth(said: &str, program: &Program) -> Result<bool, Fault> {
    Ok(match returned(said, HookId::Wrap, program)? {
        Returned::Value(json) => !matches!(json, "false" | "null" | "0" | "\"\""),
        _ => false,
    })
}

/// The outcome that a unary hook's return value means.
pub(super) fn outcome<H>(
    said: &str,
    payloads: &mut Payloads,
    program: &Program,
) -> Result<Outcome<H::Answer>, Fault>
where
    H: Named,
    H::Answer: ScriptForm + Answer,
{
    Ok(match returned(said, H::ID, program)? {
        Returned::Veto(veto) => Outcome::Veto(veto),
        Returned::Tripwire(tripwire) => Outcome::Tripwire(tripwire),
        Returned::Nothing if needs_value::<H>() => {
            return Err(Fault::malformed(
                "answered with undefined, but the hook has a field to fill; return the value \
                 that it got to leave it unchanged",
            ));
        }
        Returned::Nothing | Returned::Inner(_) => Outcome::none(),
        Returned::Value(json) => Outcome::Answer(value::<H>(json, payloads)?),
    })
}

/// Whether `undefined` is no answer: a platform's hook with a field to fill.
fn needs_value<H>() -> bool
where
    H: Named,
    H::Answer: ScriptForm,
{
    H::ID.is_platform() && !H::Answer::MEMBERS.is_empty()
}

fn value<H>(json: &str, payloads: &mut Payloads) -> Result<H::Answer, Fault>
where
    H: Named,
    H::Answer: ScriptForm + Answer,
{
    let names = H::Answer::MEMBERS;
    if names.is_empty() {
        return Ok(H::Answer::default());
    }
    let value = parse_answer(json).map_err(misfit)?;
    payloads.recall(&value);
    // Not into `extra`, which would replace the provider's other parameters.
    if let Value::Object(fields) = &value
        && let Some(unknown) = fields.keys().find(|key| !may_hold(H::ID, names, key))
    {
        let fields = shown(H::ID, names);
        return Err(misfit(format!("has no field `{unknown}`; it has {fields}")));
    }
    let object = match (names, value) {
        ([name], value) if H::ID.is_platform() => {
            if value.is_null() {
                return Err(misfit(format!("answered with null, not with its `{name}`")));
            }
            Value::Object(Map::from_iter([((*name).into(), value)]))
        }
        // Nothing, in the words of another language.
        (_, Value::Null) if !H::ID.is_platform() => return Ok(H::Answer::default()),
        (_, Value::Object(fields)) => Value::Object(as_written(H::ID, fields)?),
        (_, other) => {
            let what = type_of(&other);
            let fields = shown(H::ID, names);
            return Err(misfit(format!("answered with {what}, not with an object of {fields}")));
        }
    };
    H::Answer::read(object, &ScriptReader::new(payloads)).map_err(misfit)
}

/// Whether an answer may have the field `key`. Where one field is the value
/// itself, it may be any object.
fn may_hold(hook: HookId, names: &[&str], key: &str) -> bool {
    names.contains(&key)
        || names.iter().any(|name| key == documented(hook, name))
        || (hook.is_platform() && names.len() == 1)
}

/// An answer's fields, for its author.
fn shown(hook: HookId, names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| documented(hook, name)).collect();
    names.join(", ")
}

/// The name that a field of the contract has in the documents.
fn documented(hook: HookId, name: &str) -> &str {
    match (hook, name) {
        (HookId::StartRun | HookId::BeforeRun, "addedContext") => "context",
        (HookId::DecideApproval, "decision") => "approved",
        _ => name,
    }
}

/// An answer's fields under the names that they have in the contract, where the
/// documents have other ones.
fn as_written(hook: HookId, mut fields: Map<String, Value>) -> Result<Map<String, Value>, Fault> {
    match hook {
        HookId::StartRun | HookId::BeforeRun => {
            let context = match fields.remove("context") {
                None | Some(Value::Null) => return Ok(fields),
                Some(Value::Array(texts)) if texts.iter().all(Value::is_string) => {
                    Value::Array(texts)
                }
                Some(text @ Value::String(_)) => Value::Array(vec![text]),
                Some(other) => {
                    let got = type_of(&other);
                    return Err(misfit(format!("context must be a text or several, got {got}")));
                }
            };
            fields.insert("addedContext".into(), context);
        }
        HookId::DecideApproval => {
            let decision = match fields.remove("approved") {
                Some(Value::Bool(true)) => "approve",
                Some(Value::Bool(false)) => "decline",
                None => return Err(misfit("answered without `approved`")),
                Some(other) => {
                    let got = type_of(&other);
                    return Err(misfit(format!("approved must be a boolean, got {got}")));
                }
            };
            fields.insert("decision".into(), decision.into());
        }
        _ => {}
    }
    Ok(fields)
}

fn misfit(problem: impl std::fmt::Display) -> Fault {
    Fault::malformed(format!("gave an answer that does not fit: {problem}"))
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
