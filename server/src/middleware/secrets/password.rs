//! Passwords: what a person may have made up, so that only its place tells.

use super::assignment::Value;
use super::bytes::{ByteSet, View, contains_ignoring_case};
use super::connector::Connector;
use super::placeholder::is_placeholder;

/// What a password is made of where nothing quotes it.
pub(super) const BARE: ByteSet = ByteSet::of(b"!#$%()*+-./:=?@[]^_{}~|")
    .with_range(b'0', b'9')
    .with_range(b'A', b'Z')
    .with_range(b'a', b'z')
    .with_range(0x80, 0xff);

/// Whether a value that a word such as `password` names is one.
pub(super) fn is_password(view: &View<'_>, value: &Value, connector: &Connector) -> bool {
    let text = view.slice(value.span.start, value.span.end);
    if !(4..=128).contains(&text.len()) || is_placeholder(text) || is_named(text) {
        return false;
    }
    if value.quoted {
        is_quoted_password(text, value, connector)
    } else {
        is_bare(view, value, connector)
    }
}

fn is_quoted_password(text: &[u8], value: &Value, connector: &Connector) -> bool {
    if value.spaced {
        // A sentence such as `Enter your password` is a label.
        let words = text.split(u8::is_ascii_whitespace).count();
        return connector.assigned
            && words <= 6
            && text.is_ascii()
            && !text.ends_with(b":")
            && !text.first().is_some_and(u8::is_ascii_uppercase)
            && !["pass", "enter", "your", "please", "the "]
                .iter()
                .any(|word| contains_ignoring_case(text, word.as_bytes()));
    }
    connector.assigned || has_digit_or_sign(text)
}

fn is_bare(view: &View<'_>, value: &Value, connector: &Connector) -> bool {
    let text = view.slice(value.span.start, value.span.end);
    let next = view.at(value.span.end);
    let called = text.contains(&b'(') || next == Some(b'(');
    // `env.DB_PASSWORD`, `config["x"]`, `Module::name`
    let member = text.windows(2).any(|pair| pair == b"::")
        || text.iter().filter(|b| matches!(b, b'.' | b':' | b'[')).count() > 0
            && text.first().is_some_and(u8::is_ascii_alphabetic)
            && text.iter().filter(|b| b.is_ascii_digit()).count() < 2;
    let path = text.starts_with(b"/") || text.starts_with(b"./") || text.starts_with(b"-");
    if !connector.assigned || called || member || path {
        return false;
    }
    if text.iter().any(u8::is_ascii_digit) {
        let number = text.iter().all(|b| b.is_ascii_digit() || *b == b'.');
        return text.len() >= if number { 6 } else { 4 } && !text.starts_with(b"$");
    }
    // Letters only: in an environment file, a query or an option.
    connector.tight && text.len() >= 6 && !matches!(next, Some(b',' | b')' | b';' | b'[' | b'.'))
}

/// Whether a value by the word `pass` is rather a path, a number or a test.
pub(super) fn is_other_pass(text: &[u8]) -> bool {
    let letters = text.iter().filter(|b| b.is_ascii_alphabetic()).count();
    letters < 2
        || text.starts_with(b"0x")
        || text.iter().any(|b| matches!(b, b'/' | b'(' | b')' | b'.'))
        || text.starts_with(b"__")
}

fn has_digit_or_sign(text: &[u8]) -> bool {
    text.iter().any(|b| {
        b.is_ascii_digit() || (b.is_ascii_punctuation() && !matches!(b, b'_' | b'-' | b'.'))
    })
}

/// Whether a value is the name of what holds the password, not itself.
fn is_named(text: &[u8]) -> bool {
    let letters = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-');
    let upper = text.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_');
    let address = contains_ignoring_case(text, b"://");
    (upper && text.contains(&b'_'))
        || address
        || text.starts_with(b"arn:")
        || (text.iter().all(letters) && text.len() <= 12 && text.ends_with(b"_password"))
}
