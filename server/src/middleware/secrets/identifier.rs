//! The name around a word: whether what it names is a secret.

use super::bytes::{ByteSet, View};
use super::word;
use std::ops::Range;

/// How far a name reaches on either side of the word.
const REACH: usize = 64;

/// The longest word before it that a name may hold.
const LONGEST_WORD: usize = 32;

const NAME: ByteSet = ByteSet::ALNUM.with(b'_').with(b'-').with(b'.').with(b'$');

/// Whether a word stands at this place as a word, and not as a part of one such
/// as `keyboard` or `monkey`.
pub(super) fn stands_as_word(view: &View<'_>, hit: &Range<usize>) -> bool {
    let found = view.slice(hit.start, hit.end);
    let Some(last) = found.last() else { return false };
    if let Some(next) = view.at(hit.end) {
        // `tokenFile` goes on with another word, `tokens` does not.
        let goes_on =
            next.is_ascii_lowercase() || (next.is_ascii_uppercase() && last.is_ascii_uppercase());
        let plural = next == b's' && !view.at(hit.end + 1).is_some_and(|b| b.is_ascii_alphabetic());
        if goes_on && !plural {
            return false;
        }
    }
    let Some(before) = view.before(hit.start).filter(u8::is_ascii_alphabetic) else {
        return true;
    };
    let first = found.first().copied().unwrap_or_default();
    if first.is_ascii_uppercase() && before.is_ascii_lowercase() {
        return true;
    }
    if escaped(view, hit.start) {
        return true;
    }
    if found.eq_ignore_ascii_case(b"key") {
        let letters = ByteSet::ALNUM.run_back(view.text, hit.start, 16);
        return word::names_a_key(view.slice(hit.start - letters, hit.start));
    }
    word::may_end_a_word(found)
}

/// Whether the letter before a place belongs to an escape such as `\n`.
fn escaped(view: &View<'_>, at: usize) -> bool {
    view.begins(at)
}

/// Whether a place is in the middle of so much without a separator that no name
/// is there, but data.
pub(super) fn is_in_data(view: &View<'_>, at: usize) -> bool {
    ByteSet::ALNUM.run_back(view.text, at, LONGEST_WORD + 1) > LONGEST_WORD
}

/// The name around a word.
pub(super) fn around(view: &View<'_>, hit: &Range<usize>) -> Range<usize> {
    let start = hit.start - NAME.run_back(view.text, hit.start, REACH);
    start..hit.end + NAME.run(view.text, hit.end, REACH)
}

/// Whether what a name names may be a secret, as far as its words tell.
pub(super) fn may_name_a_secret(name: &[u8]) -> bool {
    let mut words = Vec::new();
    let mut current = String::new();
    let mut last = b' ';
    for &byte in name {
        let turns = byte.is_ascii_uppercase() && last.is_ascii_lowercase();
        if !byte.is_ascii_alphanumeric() || turns {
            end(&mut current, &mut words);
        }
        if byte.is_ascii_alphanumeric() {
            current.push(char::from(byte.to_ascii_lowercase()));
        }
        last = byte;
    }
    end(&mut current, &mut words);
    let numbered = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
    let ends = words.iter().rev().find(|word| !numbered(word));
    !words.iter().any(|word| word::is_public(word))
        && !ends.is_some_and(|word| {
            word::is_not_itself(word.trim_end_matches(|c: char| c.is_ascii_digit()))
        })
}

fn end(current: &mut String, words: &mut Vec<String>) {
    if !current.is_empty() {
        words.push(std::mem::take(current));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str) -> View<'_> {
        View { text: text.as_bytes(), open_start: false, open_end: false }
    }

    fn stands(text: &str, word: &str) -> bool {
        let at = text.find(word).unwrap();
        stands_as_word(&view(text), &(at..at + word.len()))
    }

    #[test]
    fn a_word_may_be_a_part_of_a_name_but_not_of_another_word() {
        for (text, word) in [
            ("my_api_key=", "key"),
            ("apiKey", "Key"),
            ("apikey", "key"),
            ("AUTHTOKEN", "TOKEN"),
            ("authToken", "Token"),
            ("tokens", "token"),
            (r"\nkey", "key"),
            ("netlifySECRET", "SECRET"),
        ] {
            assert!(stands(text, word), "{word} in {text}");
        }
        for (text, word) in
            [("monkey", "key"), ("keyboard", "key"), ("author", "auth"), ("compass", "pass")]
        {
            assert!(!stands(text, word), "{word} in {text}");
        }
    }

    #[test]
    fn a_name_says_whether_it_names_the_secret_itself() {
        for name in ["api_key", "accessToken", "AWS_SECRET_ACCESS_KEY", "token2"] {
            assert!(may_name_a_secret(name.as_bytes()), "{name}");
        }
        for name in ["publicKey", "tokenUrl", "key_id", "KeySize", "csrf_token", "secret_name2"] {
            assert!(!may_name_a_secret(name.as_bytes()), "{name}");
        }
    }
}
