//! Makes the schemas that schemars derives say what a configuration means.

use schemars::Schema;
use serde_json::{Number, Value};

/// The integer types that schemars names, with the numbers they hold.
const INTEGERS: [(&str, i128, i128); 10] = [
    ("int8", i8::MIN as i128, i8::MAX as i128),
    ("int16", i16::MIN as i128, i16::MAX as i128),
    ("int32", i32::MIN as i128, i32::MAX as i128),
    ("int64", i64::MIN as i128, i64::MAX as i128),
    ("int", isize::MIN as i128, isize::MAX as i128),
    ("uint8", 0, u8::MAX as i128),
    ("uint16", 0, u16::MAX as i128),
    ("uint32", 0, u32::MAX as i128),
    ("uint64", 0, u64::MAX as i128),
    ("uint", 0, usize::MAX as i128),
];

/// Says three things about `schema` in words and keywords that everybody knows.
///
/// - Nothing (`null`) is never a value: a key that is absent is left out. `only_hooks:` with
///   nothing after it is more likely a mistake than the wish for the default.
/// - Integers have the bounds of their Rust types.
/// - A description has one line for each paragraph, not one for each line of the comment.
pub(super) fn plain(schema: &mut Schema) {
    let description = schema.get("description").and_then(Value::as_str);
    if let Some(joined) = description.map(join_lines) {
        schema.insert("description".into(), joined.into());
    }
    without_null(schema);
    with_bounds(schema);
}

fn without_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(branches)) = schema.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = branches.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            for (keyword, value) in only {
                // What is said about the use of a type outdoes what is said about the type.
                if schema.get(&keyword).is_none() {
                    schema.insert(keyword, value);
                }
            }
        }
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
}

fn join_lines(text: &str) -> String {
    let paragraphs = text.split("\n\n");
    let joined: Vec<_> = paragraphs
        .map(|paragraph| match paragraph.trim_start().chars().next() {
            // Lists, tables and code keep their lines.
            Some('-' | '|' | '`') if paragraph.contains('\n') => paragraph.to_owned(),
            _ => paragraph.replace('\n', " "),
        })
        .collect();
    joined.join("\n\n")
}

fn with_bounds(schema: &mut Schema) {
    let format = schema.get("format").and_then(Value::as_str);
    let Some((_, least, most)) = INTEGERS.into_iter().find(|(name, ..)| Some(*name) == format)
    else {
        return;
    };
    schema.remove("format");
    for (keyword, bound) in [("minimum", least), ("maximum", most)] {
        if let (None, Some(bound)) = (schema.get(keyword), Number::from_i128(bound)) {
            schema.insert(keyword.into(), bound.into());
        }
    }
}
