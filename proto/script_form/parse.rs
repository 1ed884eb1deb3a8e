//! Parses what `JSON.stringify` gave.

use super::{Misread, inspect::RESERVED_KEYS};
use crate::validate::{MAX_JSON_DEPTH, is_deeper_than};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;

/// A payload may be as deep as a request allows, and the answer around it needs
/// a few levels.
const MAX_ANSWER_DEPTH: usize = MAX_JSON_DEPTH + 32;

/// Parses a script's answer. A half of a surrogate pair, which JavaScript
/// strings may hold and JSON text may not, becomes U+FFFD.
///
/// # Errors
///
/// What makes it no JSON, or none that can be read.
pub fn parse_answer(text: &str) -> Result<Value, Misread> {
    if is_deeper_than(text, MAX_ANSWER_DEPTH) {
        return Err(Misread::new(format!("is nested deeper than {MAX_ANSWER_DEPTH} levels")));
    }
    if let Some(key) = reserved_key(text) {
        return Err(Misread::new(format!("has the key `{key}`, which is reserved")));
    }
    parse(text).map_err(|error| Misread::new(format!("is no JSON: {error}")))
}

/// Parses JSON whose depth is known to be bounded.
pub(super) fn parse(text: &str) -> serde_json::Result<Value> {
    let text = without_lone_surrogates(text);
    let mut parser = serde_json::Deserializer::from_str(&text);
    parser.disable_recursion_limit();
    let value = Value::deserialize(&mut parser)?;
    parser.end()?;
    Ok(value)
}

/// `serde_json` reads an object with such a key as something else, which would
/// let a script's data be taken for other data.
fn reserved_key(text: &str) -> Option<&'static str> {
    RESERVED_KEYS.into_iter().find(|key| {
        let quoted = format!("\"{key}\":");
        // Within a string, the quote is escaped.
        text.match_indices(&quoted)
            .any(|(at, _)| text.get(..at).is_some_and(|before| !before.ends_with('\\')))
    })
}

/// Replaces the escape of each half of a surrogate pair that stands alone.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((plain, escape)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        out.push_str(plain);
        let length = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(Half::High), Some(Half::Low)) => 12,
            (Some(_), _) => {
                out.push_str("\\ufffd");
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            // The second byte may begin a letter that has more of them.
            (None, _) => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        let (kept, after) = escape.split_at(length);
        out.push_str(kept);
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

enum Half {
    High,
    Low,
}

/// The half of a surrogate pair whose escape the text begins with.
fn surrogate(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn problem(text: &str) -> String {
        parse_answer(text).unwrap_err().to_string()
    }

    #[test]
    fn half_a_surrogate_pair_becomes_the_replacement_character() {
        for (text, expected) in [
            (r#""\ud800""#, "\u{fffd}"),
            (r#""a\udfffb""#, "a\u{fffd}b"),
            (r#""\uD83D\uDE00""#, "\u{1f600}"),
            (r#""\ud83d\ud83d\ude00\ude00""#, "\u{fffd}\u{1f600}\u{fffd}"),
            (r#""\ud83d\n""#, "\u{fffd}\n"),
            (r#""\\ud800""#, r"\ud800"),
            (r#""\\\ud800""#, "\\\u{fffd}"),
            (r#""\u0041\ud800ä""#, "A\u{fffd}ä"),
        ] {
            assert_eq!(parse_answer(text).unwrap(), json!(expected), "{text}");
        }
    }

    #[test]
    fn numbers_keep_their_text() {
        let value = parse_answer("[9007199254740993,1e400]").unwrap();
        assert_eq!(value.to_string(), "[9007199254740993,1e+400]");
    }

    #[test]
    fn an_answer_may_hold_the_deepest_payload_and_not_much_more() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse_answer(&deep(MAX_ANSWER_DEPTH)).is_ok());
        assert_eq!(problem(&deep(MAX_ANSWER_DEPTH + 1)), "is nested deeper than 160 levels");
        assert_eq!(problem(&deep(1_000_000)), "is nested deeper than 160 levels");
    }

    #[test]
    fn what_is_no_json_says_why() {
        assert!(problem("{").starts_with("is no JSON: EOF"), "{}", problem("{"));
        assert!(problem("1 2").starts_with("is no JSON: trailing"), "{}", problem("1 2"));
        assert!(problem(r#""\ud8""#).starts_with("is no JSON"), "{}", problem(r#""\ud8""#));
    }

    #[test]
    fn an_object_is_never_taken_for_something_else() {
        for key in RESERVED_KEYS {
            let object = json!({ "a": { key: "1" } }).to_string();
            assert_eq!(problem(&object), format!("has the key `{key}`, which is reserved"));
            let mentioned = json!({ "a": [key, object] });
            assert_eq!(parse_answer(&mentioned.to_string()).unwrap(), mentioned);
        }
    }
}
