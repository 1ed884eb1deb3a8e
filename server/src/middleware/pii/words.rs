//! Looks for words that announce what follows: `SSN`, `born on`, `phone`.

use super::chars::is_word;
use std::borrow::Cow;

/// How many bytes before a finding may hold such a word.
pub(super) const REACH: usize = 64;

/// The last part of what was written, as far as words in it count.
pub(super) fn tail(written: &str) -> &str {
    let mut from = written.len().saturating_sub(REACH);
    while !written.is_char_boundary(from) {
        from += 1;
    }
    written.get(from..).unwrap_or_default()
}

/// The words that a name of JSON is made of: `birth date ` of `birth_date` and of
/// `birthDate`.
pub(super) fn of_name(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for c in name.chars() {
        if was_lower && c.is_uppercase() {
            words.push(' ');
        }
        words.push(if c.is_alphanumeric() { c } else { ' ' });
        was_lower = c.is_lowercase();
    }
    if !words.is_empty() {
        words.push(' ');
    }
    words
}

/// Whether one of the words, which are in small letters, stands in the text.
pub(super) fn any(text: &str, words: &[&str]) -> bool {
    // Without other letters, capitals are as long as small ones, and need no copy.
    let lower = match text.is_ascii() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.to_lowercase()),
    };
    let firsts = words.iter().fold(0, |all, word| all | first(word.bytes().next()));
    let bytes = lower.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| {
        firsts & first(Some(*byte)) != 0
            && !lower.get(..at).and_then(|head| head.chars().next_back()).is_some_and(glued)
            && lower.get(at..).is_some_and(|rest| {
                let same = |word: &&&str| first(word.bytes().next()) == first(Some(*byte));
                words.iter().filter(same).any(|word| begins_with(rest, word))
            })
    })
}

/// A first letter as one of 26 bits, whatever its case; anything else is another bit.
fn first(byte: Option<u8>) -> u32 {
    let place = |byte: u8| (byte | 0x20).wrapping_sub(b'a').min(26);
    byte.map_or(0, |byte| 1 << place(byte))
}

/// Whether a text begins with a whole word.
fn begins_with(text: &str, word: &str) -> bool {
    let head = text.as_bytes().get(..word.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
        && !text.get(word.len()..).and_then(|rest| rest.chars().next()).is_some_and(is_word)
}

/// A word behind this is part of a name: `.id` of a domain.
fn glued(c: char) -> bool {
    is_word(c) || c == '.' || c == '@'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_count() {
        assert!(any("my SSN is", &["ssn"]) && any("born on", &["date of birth", "born"]));
        for text in ["lessn", "us_ssn", "ssn2", "x.ssn", ""] {
            assert!(!any(text, &["ssn"]), "{text}");
        }
    }

    #[test]
    fn a_name_is_read_as_its_words() {
        for name in ["birth_date", "birth-date", "birthDate", "birth.date"] {
            assert_eq!(of_name(name).to_lowercase(), "birth date ", "{name}");
        }
        assert_eq!(of_name("SSN"), "SSN ");
        assert_eq!(of_name(""), "");
    }

    #[test]
    fn the_tail_is_cut_between_characters() {
        let text = "é".repeat(100);
        assert!(tail(&text).len() <= REACH && tail(&text).chars().all(|c| c == 'é'));
        assert_eq!(tail("short"), "short");
    }
}
