//! Messages as fields.

use super::names::{camel, rust_name, snake, type_name};
use prost_types::{
    DescriptorProto,
    field_descriptor_proto::{Label, Type},
};
use std::fmt::Write;

/// Reads a message as fields. The context is not one of them: it is taken out of
/// a request before anybody reads it.
pub(super) fn fields(out: &mut String, name: &str, message: &DescriptorProto) {
    let (mut body, mut names) = (String::new(), String::new());
    for field in &message.field {
        let (wire, rust) = (field.name(), rust_name(field.name()));
        if wire == "context" || field.r#type() == Type::Bytes {
            continue;
        }
        let short = wire.strip_suffix("_json").unwrap_or(wire);
        let _ = write!(names, "{short:?},");
        let value = |of: &str| match field.r#type() {
            Type::String if short != wire => format!("parsed(&{of})"),
            Type::Enum => {
                let ty = type_name(field);
                format!(
                    "v1::{ty}::try_from({of}.clone()).map_or_else(|_| {of}.to_value(), |it| it.as_str_name().into())"
                )
            }
            _ => format!("{of}.to_value()"),
        };
        let insert = |of: &str| format!("fields.insert({short:?}.into(), {});", value(of));
        let is_optional = field.proto3_optional()
            || (field.r#type() == Type::Message && field.label() != Label::Repeated);
        let statement = match field.oneof_index {
            Some(index) if !field.proto3_optional() => {
                let oneof = message.oneof_decl[index as usize].name();
                let arm = format!("v1::{}::{}::{}", snake(name), camel(oneof), camel(wire));
                format!("if let Some({arm}(inner)) = &self.{oneof} {{ {} }}", insert("inner"))
            }
            _ if is_optional => {
                format!("if let Some(inner) = &self.{rust} {{ {} }}", insert("inner"))
            }
            _ => insert(&format!("self.{rust}")),
        };
        body += &statement;
    }
    let _ = writeln!(
        out,
        "impl Fields for v1::{name} {{ const NAMES: &'static [&'static str] = &[{names}]; fn fields(&self) -> serde_json::Map<String, serde_json::Value> {{ \
         let mut fields = serde_json::Map::new(); {body} fields }} }}"
    );
}
