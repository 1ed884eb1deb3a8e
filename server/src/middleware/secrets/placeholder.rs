//! Values that stand where a secret would: examples, references, masks.

use super::bytes::contains_ignoring_case;
use super::examples;
use super::random::entropy;

/// Parts of words that somebody writes who means no real value.
const SAID: [&str; 24] = [
    "changeme",
    "change_me",
    "change-me",
    "change_it",
    "dummy",
    "placeholder",
    "redacted",
    "your_",
    "your-",
    "yourpass",
    "yourtoken",
    "yourkey",
    "yoursecret",
    "replace_me",
    "replaceme",
    "insert_",
    "insert-",
    "put_your",
    "my_secret",
    "mysecret",
    "xxxx",
    "****",
    "....",
    "todo",
];

/// Whole values that are words of the trade, types or nothing.
const WORDS: [&str; 44] = [
    "admin",
    "any",
    "bearer",
    "bool",
    "boolean",
    "bytes",
    "char",
    "default",
    "disabled",
    "empty",
    "enabled",
    "env",
    "example",
    "false",
    "hidden",
    "input",
    "int",
    "key",
    "nil",
    "no",
    "none",
    "null",
    "nullable",
    "number",
    "object",
    "optional",
    "passwd",
    "password",
    "prompt",
    "pwd",
    "required",
    "secret",
    "self",
    "str",
    "string",
    "test",
    "text",
    "token",
    "true",
    "undefined",
    "unset",
    "user",
    "username",
    "yes",
];

/// Whether a value only stands where a secret would.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    // Whoever says so says it early.
    let head = value.get(..64).unwrap_or(value);
    is_reference(value)
        || examples::is_published(value)
        || is_repeated(value)
        || SAID.iter().any(|said| contains_ignoring_case(head, said.as_bytes()))
        || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
        || ends_as_example(value)
}

/// Whether a token ends in `EXAMPLE`, as those of documentation do.
pub(super) fn ends_as_example(value: &[u8]) -> bool {
    [&b"EXAMPLE"[..], b"EXAMPLEKEY", b"example"].iter().any(|tail| value.ends_with(tail))
}

/// Whether a value refers to one that stands elsewhere: `${VAR}`, `{{ x }}`,
/// `<token>`, `$(cmd)`, `%VAR%`; or is a mask of ours.
pub(super) fn is_reference(value: &[u8]) -> bool {
    let wrapped = |start: &[u8], end: &[u8]| value.starts_with(start) && value.ends_with(end);
    match value {
        [b'$', b'{' | b'(', ..] | [b'{', b'{', ..] | [b'<', ..] | [b'[', b'R', b'E', ..] => true,
        [b'E', b'N', b'C', b'[' | b'(', ..] => true,
        [b'#', b'{', ..] | [b'&', b'l', b't', ..] | [b'@', b'{', ..] => true,
        [b'$', rest @ ..] => {
            let name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b'[');
            rest.iter().all(name)
                && rest.iter().any(u8::is_ascii_alphabetic)
                && !rest.starts_with(b"2")
        }
        [b'{', ..] => value.ends_with(b"}"),
        [b'_', b'_', ..] => value.len() < 12,
        _ => wrapped(b"%", b"%") || wrapped(b"__", b"__"),
    }
}

/// Whether a value is one or two characters again and again.
fn is_repeated(value: &[u8]) -> bool {
    value.len() >= 4 && entropy(value) < 1.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_stands_for_a_secret_is_a_placeholder() {
        for value in [
            "changeme",
            "${TOKEN}",
            "$TOKEN",
            "<your token>",
            "{{ .Values.x }}",
            "xxxxxxxx",
            "****1234",
            "[REDACTED_GITHUB_KEY]",
            "AKIAIOSFODNN7EXAMPLE",
            "none",
            "%PASSWORD%",
            "aaaaaaaaaaaa",
            "$(cat file)",
            "your_api_key",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn a_real_value_is_none() {
        for value in ["hunter2", "$ecret!", "9f86d081884c7d65", "correct horse"] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }
}
