//! Looks for words that announce what follows: `SSN`, `born on`, `phone`.

use super::chars::is_word;

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

/// Whether one of the words, which are in small letters, stands in the text.
pub(super) fn any(text: &str, words: &[&str]) -> bool {
    let lower = text.to_lowercase();
    words.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower.get(..at).and_then(|head| head.chars().next_back());
            let behind = lower.get(at + word.len()..).and_then(|rest| rest.chars().next());
            !before.is_some_and(glued) && !behind.is_some_and(is_word)
        })
    })
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
    fn the_tail_is_cut_between_characters() {
        let text = "é".repeat(100);
        assert!(tail(&text).len() <= REACH && tail(&text).chars().all(|c| c == 'é'));
        assert_eq!(tail("short"), "short");
    }
}
