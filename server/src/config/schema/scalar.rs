//! Types, texts and numbers: what a schema expects, and what was found.

use regex::Regex;
use serde_json::{Number, Value};

use crate::config::{
    found::{alternatives, found, quoted},
    problem::Complaint,
};

/// What a length counts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unit {
    Character,
    Entry,
    Key,
}

/// Says that `value` is of another type than `schema` expects.
pub(super) fn wrong_type(schema: &Value, value: &Value) -> Option<Complaint> {
    let expected = types(schema);
    if expected.is_empty() || expected.iter().any(|name| is_of_type(value, name)) {
        return None;
    }
    Some(unexpected(&expected, value))
}

/// The names of the types that `schema` permits; none if it permits all.
pub(super) fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether `value` is of the type that JSON schema calls `name`.
pub(super) fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || (name == "integer" && is_whole(number)),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// Says that `value` is of none of the types `expected`.
pub(super) fn unexpected(expected: &[&str], value: &Value) -> Complaint {
    let names: Vec<_> = expected.iter().map(|name| called(name).to_owned()).collect();
    let complaint =
        Complaint::new(format!("expected {}, found {}", alternatives(&names), found(value)));
    // Of several types, nobody knows which was meant.
    match expected {
        [only] => complaint.suggest_if(remedy(only, value)),
        _ => complaint,
    }
}

/// What to do about a `value` where the type `expected` should be.
fn remedy(expected: &str, value: &Value) -> Option<String> {
    let text = value.as_str().map(|text| text.trim().to_lowercase());
    match (expected, value, text.as_deref()) {
        ("array", Value::Null, _) => Some("write `[]`, or remove the key".into()),
        ("object", Value::Null, _) => Some("write `{}`, or remove the key".into()),
        (_, Value::Null, _) => Some("remove the key, or write a value after it".into()),
        ("array", Value::String(_) | Value::Number(_), _) => {
            Some("put it in brackets: `[…]`".into())
        }
        ("boolean", _, Some("yes" | "on" | "true" | "y")) => Some("did you mean `true`?".into()),
        ("boolean", _, Some("no" | "off" | "false" | "n")) => Some("did you mean `false`?".into()),
        ("integer" | "number", _, Some(text)) if text.parse::<Number>().is_ok() => {
            Some("remove the quotes".into())
        }
        ("string", Value::Bool(_) | Value::Number(_), _) => {
            Some(format!("put it in quotes: `\"{value}\"`"))
        }
        _ => None,
    }
}

/// What is wrong with the length or the form of `text`.
pub(super) fn wrong_text(schema: &Value, text: &str) -> Vec<Complaint> {
    let length = text.chars().count();
    let mut complaints = wrong_count(schema, Unit::Character, length);
    let pattern = schema.get("pattern").and_then(Value::as_str);
    // A pattern that this engine does not know permits everything; editors still check it.
    if let Some(regex) = pattern.and_then(|pattern| Regex::new(pattern).ok())
        && !regex.is_match(text)
    {
        let message = format!("{} does not match {}", quoted(text), quoted(regex.as_str()));
        complaints.push(Complaint::new(message));
    }
    complaints
}

/// What is wrong with `n`, the number of things in a value that `unit` names.
pub(super) fn wrong_count(schema: &Value, unit: Unit, n: usize) -> Vec<Complaint> {
    let (least, most, noun) = match unit {
        Unit::Character => ("minLength", "maxLength", "characters"),
        Unit::Entry => ("minItems", "maxItems", "entries"),
        Unit::Key => ("minProperties", "maxProperties", "keys"),
    };
    let bound = |keyword| schema.get(keyword).and_then(Value::as_u64);
    let n = n as u64;
    let too_few = bound(least).filter(|least| n < *least).map(|least| match least {
        1 => "must not be empty".to_owned(),
        _ => format!("must have at least {least} {noun}, has {n}"),
    });
    let too_many = bound(most)
        .filter(|most| n > *most)
        .map(|most| format!("must have at most {most} {noun}, has {n}"));
    too_few.into_iter().chain(too_many).map(Complaint::new).collect()
}

/// What is wrong with the size of `number`.
pub(super) fn wrong_number(schema: &Value, number: &Number) -> Vec<Complaint> {
    let bounds = [
        ("minimum", "at least", |a: f64, b: f64| a >= b),
        ("maximum", "at most", |a: f64, b: f64| a <= b),
        ("exclusiveMinimum", "more than", |a: f64, b: f64| a > b),
        ("exclusiveMaximum", "less than", |a: f64, b: f64| a < b),
    ] as [(_, _, fn(f64, f64) -> bool); 4];
    let mut complaints = Vec::new();
    for (keyword, words, fits) in bounds {
        let Some(Value::Number(bound)) = schema.get(keyword) else { continue };
        if !fits(difference(number, bound), 0.0) {
            complaints.push(Complaint::new(format!("must be {words} {bound}, found {number}")));
        }
    }
    complaints
}

/// How much `a` is above `b`: exact in sign for whole numbers of up to 128 bits.
fn difference(a: &Number, b: &Number) -> f64 {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a.saturating_sub(b) as f64,
        _ => a.as_f64().unwrap_or(f64::NAN) - b.as_f64().unwrap_or(f64::NAN),
    }
}

/// Whether `number` is written without fraction and exponent. JSON schema would also take `1.0`
/// for a whole number; our types do not.
fn is_whole(number: &Number) -> bool {
    number.to_string().bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

fn called(name: &str) -> &str {
    match name {
        "array" => "a list",
        "boolean" => "`true` or `false`",
        "integer" => "a whole number",
        "number" => "a number",
        "object" => "a mapping",
        "string" => "a text",
        "null" => "nothing",
        other => other,
    }
}
