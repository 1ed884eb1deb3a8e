//! The JSON schema of a configuration, for editors and for the [walker](walk).

mod array;
mod choice;
mod object;
mod plain;
mod scalar;
mod suggest;
mod tagged;
mod walk;

use schemars::{
    SchemaGenerator,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform},
};
use serde_json::{Map, Value, json};

pub(crate) use self::object::ALIAS;
pub(super) use self::walk::{Finding, Spot, walk};
use crate::config::{
    file::{Config, MiddlewareKeys},
    kinds::{KindSchema, Kinds},
};

/// The keys of a middleware that one under `builtin` has not: its name and kind are its key, and
/// its place is fixed.
const NOT_BUILTIN: [&str; 3] = ["name", "kind", "priority"];

/// Describes every valid configuration with middleware of `kinds`, as JSON schema of the draft
/// 2020-12.
///
/// What one value cannot say about itself is not in it, such as that names are unique.
#[must_use]
pub fn json_schema(kinds: &Kinds) -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut root = generator.root_schema_for::<Config>();
    // Only mentioned by name in what follows.
    let _ = generator.subschema_for::<MiddlewareKeys>();
    let middleware: Vec<Value> = kinds.iter().map(|kind| listed(kind, &mut generator)).collect();
    let builtins: Map<String, Value> = kinds
        .iter()
        .filter(|kind| kind.builtin)
        .map(|kind| (kind.name.to_owned(), builtin(kind, &mut generator)))
        .collect();
    let mut definitions = generator.take_definitions(true);
    definitions.insert("Middleware".into(), one_of(&middleware));
    let builtins = json!({
        "description": "The built-in middleware that is on, by kind.",
        "type": "object",
        "properties": builtins,
        "additionalProperties": false,
    });
    definitions.insert("Builtins".into(), builtins);
    root.insert("$defs".into(), definitions.into());
    RecursiveTransform(plain::plain).transform(&mut root);
    root.to_value()
}

/// A middleware of `kind` in a list.
fn listed(kind: &KindSchema, generator: &mut SchemaGenerator) -> Value {
    let own = kind.own_keys(generator);
    let mut properties = Map::new();
    properties.insert("name".into(), common("name"));
    properties.insert("kind".into(), json!({ "description": kind.summary, "const": kind.name }));
    add_keys(&mut properties, own.properties, &MiddlewareKeys::ALL);
    let required = [vec!["name".into(), "kind".into()], own.required].concat();
    object(kind, &properties, &required)
}

/// A middleware of `kind` under `builtin`.
fn builtin(kind: &KindSchema, generator: &mut SchemaGenerator) -> Value {
    let own = kind.own_keys(generator);
    let mut properties = Map::new();
    let keys: Vec<_> =
        MiddlewareKeys::ALL.into_iter().filter(|key| !NOT_BUILTIN.contains(key)).collect();
    add_keys(&mut properties, own.properties, &keys);
    object(kind, &properties, &own.required)
}

/// Adds a kind's own keys, then the common ones that are not there yet.
fn add_keys(properties: &mut Map<String, Value>, own: Map<String, Value>, common_keys: &[&str]) {
    for (key, schema) in own {
        let schema = if key == MiddlewareKeys::SHARED {
            json!({ "anyOf": [schema, common(&key)] })
        } else {
            schema
        };
        properties.insert(key, schema);
    }
    for key in common_keys {
        properties.entry(*key).or_insert_with(|| common(key));
    }
}

/// Refers to what every middleware has under `key`.
fn common(key: &str) -> Value {
    json!({ "$ref": format!("#/$defs/MiddlewareKeys/properties/{key}") })
}

fn object(kind: &KindSchema, properties: &Map<String, Value>, required: &[Value]) -> Value {
    json!({
        "title": kind.name,
        "description": kind.summary,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// One of `branches`. Without any, nothing fits.
fn one_of(branches: &[Value]) -> Value {
    if branches.is_empty() { Value::Bool(false) } else { json!({ "oneOf": branches }) }
}

#[cfg(test)]
mod tests;
