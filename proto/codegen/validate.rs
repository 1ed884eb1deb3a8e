//! The checks of requests.

use super::{
    contract::UNCHECKED,
    described::Described,
    names::{camel, rust_name, snake, type_name},
};
use prost_types::{
    FieldDescriptorProto,
    field_descriptor_proto::{Label, Type},
};
use std::{collections::BTreeMap, fmt::Write};

pub(super) fn validate(
    out: &mut String,
    messages: &BTreeMap<&str, Described<'_>>,
    name: &str,
    described: &Described<'_>,
) {
    let mut body = String::new();
    for field in &described.message.field {
        if field.oneof_index.is_some() && !field.proto3_optional() {
            continue;
        }
        let comment = described.comments.get(&field.number()).map_or("", String::as_str);
        field_checks(&mut body, messages, field, comment.trim());
    }
    for (index, oneof) in (0..).zip(&described.message.oneof_decl) {
        let arms: Vec<_> = described
            .message
            .field
            .iter()
            .filter(|f| f.oneof_index == Some(index) && !f.proto3_optional())
            .collect();
        if arms.is_empty() {
            continue;
        }
        let comment = described.comments.get(&(1000 + index)).map_or("", String::as_str);
        oneof_checks(&mut body, messages, name, oneof.name(), &arms, comment.trim());
    }
    let _ = writeln!(
        out,
        "impl Validate for v1::{name} {{ fn validate(&self) -> Result<(), InvalidField> {{ {body} Ok(()) }} }}"
    );
}

fn field_checks(
    body: &mut String,
    messages: &BTreeMap<&str, Described<'_>>,
    field: &FieldDescriptorProto,
    comment: &str,
) {
    let (name, required) = (field.name(), comment.starts_with("Required."));
    let rust = rust_name(name);
    let (repeated, optional) = (field.label() == Label::Repeated, field.proto3_optional());
    match field.r#type() {
        Type::String if repeated => {}
        Type::String => {
            let value = if optional {
                format!("self.{rust}.as_deref().unwrap_or_default()")
            } else {
                format!("self.{rust}.as_str()")
            };
            if required {
                let _ = write!(body, "required({name:?}, !{value}.is_empty())?;");
            }
            if let Some(limit) = byte_limit(comment) {
                let _ = write!(body, "at_most({name:?}, {value}, {limit})?;");
            }
            if name.ends_with("_json") {
                let check =
                    if comment.contains("JSON object") { "json_object" } else { "json_value" };
                let _ = write!(body, "{check}({name:?}, {value})?;");
            }
        }
        Type::Enum if !repeated => {
            let ty = type_name(field);
            let _ = write!(
                body,
                "known({name:?}, self.{rust}, v1::{ty}::try_from(self.{rust}).is_ok())?;"
            );
            if required {
                let _ = write!(body, "required({name:?}, self.{rust} != 0)?;");
            }
        }
        Type::Message => {
            if required && !repeated {
                let _ = write!(body, "required({name:?}, self.{rust}.is_some())?;");
            }
            if !checked(messages, field) {
            } else if repeated {
                let _ = write!(body, "each({name:?}, &self.{rust})?;");
            } else {
                let _ = write!(body, "within({name:?}, self.{rust}.as_ref())?;");
            }
        }
        _ if required => {
            let _ = write!(body, "required({name:?}, self.{rust} != 0)?;");
        }
        _ => {}
    }
}

fn oneof_checks(
    body: &mut String,
    messages: &BTreeMap<&str, Described<'_>>,
    message: &str,
    oneof: &str,
    arms: &[&FieldDescriptorProto],
    comment: &str,
) {
    if comment.starts_with("Required.") {
        let _ = write!(body, "required({oneof:?}, self.{oneof}.is_some())?;");
    }
    let path = format!("v1::{}::{}", snake(message), camel(oneof));
    for arm in arms {
        let variant = format!("{path}::{}", camel(arm.name()));
        if arm.r#type() == Type::Message && checked(messages, arm) {
            let _ = write!(
                body,
                "if let Some({variant}(inner)) = &self.{oneof} {{ within({:?}, Some(inner))?; }}",
                arm.name()
            );
        }
        if arm.name().ends_with("_json") {
            let _ = write!(
                body,
                "if let Some({variant}(inner)) = &self.{oneof} {{ json_value({:?}, inner)?; }}",
                arm.name()
            );
        }
    }
}

fn checked(messages: &BTreeMap<&str, Described<'_>>, field: &FieldDescriptorProto) -> bool {
    let name = type_name(field);
    messages.contains_key(name) && !UNCHECKED.contains(&name)
}

fn byte_limit(comment: &str) -> Option<usize> {
    let (_, rest) = comment.split_once("at most ")?;
    let (number, _) = rest.split_once(" bytes")?;
    number.replace(',', "").parse().ok()
}
