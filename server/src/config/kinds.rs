//! The kinds of middleware that a configuration may name, and the keys of each.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::config::file::MiddlewareKeys;

/// A kind of middleware, as a configuration sees it.
#[derive(Debug, Clone, Copy)]
pub struct KindSchema {
    /// What `kind` says, such as `commands`.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Whether it may stand under `builtin`.
    pub builtin: bool,
    /// Describes the kind's own keys: an object with `properties`, as schemars derives it from a
    /// struct with `deny_unknown_fields`.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

/// The kinds that a program knows. Error messages and the JSON schema list them in this order.
#[derive(Debug, Clone, Default)]
pub struct Kinds(Vec<KindSchema>);

impl Kinds {
    /// The kinds, in order.
    pub fn iter(&self) -> impl Iterator<Item = &KindSchema> {
        self.0.iter()
    }

    /// The keys that a kind has although every middleware has them, as `kind.key`. For a test: a
    /// program with such a kind is wrong, because the key could mean either.
    #[must_use]
    pub fn conflicts(&self) -> Vec<String> {
        let is_conflict =
            |key: &str| MiddlewareKeys::ALL.contains(&key) && key != MiddlewareKeys::SHARED;
        let mut conflicts = Vec::new();
        for kind in self.iter() {
            let own = kind.own_keys(&mut SchemaGenerator::default());
            let keys = own.properties.keys().filter(|key| is_conflict(key));
            conflicts.extend(keys.map(|key| format!("{}.{key}", kind.name)));
        }
        conflicts
    }
}

/// The keys that only one kind has.
pub(super) struct OwnKeys {
    /// Their schemas, by name.
    pub(super) properties: Map<String, Value>,
    /// The names of those that must be there.
    pub(super) required: Vec<Value>,
}

impl KindSchema {
    pub(super) fn own_keys(&self, generator: &mut SchemaGenerator) -> OwnKeys {
        let schema = (self.schema)(generator);
        let reference = schema.get("$ref").and_then(Value::as_str);
        let definition = reference
            .and_then(|reference| reference.rsplit_once('/'))
            .and_then(|(_, name)| generator.definitions().get(name));
        let object = definition.unwrap_or(schema.as_value());
        let properties = object.get("properties").and_then(Value::as_object);
        let required = object.get("required").and_then(Value::as_array);
        OwnKeys {
            properties: properties.cloned().unwrap_or_default(),
            required: required.cloned().unwrap_or_default(),
        }
    }
}

impl FromIterator<KindSchema> for Kinds {
    fn from_iter<I: IntoIterator<Item = KindSchema>>(kinds: I) -> Self {
        Self(kinds.into_iter().collect())
    }
}
