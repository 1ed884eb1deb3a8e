//! A message as a case file would write it: fields that are set, and short names of enums.

use super::field;
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, ReflectMessage, SerializeOptions};
use serde_json::{Map, Value, value::Serializer};

/// The set fields of `message`, by their names in the contract.
pub(super) fn fields(message: &DynamicMessage) -> Map<String, Value> {
    let options =
        SerializeOptions::new().use_proto_field_name(true).stringify_64_bit_integers(false);
    match message.serialize_with_options(Serializer, &options) {
        Ok(Value::Object(mut fields)) => {
            shorten(&message.descriptor(), &mut fields);
            fields
        }
        // A message without a form of its own is an object, and its texts are texts.
        Ok(_) | Err(_) => Map::new(),
    }
}

fn shorten(descriptor: &MessageDescriptor, fields: &mut Map<String, Value>) {
    for (name, value) in fields {
        let Some(field) = descriptor.get_field_by_name(name) else { continue };
        let values = match value {
            Value::Array(items) => items.iter_mut().collect(),
            single => vec![single],
        };
        for value in values {
            match (field.kind(), value) {
                (Kind::Enum(values), Value::String(name)) => *name = field::short(&values, name),
                (Kind::Message(inner), Value::Object(fields)) => shorten(&inner, fields),
                _ => {}
            }
        }
    }
}
