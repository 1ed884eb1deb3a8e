//! Says after which white space a text may be cut, so that no finding crosses
//! the cut. This is the only place that decides it, for whole texts and for
//! streams.

use super::block::Block;

/// The longest run without white space that is searched as one; also the most
/// that a stream holds back, apart from private keys.
pub const MAX_RUN: usize = 4096;

/// The longest quoted value with white space in it.
pub(super) const MAX_QUOTED: usize = 128;

/// Which quoted values are open. Fed every byte once.
#[derive(Debug, Clone, Default)]
pub(super) struct Quotes {
    open: Option<(u8, usize)>,
    /// What was last seen but spaces, and how many spaces since.
    last: u8,
    spaces: u8,
    escaped: bool,
}

impl Quotes {
    /// Takes the byte at `at`. `Some` with the opening quote's place when it
    /// closes a quoted value.
    pub(super) fn feed(&mut self, byte: u8, at: usize) -> Option<usize> {
        let escaped = self.escaped;
        self.escaped = byte == b'\\' && !escaped;
        if let Some((quote, since)) = self.open {
            if byte == b'\n' || at > since + MAX_QUOTED {
                self.open = None;
            } else if byte == quote && !escaped {
                self.open = None;
                self.note(byte);
                return Some(since);
            } else {
                return None;
            }
        }
        let opens = matches!(byte, b'"' | b'\'' | b'`')
            && !escaped
            && self.spaces <= 2
            && matches!(self.last, b'=' | b':' | b'>' | b'(' | b's');
        if opens {
            self.open = Some((byte, at));
        }
        self.note(byte);
        None
    }

    /// Takes bytes before which no quoted value was open, and none begins in.
    pub(super) fn pass(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.escaped = *byte == b'\\' && !self.escaped;
            self.note(*byte);
        }
    }

    /// Whether a quoted value is open.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn note(&mut self, byte: u8) {
        match byte {
            b' ' => self.spaces = self.spaces.saturating_add(1),
            b'\n' => (self.last, self.spaces) = (b'\n', 0),
            // A value follows `is` or `was`, if any word.
            b's' if matches!(self.last, b'i' | b'a') && self.spaces == 0 => self.last = b's',
            b's' => (self.last, self.spaces) = (b'x', 0),
            byte => (self.last, self.spaces) = (byte, 0),
        }
    }
}

/// A place where a stream may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// Where.
    pub(super) at: usize,
    /// In the middle of a run that is too long.
    pub(super) forced: bool,
}

/// Finds the cuts of a text that arrives piece by piece.
#[derive(Debug, Clone, Default)]
pub(super) struct Cutter {
    quotes: Quotes,
    block: Block,
    /// Where the current run without white space begins.
    run: usize,
}

impl Cutter {
    /// Takes the character that stands at `at` of `held`. `Some` when the text
    /// may be cut behind it, or must be before it.
    pub(super) fn feed(&mut self, held: &str, at: usize, c: char) -> Option<Cut> {
        if !c.is_ascii_whitespace() {
            let forced = at + c.len_utf8() > self.run + MAX_RUN;
            if forced {
                *self = Self { run: at, ..Self::default() };
            }
            let first = if c.is_ascii() { c as u8 } else { b'~' };
            self.quotes.feed(first, at);
            return forced.then_some(Cut { at, forced });
        }
        if at > self.run {
            let word = held.as_bytes().get(self.run..at).unwrap_or_default();
            self.block.word(word, self.run);
        }
        self.quotes.feed(c as u8, at);
        self.run = at + 1;
        let safe = !self.quotes.is_open() && !self.block.is_open();
        safe.then_some(Cut { at: at + 1, forced: false })
    }

    /// Counts from a later place on, after a cut at `at`.
    pub(super) fn rebase(&mut self, at: usize) {
        self.run = self.run.saturating_sub(at);
        self.quotes.open = self.quotes.open.map(|(quote, since)| (quote, since.saturating_sub(at)));
        self.block.rebase(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with a `|` at every cut.
    fn cuts(text: &str) -> String {
        let mut cutter = Cutter::default();
        let mut out = String::new();
        for (at, c) in text.char_indices() {
            out.push(c);
            if cutter.feed(text, at, c).is_some() {
                out.push('|');
            }
        }
        out
    }

    #[test]
    fn prose_is_cut_after_every_word() {
        assert_eq!(cuts("It's so, \"he said\". Yes"), "It's |so, |\"he |said\". |Yes");
    }

    #[test]
    fn a_quoted_value_stays_together() {
        assert_eq!(cuts("a = \"b c d\" e f"), "a |= |\"b c d\" |e |f");
        assert_eq!(cuts("a = \"b c\nd e"), "a |= |\"b c\n|d |e");
        assert_eq!(cuts("it is 'b c' d"), "it |is |'b c' |d");
    }

    #[test]
    fn a_private_key_stays_together() {
        let text = "-----BEGIN PRIVATE KEY-----\nMIIEpQIBAAKCAQEAn6/O8li\nMIIE=\n-----END x";
        assert!(!cuts(text).contains('|'), "{}", cuts(text));
        assert_eq!(cuts("-----BEGIN of it all"), "-----BEGIN of |it |all");
    }
}
