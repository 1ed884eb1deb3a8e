//! Mappings: the keys that must be there, those that may, and what is under each.

use regex::Regex;
use serde_json::{Map, Value};

use super::{
    scalar::{Unit, wrong_count},
    suggest,
    walk::{Spot, Walk},
};
use crate::config::{
    found::{alternatives, quoted},
    path::Path,
    problem::Complaint,
};

/// The most keys or values that a message lists.
pub(super) const MAX_LISTED: usize = 12;

/// Marks the schema of a key that is another spelling of a key: messages do not name it.
pub(crate) const ALIAS: &str = "x-alias";

/// Checks the mapping `members`, which stands at `path`.
pub(super) fn check<'s>(
    walk: &mut Walk<'s>,
    schema: &'s Value,
    members: &Map<String, Value>,
    path: &Path,
) {
    for complaint in wrong_count(schema, Unit::Key, members.len()) {
        walk.find(path, Spot::Value, complaint);
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    let patterns = patterns(schema);
    let mut misspelled = Vec::new();
    for (key, value) in members {
        let path = path.key(key);
        if let Some(names) = schema.get("propertyNames") {
            for finding in walk.attempt(names, &Value::String(key.clone()), &path) {
                walk.find(&path, Spot::Key, finding.complaint);
            }
        }
        let property = properties.and_then(|properties| properties.get(key));
        let pattern = patterns.iter().find(|(pattern, _)| pattern.is_match(key));
        match property.or(pattern.map(|(_, schema)| *schema)).or(schema.get("additionalProperties"))
        {
            None | Some(Value::Bool(true)) => {}
            Some(Value::Bool(false)) => {
                let (complaint, meant) = unknown_key(walk, key, properties, members, &patterns);
                misspelled.extend(meant);
                walk.find(&path, Spot::Key, complaint);
            }
            Some(schema) => walk.check(schema, value, &path),
        }
    }
    for key in required(schema) {
        // Somebody who wrote `nmae` has been told so; a missing `name` is no news.
        if !members.contains_key(key) && !misspelled.contains(&key) {
            missing_key(walk, properties.and_then(|properties| properties.get(key)), key, path);
        }
    }
}

/// The keys that `schema` requires.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str)
}

/// Says that `key`, which has the schema `property`, is missing in the mapping at `path`.
pub(super) fn missing_key<'s>(
    walk: &mut Walk<'s>,
    property: Option<&'s Value>,
    key: &str,
    path: &Path,
) {
    let example = property
        .and_then(|property| walk.keyword(property, "examples"))
        .and_then(|examples| examples.get(0));
    let suggestion = example.map(|example| match example {
        Value::String(example) => format!("for example `{key}: {example}`"),
        example => format!("write `{key}: {example}`"),
    });
    let complaint = Complaint::new(format!("missing key `{key}`"));
    walk.find(path, Spot::Key, complaint.suggest_if(suggestion));
}

/// The schemas of `patternProperties`.
fn patterns(schema: &Value) -> Vec<(Regex, &Value)> {
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    let patterns = patterns.into_iter().flatten();
    patterns.filter_map(|(pattern, schema)| Some((Regex::new(pattern).ok()?, schema))).collect()
}

/// Says that `key` is not known, and which key it probably is.
fn unknown_key<'s>(
    walk: &Walk<'_>,
    key: &str,
    properties: Option<&'s Map<String, Value>>,
    members: &Map<String, Value>,
    patterns: &[(Regex, &Value)],
) -> (Complaint, Option<&'s str>) {
    if let [(pattern, _)] = patterns {
        let message = format!("{} does not match {}", quoted(key), quoted(pattern.as_str()));
        return (Complaint::new(message), None);
    }
    let is_alias = |schema: &Value| schema.get(ALIAS).is_some();
    let named = || properties.into_iter().flatten().filter(|(_, schema)| !is_alias(schema));
    let known = || named().map(|(key, _)| key.as_str());
    let absent = || known().filter(|known| !members.contains_key(*known));
    let complaint = Complaint::new("unknown key");
    // A key that is there already is hardly meant a second time.
    if let Some(meant) = suggest::closest(key, absent()).or_else(|| suggest::closest(key, known()))
    {
        return (complaint.suggest(format!("did you mean `{meant}`?")), Some(meant));
    }
    let options: Vec<_> = absent().map(|known| format!("`{known}`")).collect();
    let suggestion = match options.len() {
        0 => None,
        1..=MAX_LISTED => Some(format!("expected {}", alternatives(&options))),
        _ => Some(walk.see()),
    };
    (complaint.suggest_if(suggestion), None)
}
