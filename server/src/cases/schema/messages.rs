//! The JSON schemas of messages, as cases give them and as cases expect them.

use super::{ABSENT, object};
use crate::{
    cases::{
        expected::is_text,
        field::{self, Form},
    },
    config::ALIAS,
};
use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

/// On which side of a case a message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// It is sent.
    Given,
    /// It is compared: every value may be a pattern, or absent.
    Expected,
}

/// The messages that are referred to, by the names of their definitions.
#[derive(Debug, Default)]
pub(super) struct Messages(Map<String, Value>);

impl Messages {
    /// Refers to the schema of `message`.
    pub(super) fn refer(&mut self, side: Side, message: &MessageDescriptor) -> Value {
        let prefix = if side == Side::Given { "given" } else { "expected" };
        let name = format!("{prefix}.{}", message.name());
        if !self.0.contains_key(&name) {
            // It may refer to itself.
            self.0.insert(name.clone(), Value::Null);
            let schema = self.object(side, message, &[]);
            self.0.insert(name.clone(), schema);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// The schema of `message` without the fields `except`.
    pub(super) fn object(
        &mut self,
        side: Side,
        message: &MessageDescriptor,
        except: &[&str],
    ) -> Value {
        let mut properties = Map::new();
        for field in message.fields().filter(|field| !except.contains(&field.name())) {
            let plain = self.field(side, &field);
            let called = field::called(&field);
            for (name, form) in field::names(&field) {
                let mut schema = if form == Form::Payload { json!({}) } else { plain.clone() };
                if let Some(schema) = schema.as_object_mut().filter(|_| name != called) {
                    schema.insert(ALIAS.into(), true.into());
                }
                properties.insert(name, schema);
            }
        }
        if side == Side::Expected {
            properties.insert(ABSENT.into(), json!({ "const": true }));
        }
        object(&Value::Object(properties), &[])
    }

    /// What [`Messages::refer`] refers to.
    pub(super) fn into_definitions(self) -> Map<String, Value> {
        self.0
    }

    fn field(&mut self, side: Side, field: &FieldDescriptor) -> Value {
        let (mut schema, is_mapping) = self.single(side, field);
        if field.is_list() {
            if side == Side::Expected && !is_mapping {
                schema = or_matcher(&schema);
            }
            schema = json!({ "type": "array", "items": schema });
        }
        if side == Side::Expected && (field.is_list() || !is_mapping) {
            schema = or_matcher(&schema);
        }
        schema
    }

    /// The schema of one value, and whether it is that of a mapping.
    fn single(&mut self, side: Side, field: &FieldDescriptor) -> (Value, bool) {
        let schema = match field.kind() {
            Kind::Message(message) if !is_text(&message) => {
                return (self.refer(side, &message), true);
            }
            Kind::Enum(values) => json!({ "title": "value", "enum": names(&values) }),
            Kind::Bool => json!({ "type": "boolean" }),
            Kind::Double | Kind::Float => json!({ "type": "number" }),
            Kind::Int32 => {
                json!({ "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX })
            }
            Kind::Int64 => json!({
                "type": ["integer", "string"],
                "minimum": i64::MIN, "maximum": i64::MAX,
            }),
            _ => json!({ "type": "string" }),
        };
        (schema, false)
    }
}

fn or_matcher(schema: &Value) -> Value {
    json!({ "anyOf": [schema, { "$ref": "#/$defs/Matcher" }] })
}

/// Every name of every value.
fn names(values: &EnumDescriptor) -> Vec<String> {
    let short = values.values().map(|value| field::short(values, value.name()));
    short.chain(values.values().map(|value| value.name().to_owned())).collect()
}
