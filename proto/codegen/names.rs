//! Names of the descriptors, and what they are called in Rust and in scripts.

use prost_types::{DescriptorProto, FieldDescriptorProto};

pub(super) fn field<'a>(
    message: &'a DescriptorProto,
    name: &str,
) -> Option<&'a FieldDescriptorProto> {
    message.field.iter().find(|field| field.name() == name)
}

pub(super) fn type_name(field: &FieldDescriptorProto) -> &str {
    field.type_name().rsplit('.').next().unwrap_or_default()
}

pub(super) fn rust_name(name: &str) -> String {
    if name == "type" { "r#type".into() } else { name.into() }
}

pub(super) fn camel(snake: &str) -> String {
    snake.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

pub(super) fn snake(camel: &str) -> String {
    let mut out = String::new();
    for letter in camel.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

pub(super) fn lower_camel(snake: &str) -> String {
    let upper = camel(snake);
    upper[..1].to_lowercase() + &upper[1..]
}
