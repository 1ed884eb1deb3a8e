//! The names of hooks in a configuration.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error};

use crate::hooks::{HookId, HookSet};

/// A hook by its name in snake case, such as `before_tool_call`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HookName(pub HookId);

/// Several hooks; the order does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<HookName>")]
pub struct HookNames(pub HookSet);

impl From<Vec<HookName>> for HookNames {
    fn from(names: Vec<HookName>) -> Self {
        Self(names.into_iter().map(|name| name.0).collect())
    }
}

impl<'de> Deserialize<'de> for HookName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        name.parse().map(Self).map_err(D::Error::custom)
    }
}

impl JsonSchema for HookName {
    fn schema_name() -> Cow<'static, str> {
        "HookName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "title": "hook",
            "description": "A hook by its name in snake case. `sidehook hooks` prints all of them.",
            "type": "string",
            "enum": HookId::ALL.map(HookId::name).to_vec(),
        })
    }
}

impl JsonSchema for HookNames {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "HookNames".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": generator.subschema_for::<HookName>(),
            "minItems": 1,
            "uniqueItems": true,
        })
    }
}
