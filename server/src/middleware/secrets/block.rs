//! Private keys in text form, from `-----BEGIN … PRIVATE KEY-----` to its end.
//!
//! Read as words between white space, each once, so that a stream knows after
//! every word whether it is still inside.

use std::ops::Range;

/// The longest block. What is longer is cut there.
pub const MAX_BLOCK: usize = 16 * 1024;

/// What a block begins with.
pub(super) const BEGIN: &str = "-----BEGIN";

/// The least of encoded bytes that make a key and no mention of one.
const MIN_BODY: usize = 24;

/// How many short words may stand in a row, since who writes of keys goes on in
/// short words.
const MAX_SHORT: u8 = 12;

/// The state between two words of a text.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    phase: Phase,
    start: usize,
    end: usize,
    private: bool,
    words: u8,
    body: usize,
    /// How many short words came last.
    short: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Outside,
    /// Between `-----BEGIN` and `-----`.
    Header,
    Body,
    /// Between `-----END` and `-----`.
    Footer,
}

impl Block {
    /// Whether what comes next may belong to a block.
    pub(super) fn is_open(&self) -> bool {
        self.phase != Phase::Outside
    }

    /// Takes the next word, which begins at `at`. A block that is complete with
    /// it, or was before it, is returned.
    pub(super) fn word(&mut self, word: &[u8], at: usize) -> Option<Range<usize>> {
        let open = self.is_open();
        let begins = word.ends_with(BEGIN.as_bytes());
        let fits = match self.phase {
            Phase::Outside => true,
            _ if begins => false,
            _ if at + word.len() > self.start + MAX_BLOCK => false,
            Phase::Header => self.header(word, at),
            Phase::Body => self.body(word, at),
            Phase::Footer => self.footer(word, at),
        };
        let found = if open && (!fits || !self.is_open()) { self.finish() } else { None };
        if begins {
            let start = word.len() - BEGIN.len();
            *self = Self { phase: Phase::Header, start: at + start, ..Self::default() };
        }
        found
    }

    /// Counts from a later place on.
    pub(super) fn rebase(&mut self, at: usize) {
        self.start = self.start.saturating_sub(at);
        self.end = self.end.saturating_sub(at);
    }

    /// The block that is complete at the end of the text, if one is.
    pub(super) fn finish(&mut self) -> Option<Range<usize>> {
        let block = std::mem::take(self);
        (block.private && block.body >= MIN_BODY).then_some(block.start..block.end)
    }

    fn header(&mut self, word: &[u8], at: usize) -> bool {
        self.words += 1;
        let Some(dashes) = position(word, b"-----") else {
            self.private |= word == b"PRIVATE";
            return self.words <= 5
                && word.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        };
        self.phase = Phase::Body;
        let rest = dashes + 5;
        self.end = at + rest;
        self.private && self.body(word.get(rest..).unwrap_or_default(), at + rest)
    }

    fn body(&mut self, word: &[u8], at: usize) -> bool {
        if let Some(end) = position(word, b"-----END") {
            self.body += encoded(word.get(..end).unwrap_or_default());
            self.phase = Phase::Footer;
            let after = end + 8;
            return word.len() == after
                || self.footer(word.get(after..).unwrap_or_default(), at + after);
        }
        let said = word.ends_with(b":") || word.contains(&b',');
        let letters = encoded(word);
        let fits = match letters {
            0 => word.len() <= 4,
            _ if said => word.len() <= 80,
            16.. => letters + 8 >= word.len() || letters * 10 >= word.len() * 9,
            _ => letters == word.len() && self.short < MAX_SHORT,
        };
        if fits {
            self.body += if said { 0 } else { letters };
            if letters >= 16 {
                (self.short, self.end) = (0, at + word.len());
            } else {
                self.short += 1;
            }
        }
        fits
    }

    fn footer(&mut self, word: &[u8], at: usize) -> bool {
        let Some(dashes) = position(word, b"-----") else {
            return word.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        };
        self.end = at + dashes + 5;
        false
    }
}

/// How many bytes of a word may be base 64.
fn encoded(word: &[u8]) -> usize {
    word.iter().filter(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')).count()
}

fn position(word: &[u8], part: &[u8]) -> Option<usize> {
    word.windows(part.len()).position(|window| window == part)
}

/// The block that begins at `start`.
pub(super) fn find(text: &[u8], start: usize) -> Option<Range<usize>> {
    let tail = text.get(start..text.len().min(start + MAX_BLOCK + 64))?;
    let mut block = Block::default();
    let mut at = start;
    for word in tail.split(u8::is_ascii_whitespace) {
        if !word.is_empty() {
            let found = block.word(word, at);
            if found.is_some() || !block.is_open() {
                return found;
            }
        }
        at += word.len() + 1;
    }
    block.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let text = text.replace("KEY_", "PRIVATE KEY-----");
        let start = text.find(BEGIN).unwrap();
        let found = find(text.as_bytes(), start).map(|span| text.get(span).unwrap());
        let expected = expected.map(|text| text.replace("KEY_", "PRIVATE KEY-----"));
        assert_eq!(found, expected.as_deref(), "in {text:?}");
    }

    #[test]
    fn a_key_reaches_to_its_end() {
        let key = "-----BEGIN RSA KEY_\nMIIEpQIBAAKCAQEAn6/O8li+SX4m98LL\nYt/P=\n-----END RSA KEY_";
        check(&format!("a {key} b"), Some(key));
        let escaped = key.replace('\n', r"\n");
        check(&format!("\"{escaped}\","), Some(&escaped));
        let headed =
            key.replace("KEY_\nMII", "KEY_\nProc-Type: 4,ENCRYPTED\nDEK-Info: DES,08\n\nMII");
        check(&headed, Some(&headed));
    }

    #[test]
    fn a_key_without_an_end_reaches_as_far_as_it_looks_like_one() {
        let key =
            "-----BEGIN KEY_\nMIIEpQIBAAKCAQEAn6/O8li+SX4m98LL\nMIIEpQIBAAKCAQEAn6/O8li+SX4m98LL";
        check(key, Some(key));
        check(&format!("{key}\nand so on it goes"), Some(key));
    }

    #[test]
    fn a_mention_of_a_key_is_none() {
        check("-----BEGIN KEY_ is how a key begins", None);
        check("-----BEGIN KEY_\nanything\n-----END KEY_", None);
        check("-----BEGIN CERTIFICATE-----\nMIIEpQIBAAKCAQEAn6/O8li+SX4m98LL\n", None);
    }
}
