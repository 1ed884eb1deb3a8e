//! Looks at a payload's text before it is spliced.

use super::{numbers::is_lossy, payloads::PAYLOAD_MARK};
use crate::validate::{MAX_JSON_DEPTH, is_deeper_than};
use serde::de::IgnoredAny;

/// Keys that `serde_json` gives a meaning of its own when it parses.
pub(super) const RESERVED_KEYS: [&str; 2] =
    ["$serde_json::private::Number", "$serde_json::private::RawValue"];

/// How a payload's text is handed to a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// As a string, for it is no JSON, or none that can be handed over.
    Text,
    /// As it is.
    Plain,
    /// As it is and marked, since a script cannot hold all of its numbers.
    Lossy,
}

/// Decides how `text` is handed over.
pub(super) fn look_at(text: &str) -> Look {
    if is_deeper_than(text, MAX_JSON_DEPTH) || serde_json::from_str::<IgnoredAny>(text).is_err() {
        return Look::Text;
    }
    let mut look = Look::Plain;
    for token in Tokens(text) {
        match token {
            Token::String(quoted) if is_reserved(quoted) => return Look::Text,
            Token::Number(literal) if is_lossy(literal) => look = Look::Lossy,
            Token::String(_) | Token::Number(_) => {}
        }
    }
    look
}

/// The number literals of valid JSON.
pub(super) fn number_literals(text: &str) -> impl Iterator<Item = &str> {
    Tokens(text).filter_map(|token| match token {
        Token::Number(literal) => Some(literal),
        Token::String(_) => None,
    })
}

/// Whether a script's engine or `serde_json` would take the string for
/// something else than a key.
fn is_reserved(quoted: &str) -> bool {
    if !quoted.contains("\\u00") && !quoted.starts_with("\"$") {
        return false;
    }
    serde_json::from_str::<String>(quoted)
        .is_ok_and(|text| text == PAYLOAD_MARK || RESERVED_KEYS.contains(&text.as_str()))
}

enum Token<'a> {
    /// With its quotes.
    String(&'a str),
    Number(&'a str),
}

/// The strings and numbers of the rest of a valid JSON text.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let start = self
            .0
            .bytes()
            .position(|byte| byte == b'"' || byte == b'-' || byte.is_ascii_digit())?;
        let (_, rest) = self.0.split_at(start);
        let is_string = rest.starts_with('"');
        let length = if is_string { string_length(rest) } else { number_length(rest) };
        let (token, rest) = rest.split_at(length);
        self.0 = rest;
        Some(if is_string { Token::String(token) } else { Token::Number(token) })
    }
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |at| at + 2)
}

fn number_length(text: &str) -> usize {
    text.bytes()
        .position(|byte| {
            !byte.is_ascii_digit() && !matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
        })
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Look) {
        assert_eq!(look_at(text), expected, "{text}");
    }

    #[test]
    fn json_is_handed_over_as_it_is() {
        check(r#" {"a": [1, 2.5, "9007199254740993", "\"9007199254740993"]} "#, Look::Plain);
        check("null", Look::Plain);
        check(r#""\ud800""#, Look::Plain);
    }

    #[test]
    fn a_number_that_a_double_cannot_hold_marks_the_payload() {
        check(r#"{"a": [1, 9007199254740993]}"#, Look::Lossy);
        check("1e400", Look::Lossy);
        check(r#"{"\\":9007199254740993}"#, Look::Lossy);
    }

    #[test]
    fn what_is_no_json_is_a_string() {
        for text in ["{", "{'a':1}", "NaN", "1 2", "\u{feff}{}", "\"\t\"", " ", "01"] {
            check(text, Look::Text);
        }
    }

    #[test]
    fn what_nests_too_deep_is_a_string() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        check(&deep(MAX_JSON_DEPTH), Look::Plain);
        check(&deep(MAX_JSON_DEPTH + 1), Look::Text);
    }

    #[test]
    fn a_key_that_would_be_misunderstood_makes_it_a_string() {
        check(r#"{"\u0000payload":0,"value":{}}"#, Look::Text);
        check(r#"{"a":{"\u0000\u0070ayload":0}}"#, Look::Text);
        check(r#"{"$serde_json::private::Number":"1"}"#, Look::Text);
        check(r#"{"\u0024serde_json::private::RawValue":"{}"}"#, Look::Text);
        check(r#"{"$schema":"a","\u003ca\u003e":1}"#, Look::Plain);
    }
}
