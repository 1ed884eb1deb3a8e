//! The form in which scripts see messages, for messages that are regular.

use super::{
    contract::FILLED_BY_CHAIN,
    described::Described,
    names::{lower_camel, rust_name, snake, type_name},
};
use prost_types::{
    EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet,
    field_descriptor_proto::{Label, Type},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// What scripts see beside the requests and answers of the unary hooks.
const ROOTS: [&str; 11] = [
    "CallDelta",
    "CallResult",
    "ChatRequest",
    "ChatResponse",
    "HookContext",
    "ModelCall",
    "ModelDelta",
    "PreDispatch",
    "ToolDelta",
    "ToolInvocation",
    "ToolResult",
];

/// Messages whose form is written by hand, in `proto/script_form/`.
const IRREGULAR: [&str; 7] =
    ["CallEvent", "ChatResponse", "ContentPart", "ContentParts", "Media", "Message", "ToolResult"];

/// Strings that are left out when they are empty, beside those of
/// `HookContext`.
const LEFT_OUT_WHEN_EMPTY: [(&str, &str); 1] = [("SshCommandSendingRequest", "intent")];

/// An enum whose names are lowerCamelCase, as document 004 has them.
const CAMEL_ENUM: &str = "InitiatorKind";

/// The forms of all messages that scripts see, and of the enums in them.
pub(super) fn script_forms(
    out: &mut String,
    set: &FileDescriptorSet,
    messages: &BTreeMap<&str, Described<'_>>,
) {
    let mut enums = BTreeSet::new();
    for name in seen_by_scripts(messages) {
        let message = &messages[name];
        let fields = visible_fields(name, message);
        for field in fields.iter().filter(|field| field.r#type() == Type::Enum) {
            enums.insert(type_name(field));
        }
        if IRREGULAR.contains(&name) {
            continue;
        }
        if let ([list], true) = (&fields[..], name.ends_with("List")) {
            list_form(out, name, list);
        } else {
            object_form(out, name, message, &fields);
        }
    }
    for described in set.file.iter().flat_map(|file| &file.enum_type) {
        if enums.contains(described.name()) {
            enum_form(out, described);
        }
    }
}

fn seen_by_scripts<'a>(messages: &BTreeMap<&'a str, Described<'a>>) -> BTreeSet<&'a str> {
    let is_root = |name: &str| {
        let asks = name.ends_with("Request")
            && messages.contains_key(name.replace("Request", "Answer").as_str())
            && messages[name].message.field.iter().any(|field| field.name() == "context");
        asks || name.ends_with("Answer") || ROOTS.contains(&name)
    };
    let mut open: Vec<&str> = messages.keys().copied().filter(|name| is_root(name)).collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some((name, message)) = messages.get_key_value(name) else {
            panic!("{name} is not a message of ours: its form is to be written by hand")
        };
        if seen.insert(*name) {
            let fields = visible_fields(name, message).into_iter();
            open.extend(fields.filter(|field| field.r#type() == Type::Message).map(type_name));
        }
    }
    seen
}

/// The fields but the context of a request, which was taken out before, and
/// what the chain fills in an answer.
fn visible_fields<'a>(name: &str, message: &Described<'a>) -> Vec<&'a FieldDescriptorProto> {
    let is_hidden = |field: &str| {
        (name.ends_with("Request") && field == "context")
            || (name.ends_with("Answer") && FILLED_BY_CHAIN.contains(&field))
    };
    message.message.field.iter().filter(|field| !is_hidden(field.name())).collect()
}

fn list_form(out: &mut String, name: &str, list: &FieldDescriptorProto) {
    let rust = rust_name(list.name());
    let _ = writeln!(
        out,
        "impl ScriptValue for v1::{name} {{ fn write(&self, out: &mut ScriptWriter) {{ self.{rust}.write(out); }} \
         fn read_value(value: serde_json::Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {{ \
         Ok(Self {{ {rust}: ScriptValue::read_value(value, reader)? }}) }} }}"
    );
}

fn object_form(
    out: &mut String,
    name: &str,
    message: &Described<'_>,
    fields: &[&FieldDescriptorProto],
) {
    let (mut names, mut writes, mut reads) = (String::new(), String::new(), String::new());
    for field in fields {
        assert!(
            field.oneof_index.is_none() || field.proto3_optional(),
            "{name}.{} is in a oneof: its form is to be written by hand",
            field.name()
        );
        let shown = shown_name(field);
        let comment = message.comments.get(&field.number()).map_or("", String::as_str);
        let _ = write!(names, "{shown:?},");
        writes += &write_field(name, message, field, &shown, comment);
        let _ =
            write!(reads, "{}: {}?,", rust_name(field.name()), read_field(field, &shown, comment));
    }
    let takes_rest = fields.iter().any(|field| field.name() == "extra_json");
    assert!(
        !takes_rest || fields.last().is_some_and(|field| field.name() == "extra_json"),
        "{name}.extra_json takes what is left, and has to be last"
    );
    let end = if takes_rest { "" } else { "members.end()?;" };
    let rest = if fields.len() < message.message.field.len() { "..Self::default()" } else { "" };
    let writer = if fields.is_empty() { "_" } else { "out" };
    let members = if name.ends_with("Answer") { "answer_members" } else { "members" };
    let _ = writeln!(
        out,
        "impl ScriptForm for v1::{name} {{ const MEMBERS: &'static [&'static str] = &[{names}]; \
         fn write_members(&self, {writer}: &mut ScriptWriter) {{ {writes} }} \
         fn read(value: serde_json::Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {{ \
         let mut members = reader.{members}(value, Self::MEMBERS)?; \
         let message = Self {{ {reads} {rest} }}; {end} Ok(message) }} }}"
    );
}

fn write_field(
    name: &str,
    message: &Described<'_>,
    field: &FieldDescriptorProto,
    shown: &str,
    comment: &str,
) -> String {
    let rust = format!("self.{}", rust_name(field.name()));
    let member = format!("out.member({shown:?})");
    if field.label() == Label::Repeated {
        return format!("out.list({shown:?}, &{rust});");
    }
    if field.proto3_optional() || field.r#type() == Type::Message {
        // Document 004 has null for what its hooks are not given.
        let unset = if message.is_of_platform && !name.ends_with("Answer") {
            format!("{member}.null()")
        } else {
            "{}".into()
        };
        let set = match field.r#type() {
            Type::Message => format!("{{ {member}; it.write(out); }}"),
            Type::String if is_payload(field) => format!("out.payload({shown:?}, it)"),
            Type::String => format!("{member}.text(it)"),
            Type::Double => format!("{member}.double(*it)"),
            Type::Int32 | Type::Int64 => format!("{member}.integer((*it).into())"),
            other => panic!("{name}.{}: no form for an optional {other:?}", field.name()),
        };
        return format!("match &{rust} {{ Some(it) => {set}, None => {unset} }}");
    }
    let left_out = name == "HookContext" || LEFT_OUT_WHEN_EMPTY.contains(&(name, field.name()));
    match field.r#type() {
        Type::String if is_arguments(field, comment) => {
            format!("out.arguments({shown:?}, &{rust});")
        }
        Type::String if is_payload(field) => format!("out.payload({shown:?}, &{rust});"),
        Type::String if left_out => format!("out.text_if_any({shown:?}, &{rust});"),
        Type::String => format!("{member}.text(&{rust});"),
        Type::Bool => format!("{member}.boolean({rust});"),
        Type::Double => format!("{member}.double({rust});"),
        Type::Int32 | Type::Int64 => format!("{member}.integer({rust}.into());"),
        Type::Enum => format!("out.enumeration::<v1::{}>({shown:?}, {rust});", type_name(field)),
        other => panic!("{name}.{}: no form for {other:?}", field.name()),
    }
}

fn read_field(field: &FieldDescriptorProto, shown: &str, comment: &str) -> String {
    let optional = if field.proto3_optional() { "optional_" } else { "" };
    if field.name() == "extra_json" {
        return format!("members.{optional}rest()");
    }
    if is_payload(field) {
        let shape = if comment.contains("JSON object") { "Shape::Object" } else { "Shape::Any" };
        let kind = if is_arguments(field, comment) { "arguments" } else { "payload" };
        return format!("members.{optional}{kind}({shown:?}, {shape})");
    }
    let getter = match field.r#type() {
        _ if field.label() == Label::Repeated => "list".into(),
        Type::Message => "value".into(),
        Type::String if field.proto3_optional() => "value".into(),
        Type::String => "text".into(),
        Type::Bool => "boolean".into(),
        Type::Double => format!("{optional}double"),
        Type::Int32 | Type::Int64 => format!("{optional}integer"),
        Type::Enum => format!("enumeration::<v1::{}>", type_name(field)),
        other => panic!("{}: no form for {other:?}", field.name()),
    };
    format!("members.{getter}({shown:?})")
}

fn enum_form(out: &mut String, described: &EnumDescriptorProto) {
    let name = described.name();
    let prefix = format!("{}_", snake(name).to_uppercase());
    let mut values = String::new();
    for value in described.value.iter().filter(|value| value.number() != 0) {
        let short = value.name().trim_start_matches(&prefix).to_lowercase();
        let shown = if name == CAMEL_ENUM { lower_camel(&short) } else { short };
        let _ = write!(values, "({shown:?}, {}),", value.number());
    }
    let _ = writeln!(
        out,
        "impl ScriptEnum for v1::{name} {{ const VALUES: &'static [(&'static str, i32)] = &[{values}]; }}"
    );
}

fn shown_name(field: &FieldDescriptorProto) -> String {
    lower_camel(field.name().strip_suffix("_json").unwrap_or(field.name()))
}

fn is_payload(field: &FieldDescriptorProto) -> bool {
    field.name().ends_with("_json")
}

/// Whether the field holds a tool's arguments, which a script sees as an empty
/// object when there are none.
fn is_arguments(field: &FieldDescriptorProto, comment: &str) -> bool {
    is_payload(field) && comment.trim().starts_with("Optional. The arguments")
}
