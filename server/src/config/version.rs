//! The version of the configuration's format.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::config::{
    format::{self, Format},
    found::found,
    problem::Complaint,
};

/// The version of the configuration's format: `1`, the only one there is.
///
/// It is required, so that a later format can never be mistaken for this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version;

impl Format for Version {
    const NAME: &'static str = "sidehook-version";

    fn read(value: &Value) -> Result<Self, Complaint> {
        if value.as_u64() == Some(1) {
            return Ok(Self);
        }
        let message = format!("this Sidehook reads version 1, found {}", found(value));
        Err(Complaint::new(message).suggest("write `version: 1`"))
    }

    fn schema() -> Schema {
        json_schema!({ "type": "integer", "const": 1, "examples": [1] })
    }
}

impl JsonSchema for Version {
    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        format::named::<Self>()
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        format::deserialize(deserializer)
    }
}
