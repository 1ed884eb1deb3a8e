//! The JSON schema of case files: for the walker, which finds what is wrong, and for editors.

mod calls;
mod messages;

use self::messages::{Messages, Side};
use super::{
    contract::{Contract, NotInContract},
    expected::{ABSENT, MATCHES},
};
use crate::{config, hooks::HookId, middleware};
use serde_json::{Value, json};

/// The schema for the walker. A configuration inside a case file is only a mapping to it: it is
/// checked as any configuration is.
pub(super) fn case_schema(contract: &Contract) -> Result<Value, NotInContract> {
    let mut messages = Messages::default();
    let context = messages.refer(Side::Given, &contract.message("HookContext")?);
    let mut by_hook = Vec::new();
    for shape in contract.hooks() {
        by_hook.push(json!({
            "if": { "properties": { "hook": { "enum": spellings(shape.hook) } }, "required": ["hook"] },
            "then": { "properties": calls::keys(contract, shape, &mut messages)? },
        }));
    }
    let all: Vec<String> = HookId::ALL.into_iter().flat_map(spellings).collect();
    let mut definitions = messages.into_definitions();
    definitions.insert("ByHook".into(), json!({ "allOf": by_hook }));
    definitions.insert("Matcher".into(), matcher());
    definitions.insert("Config".into(), json!({ "type": "object" }));

    let config = json!({
        "description": "A configuration: a file, relative to this one, or what it would say. Absent: the `sidehook.yaml` of this folder or of one above it, else the embedded default.",
        "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/Config" }],
    });
    let name = json!({ "description": "What the case shows.", "type": "string", "minLength": 1 });
    let context =
        json!({ "description": "What goes into the context of every call.", "anyOf": [context] });
    let steps = json!({
        "description": "The calls of one run, in order.",
        "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/Step" },
    });
    let call = json!({
        "hook": { "title": "hook", "description": "The hook that is called.", "enum": all },
        "context": context, "request": true, "replies": true, "expect": true,
    });
    let session = json!({ "context": context, "steps": steps });
    let with = |keys: &Value, more: Value| merged(keys, &more);
    definitions.insert("Step".into(), hook_call(&call, &["hook"]));
    for (name_of, keys) in
        [("", json!({ "name": name })), ("Only", json!({ "name": name, "config": config }))]
    {
        let required = if name_of.is_empty() { vec!["name"] } else { Vec::new() };
        let single = hook_call(&with(&keys, call.clone()), &[&required[..], &["hook"]].concat());
        let session = object(&with(&keys, session.clone()), &[&required[..], &["steps"]].concat());
        let case = json!({ "if": { "required": ["steps"] }, "then": session, "else": single });
        definitions.insert(format!("{name_of}Case"), case);
    }
    let cases = json!({
        "description": "The cases, which share a sidecar but no run.",
        "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/Case" },
    });
    let file = object(&json!({ "config": config, "cases": cases }), &["cases"]);
    Ok(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "sidehook schema --cases",
        "title": "Sidehook cases",
        "description": "Hook calls, and what a configuration's chains must say to them.",
        "type": "object",
        "if": { "required": ["cases"] },
        "then": file,
        "else": { "$ref": "#/$defs/OnlyCase" },
        "$defs": definitions,
    }))
}

/// The schema for editors, which know what a configuration is, too.
pub(crate) fn json_schema(contract: &Contract) -> Result<Value, NotInContract> {
    let mut schema = case_schema(contract)?;
    let mut config = config::json_schema(&middleware::schemas());
    let parts = config.as_object_mut().and_then(|config| config.remove("$defs"));
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        definitions.extend(parts.as_ref().and_then(Value::as_object).cloned().unwrap_or_default());
        if let Value::Object(config) = &mut config {
            config.remove("$schema");
        }
        definitions.insert("Config".into(), config);
    }
    Ok(schema)
}

/// A mapping that calls a hook.
fn hook_call(properties: &Value, required: &[&str]) -> Value {
    merged(&object(properties, required), &json!({ "allOf": [{ "$ref": "#/$defs/ByHook" }] }))
}

/// A mapping with these keys and no others.
fn object(properties: &Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn matcher() -> Value {
    let keys = json!({ MATCHES: { "type": "string" }, ABSENT: { "const": true } });
    merged(&object(&keys, &[]), &json!({ "minProperties": 1 }))
}

fn merged(a: &Value, b: &Value) -> Value {
    let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
    Value::Object(members(a).into_iter().chain(members(b)).collect())
}

/// The four spellings of a hook.
fn spellings(hook: HookId) -> [String; 4] {
    [hook.name().into(), hook.method().into(), hook.script_name(), hook.path()]
}

#[cfg(test)]
mod tests;
