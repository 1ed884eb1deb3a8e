//! Says which parts of a text are worth searching: nearly all of prose is not.
//!
//! A secret is no ordinary word. It holds a digit or a sign, is long, or is a
//! password that some word announces. Everything else is passed over block by
//! block, and what is left is searched together with what stands before it.

use std::ops::Range;

/// How far before a value what names it may begin.
pub(super) const REACH: usize = 192;

/// A word that is longer is always searched.
const LONG: usize = 20;

/// How many bytes are passed over at once.
const BLOCK: usize = 32;

/// Calls `found` for every part of the text that may hold a secret, in order
/// and without overlap.
pub(super) fn parts(text: &[u8], mut found: impl FnMut(Range<usize>)) {
    let mut part: Option<Range<usize>> = None;
    // Words that begin before this are done.
    let mut done = 0;
    let mut spoken = Spoken::default();
    for (index, block) in text.chunks(BLOCK).enumerate() {
        if is_prose(block) {
            continue;
        }
        let (start, end) = (index * BLOCK, index * BLOCK + block.len());
        let mut at = start.max(done);
        if at == start {
            at = word_start(text, at, done);
        }
        while at < end {
            let word = word_at(text, at);
            if may_be_secret(text, &word, &mut spoken) {
                let from = word.start.saturating_sub(REACH);
                match &mut part {
                    Some(part) if part.end >= from => part.end = word.end,
                    _ => {
                        if let Some(part) = part.replace(from..word.end) {
                            found(part);
                        }
                    }
                }
            }
            at = word.end + 1;
        }
        done = at;
    }
    if let Some(part) = part {
        found(part);
    }
}

/// Whether a block is letters and what stands between words, and no word fills a
/// quarter of it.
#[inline]
fn is_prose(block: &[u8]) -> bool {
    let strange = block.iter().fold(0, |strange, &byte| {
        let letter = u8::from((byte | 0x20).wrapping_sub(b'a') < 26);
        let between = u8::from(byte == b' ') | u8::from(byte == b'.') | u8::from(byte == b',');
        let beyond = u8::from(byte == b'\n') | byte >> 7;
        strange | ((letter | between | beyond) ^ 1)
    });
    strange == 0
        && block
            .chunks(8)
            .all(|group| group.iter().fold(0, |spaces, byte| spaces | u8::from(*byte <= b' ')) == 1)
}

/// Where the word around a place begins, `from` or later.
fn word_start(text: &[u8], at: usize, from: usize) -> usize {
    let head = text.get(from..at).unwrap_or_default();
    head.iter().rposition(u8::is_ascii_whitespace).map_or(from, |space| from + space + 1)
}

/// The word that begins at a place.
fn word_at(text: &[u8], at: usize) -> Range<usize> {
    let tail = text.get(at..).unwrap_or_default();
    let length = tail.iter().position(u8::is_ascii_whitespace).unwrap_or(tail.len());
    at..at + length
}

/// Whether a word may be or hold a secret. An estimate from above.
fn may_be_secret(text: &[u8], word: &Range<usize>, spoken: &mut Spoken) -> bool {
    let bytes = text.get(word.clone()).unwrap_or_default();
    if bytes.len() >= LONG || bytes.len() < 4 {
        return bytes.len() >= LONG;
    }
    let (mut digits, mut letters, mut signs, mut quotes, mut turns) =
        (0_u8, 0_u8, 0_u8, 0_u8, 0_u8);
    let mut last = b' ';
    for &byte in bytes {
        let letter = byte.is_ascii_alphabetic();
        digits += u8::from(byte.is_ascii_digit());
        letters += u8::from(letter);
        signs += u8::from(is_sign(byte));
        // Not that of `don't`.
        quotes +=
            u8::from(matches!(byte, b'"' | b'`') || (byte == b'\'' && !last.is_ascii_alphabetic()));
        turns += u8::from(letter && last.is_ascii_alphabetic() && (byte ^ last) & 0x20 != 0);
        last = byte;
    }
    let by_form = (digits > 0 && letters > 0 && bytes.len() >= 8)
        || (signs > 0 && bytes.len() >= 12)
        || turns >= 4
        || bytes.starts_with(b"-----")
        || (signs > 0 && letters > 0 && bytes.len() >= 8 && bytes.contains(&b':'));
    // Anything may be a password, where one is spoken of.
    by_form || ((digits | signs | quotes) > 0 && spoken.near(text, word))
}

/// Whether a byte is no part of words, nor of what stands around them.
fn is_sign(byte: u8) -> bool {
    byte.is_ascii_punctuation()
        && !matches!(
            byte,
            b'.' | b',' | b'-' | b'\'' | b'"' | b'`' | b'(' | b')' | b'!' | b'?' | b';'
        )
}

/// Where a password was last spoken of, as far as the text was read for that.
#[derive(Default)]
struct Spoken {
    read: usize,
    last: Option<usize>,
}

impl Spoken {
    /// Whether a password is spoken of in a word or shortly before it.
    fn near(&mut self, text: &[u8], word: &Range<usize>) -> bool {
        let reach = word.start.saturating_sub(REACH);
        self.read = self.read.max(reach);
        while self.read < word.end {
            let end = word.end.min(self.read + 64);
            // Two bytes more, so that no word is missed between two steps.
            if speaks(text.get(self.read..text.len().min(end + 2)).unwrap_or_default()) {
                self.last = Some(end);
            }
            self.read = end;
        }
        self.last.is_some_and(|last| last >= reach)
    }
}

/// Whether `pas` or `pw` is in a text. All of it is looked at, whatever was found:
/// that is faster.
fn speaks(text: &[u8]) -> bool {
    let next = text.get(1..).unwrap_or_default();
    let third = text.get(2..).unwrap_or_default();
    let spoken = text.iter().zip(next).zip(third).fold(0, |spoken, ((a, b), c)| {
        let (a, b, c) = (a | 0x20, b | 0x20, c | 0x20);
        let pass = u8::from(b == b'a') & u8::from(c == b's');
        spoken | (u8::from(a == b'p') & (pass | u8::from(b == b'w')))
    });
    spoken != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        parts(text.as_bytes(), |part| {
            all.push(String::from_utf8_lossy(text.as_bytes().get(part).unwrap()).into_owned());
        });
        all
    }

    #[test]
    fn prose_is_passed_over() {
        let prose = "It was the best of times, it was the worst of times, in 1859. \
            \"You don't say so,\" said he; well-known (or not) to all at 10:30.\n";
        assert_eq!(found(&prose.repeat(20)), [""; 0]);
    }

    #[test]
    fn a_token_is_searched_with_what_stands_before_it() {
        let before = "x y ".repeat(100);
        let parts = found(&format!("{before}the key a1b2c3d4e5f6 and so on"));
        assert_eq!(parts.len(), 1);
        let part = parts.first().unwrap();
        assert!(part.ends_with("the key a1b2c3d4e5f6"), "{part:?}");
        assert_eq!(part.len(), REACH + 12);
    }

    #[test]
    fn a_short_password_is_searched_where_one_is_spoken_of() {
        assert_eq!(found("my password is 'abc'"), ["my password is 'abc'"]);
        assert_eq!(found("my motto is 'abc'"), [""; 0]);
    }
}
