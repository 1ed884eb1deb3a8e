//! Comments of the contract as documentation comments of TypeScript, in the words of scripts.

use crate::hooks::HookId;
use prost_reflect::prost_types::FileDescriptorProto;

/// The widest line.
const WIDTH: usize = 100;

/// A field's name in scripts.
pub(super) fn script_name(wire: &str) -> String {
    let mut name = String::new();
    for word in wire.strip_suffix("_json").unwrap_or(wire).split('_') {
        let (first, rest) = word.split_at(1);
        name += &if name.is_empty() { first.to_owned() } else { first.to_uppercase() };
        name += rest;
    }
    name
}

/// The first paragraph of the comment at `path`, as one line, as it is written.
pub(super) fn at(file: &FileDescriptorProto, path: &[i32]) -> String {
    let places = file.source_code_info.iter().flat_map(|info| &info.location);
    let place = places.into_iter().find(|place| place.path == path);
    let text = place.map_or("", |place| place.leading_comments());
    let first = text.trim().split("\n\n").next().unwrap_or_default();
    first.split("\n \n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a comment says to who writes scripts. `fields` are the names on the wire that may be meant.
pub(super) fn in_words_of_scripts(comment: &str, fields: &[String]) -> String {
    let text = comment.trim_start_matches("Required. ").trim_start_matches("Optional. ");
    let text = text
        .replace(", a JSON object, or empty", "")
        .replace(", a JSON value, or empty", "")
        .replace(", a JSON object", "")
        .replace(", a JSON value", "")
        .replace(", as JSON", "");
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        out += &if index % 2 == 1 { quoted(part, fields) } else { part.to_owned() };
    }
    out
}

/// A name of the contract as scripts spell it.
fn quoted(name: &str, fields: &[String]) -> String {
    if let Some(hook) = HookId::ALL.into_iter().find(|hook| hook.method() == name) {
        hook.script_name()
    } else if name.ends_with("_UNSPECIFIED") {
        "undefined".into()
    } else if fields.iter().any(|field| field == name) {
        script_name(name)
    } else {
        name.into()
    }
}

/// A documentation comment, its paragraphs wrapped, or nothing for no text.
pub(super) fn block(indent: usize, paragraphs: &[String]) -> String {
    let indent = " ".repeat(indent);
    let given: Vec<_> = paragraphs.iter().filter(|text| !text.is_empty()).collect();
    if let [only] = given[..]
        && indent.len() + only.chars().count() + "/**  */".len() <= WIDTH
    {
        return format!("{indent}/** {only} */\n");
    }
    if given.is_empty() {
        return String::new();
    }
    let mut lines = Vec::new();
    for text in given {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(wrapped(text, WIDTH - indent.len() - " * ".len()));
    }
    let body: String = lines
        .iter()
        .map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n")
        .collect();
    format!("{indent}/**\n{body}{indent} */\n")
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().unwrap();
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.into());
        } else {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    lines
}
