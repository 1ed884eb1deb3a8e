//! Sets of bytes, and what stands at a place of a text.

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct ByteSet([u64; 4]);

impl ByteSet {
    /// The set of these bytes.
    pub(super) const fn of(bytes: &[u8]) -> Self {
        let mut set = Self([0; 4]);
        let mut rest = bytes;
        while let Some((byte, tail)) = rest.split_first() {
            set = set.with(*byte);
            rest = tail;
        }
        set
    }

    /// The set with one more byte.
    pub(super) const fn with(mut self, byte: u8) -> Self {
        let bit = 1 << (byte & 63);
        let [a, b, c, d] = &mut self.0;
        match byte >> 6 {
            0 => *a |= bit,
            1 => *b |= bit,
            2 => *c |= bit,
            _ => *d |= bit,
        }
        self
    }

    /// The set with every byte of a range.
    pub(super) const fn with_range(mut self, first: u8, last: u8) -> Self {
        let mut byte = first;
        while byte <= last {
            self = self.with(byte);
            if byte == u8::MAX {
                break;
            }
            byte += 1;
        }
        self
    }

    /// The letters and digits of ASCII.
    pub(super) const ALNUM: Self =
        Self([0; 4]).with_range(b'0', b'9').with_range(b'A', b'Z').with_range(b'a', b'z');

    /// Whether a byte is in the set.
    #[inline]
    pub(super) const fn has(&self, byte: u8) -> bool {
        let [a, b, c, d] = self.0;
        let word = match byte >> 6 {
            0 => a,
            1 => b,
            2 => c,
            _ => d,
        };
        word >> (byte & 63) & 1 == 1
    }

    /// How many bytes from `at` on are in the set, `most` at most.
    #[inline]
    pub(super) fn run(&self, text: &[u8], at: usize, most: usize) -> usize {
        let tail = text.get(at..).unwrap_or_default();
        tail.iter().take(most).take_while(|byte| self.has(**byte)).count()
    }

    /// How many bytes before `at` are in the set, `most` at most.
    #[inline]
    pub(super) fn run_back(&self, text: &[u8], at: usize, most: usize) -> usize {
        let head = text.get(..at).unwrap_or_default();
        head.iter().rev().take(most).take_while(|byte| self.has(**byte)).count()
    }
}

/// What a detector sees: a region of the text, and whether it goes on at its ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'t> {
    pub(super) text: &'t [u8],
    /// The region begins in the middle of a run without white space.
    pub(super) open_start: bool,
    /// It ends in the middle of one.
    pub(super) open_end: bool,
}

impl<'t> View<'t> {
    /// The byte at a place. Where the region was cut by force it is a letter:
    /// whatever it was, nothing may end there.
    #[inline]
    pub(super) fn at(&self, at: usize) -> Option<u8> {
        let found = self.text.get(at).copied();
        if found.is_none() && self.open_end { Some(b'a') } else { found }
    }

    /// The byte before a place, with the same rule.
    #[inline]
    pub(super) fn before(&self, at: usize) -> Option<u8> {
        match at.checked_sub(1) {
            None => self.open_start.then_some(b'a'),
            Some(at) => self.text.get(at).copied(),
        }
    }

    /// A stretch, empty when there is no such.
    #[inline]
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t [u8] {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Whether a token may begin here: no letter or digit stands before it,
    /// unless that belongs to an escape such as `\n`.
    #[inline]
    pub(super) fn begins(&self, at: usize) -> bool {
        match self.before(at) {
            Some(b'n' | b'r' | b't') => at >= 2 && self.text.get(at - 2) == Some(&b'\\'),
            Some(byte) => !byte.is_ascii_alphanumeric(),
            None => true,
        }
    }
}

/// Whether `needle`, which is in lower case, is in `text`, whatever its case.
pub(super) fn contains_ignoring_case(text: &[u8], needle: &[u8]) -> bool {
    !needle.is_empty() && text.windows(needle.len()).any(|part| part.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        let set = ByteSet::of(b"-_").with_range(b'x', b'z').with(0xff);
        let all: Vec<u8> = (0..=255).filter(|byte| set.has(*byte)).collect();
        assert_eq!(all, b"-_xyz\xff");
    }

    #[test]
    fn an_escape_is_no_part_of_the_word_behind_it() {
        let view =
            |text: &'static str| View { text: text.as_bytes(), open_start: false, open_end: false };
        assert!(view(r"a\nkey").begins(3));
        assert!(!view("ankey").begins(2));
    }
}
