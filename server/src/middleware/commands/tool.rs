//! Which arguments of a tool call are commands.

use super::{Checker, Finding, Rewrite, rewrite::rewritten};
use serde_json::{Map, Value};

/// What is dangerous in the arguments that hold commands.
pub(super) fn findings(
    arguments: &Map<String, Value>,
    names: &[String],
    checker: &Checker,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for name in names {
        let Some((parent, value)) = at(arguments, name) else { continue };
        match value {
            Value::String(text) => found.extend(match texts(parent, "args") {
                // `{"command": "rm", "args": ["-rf", "/"]}` is one command.
                Some(rest) if !rest.is_empty() => {
                    checker.words(text.split_whitespace().chain(rest))
                }
                _ => checker.text(text),
            }),
            Value::Array(items) => {
                let items: Vec<_> = items.iter().filter_map(Value::as_str).collect();
                // A program's name has no blank: these are commands, not words.
                if items.first().is_some_and(|first| first.trim().contains(' ')) {
                    found.extend(items.into_iter().flat_map(|text| checker.text(text)));
                } else {
                    found.extend(checker.words(items));
                }
            }
            _ => {}
        }
    }
    found
}

/// The arguments after the rewrites, if any applies.
pub(super) fn safer(
    arguments: &Map<String, Value>,
    names: &[String],
    rewrites: &[Rewrite],
) -> Option<Map<String, Value>> {
    let mut new: Option<Map<String, Value>> = None;
    for name in names {
        let Some((_, Value::String(text))) = at(arguments, name) else { continue };
        let Some(text) = rewritten(text, rewrites) else { continue };
        let new = new.get_or_insert_with(|| arguments.clone());
        if let Some(value) = at_mut(new, name) {
            *value = Value::String(text);
        }
    }
    new
}

/// What is judged of the arguments, to see whether it changed.
pub(super) fn judged(arguments: &Map<String, Value>, names: &[String]) -> String {
    let values = names.iter().filter_map(|name| at(arguments, name));
    let values = values.map(|(parent, value)| (value, parent.get("args")));
    let texts = values.map(|(value, rest)| format!("{value}\n{}", rest.unwrap_or(&Value::Null)));
    texts.collect::<Vec<_>>().join("\n")
}

fn texts<'v>(arguments: &'v Map<String, Value>, name: &str) -> Option<Vec<&'v str>> {
    let items = arguments.get(name)?.as_array()?;
    items.iter().map(Value::as_str).collect()
}

/// The value at a path, with the object that holds it.
fn at<'v>(
    arguments: &'v Map<String, Value>,
    name: &str,
) -> Option<(&'v Map<String, Value>, &'v Value)> {
    match name.split_once('.') {
        Some((first, rest)) => at(arguments.get(first)?.as_object()?, rest),
        None => Some((arguments, arguments.get(name)?)),
    }
}

fn at_mut<'v>(arguments: &'v mut Map<String, Value>, name: &str) -> Option<&'v mut Value> {
    match name.split_once('.') {
        Some((first, rest)) => at_mut(arguments.get_mut(first)?.as_object_mut()?, rest),
        None => arguments.get_mut(name),
    }
}
