//! How a value is called in an error message.

use serde_json::Value;

/// The most characters of a value that a message repeats.
const MAX_SHOWN: usize = 60;

/// Names what was found instead of what was expected: `the number 30`.
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(value) => format!("`{value}`"),
        Value::Number(number) => format!("the number {}", cut(&number.to_string())),
        Value::String(text) => format!("the text {}", quoted(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a mapping".to_owned(),
    }
}

/// Puts `text` in backticks, on one line and not too long.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", cut(text).escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"))
}

/// Lists `options` as `a, b or c`.
pub(super) fn alternatives(options: &[String]) -> String {
    match options {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
