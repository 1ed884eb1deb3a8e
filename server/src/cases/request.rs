//! From YAML to messages: a case writes a request as JSON, with a few liberties.

use super::{
    case::At,
    contract::message_of,
    field::{self, Form},
};
use crate::config::{Complaint, Path};
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Number, Value};

/// What is wrong, and where.
pub(super) type Complaints = Vec<(Path, Complaint)>;

/// The message that `at` writes. What the schema finds wrong is left out without another word.
pub(super) fn message(
    descriptor: &MessageDescriptor,
    at: &At<'_>,
    complaints: &mut Complaints,
) -> DynamicMessage {
    let fields = Value::Object(fields(descriptor, at, complaints));
    match DynamicMessage::deserialize(descriptor.clone(), fields) {
        Ok(message) => message,
        Err(error) => {
            let complaint = format!("is no {}: {error}", descriptor.name());
            complaints.push((at.path.clone(), Complaint::new(complaint)));
            DynamicMessage::new(descriptor.clone())
        }
    }
}

/// The fields of a message in canonical JSON.
fn fields(
    descriptor: &MessageDescriptor,
    at: &At<'_>,
    complaints: &mut Complaints,
) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut written: Vec<(FieldDescriptor, &str)> = Vec::new();
    for (key, at) in at.entries() {
        let Some((field, form)) = field::find(descriptor, key) else { continue };
        if let Some(complaint) = contradiction(&written, &field) {
            complaints.push((at.path, complaint));
            continue;
        }
        if let Some(value) = value(&field, form, &at, complaints) {
            fields.insert(field.name().to_owned(), value);
        }
        written.push((field, key));
    }
    fields
}

/// Says that a field was written before under another name, or another of its oneof.
pub(super) fn contradiction(
    written: &[(FieldDescriptor, &str)],
    field: &FieldDescriptor,
) -> Option<Complaint> {
    let oneof = field.containing_oneof();
    let (other, key) = written.iter().find(|(other, _)| {
        other == field || (oneof.is_some() && other.containing_oneof() == oneof)
    })?;
    let message = if other == field {
        format!("says what `{key}` says already")
    } else {
        format!("cannot stand beside `{key}`: only one of the two can be set")
    };
    Some(Complaint::new(message).suggest("remove one of the two"))
}

/// The canonical JSON of a field's value; `None` where the schema complains.
fn value(
    field: &FieldDescriptor,
    form: Form,
    at: &At<'_>,
    complaints: &mut Complaints,
) -> Option<Value> {
    if form == Form::Payload {
        return Some(Value::String(at.value.to_string()));
    }
    if !field.is_list() {
        return single(field, at, complaints);
    }
    let items = at.value.is_array().then(|| at.items())?;
    Some(items.filter_map(|item| single(field, &item, complaints)).collect())
}

fn single(field: &FieldDescriptor, at: &At<'_>, complaints: &mut Complaints) -> Option<Value> {
    match (field.kind(), at.value) {
        (Kind::Message(_), Value::Object(_)) => {
            let message = message_of(field)?;
            Some(Value::Object(fields(&message, at, complaints)))
        }
        (Kind::Enum(values), Value::String(written)) => {
            field::full(&values, written).map(Value::String)
        }
        (Kind::Double | Kind::Float, Value::Number(number)) => {
            // With `arbitrary_precision` serde would give a `1.50` as a mapping.
            number.as_f64().and_then(Number::from_f64).map(Value::Number)
        }
        (Kind::Bytes, Value::String(text)) => {
            let alone = Value::Object(
                [(field.name().to_owned(), text.as_str().into())].into_iter().collect(),
            );
            if DynamicMessage::deserialize(field.parent_message().clone(), alone).is_ok() {
                return Some(at.value.clone());
            }
            complaints.push((at.path.clone(), Complaint::new("is not base64")));
            None
        }
        (Kind::String, Value::String(_)) | (Kind::Bool, Value::Bool(_)) => Some(at.value.clone()),
        (Kind::Int32, Value::Number(number)) => {
            number.as_i64().filter(|number| i32::try_from(*number).is_ok()).map(Value::from)
        }
        (Kind::Int64, Value::Number(number)) => number.as_i64().map(Value::from),
        (Kind::Int64, Value::String(digits)) => whole(digits, at, complaints),
        _ => None,
    }
}

/// A 64-bit number that is written as a text, as JSON has it from protobuf.
pub(super) fn whole(digits: &str, at: &At<'_>, complaints: &mut Complaints) -> Option<Value> {
    match digits.parse::<i64>() {
        Ok(number) => Some(number.into()),
        Err(error) => {
            let complaint = Complaint::new(format!("is no whole number of 64 bits: {error}"));
            complaints.push((at.path.clone(), complaint));
            None
        }
    }
}
