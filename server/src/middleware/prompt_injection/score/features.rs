//! What the model knows of a text: its features, and where their weights are.

/// How many weights there are, as a power of two.
pub(in super::super) const BITS: u32 = 18;

/// A group of features, which share how much one of them counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(in super::super) enum Group {
    /// A word.
    Word,
    /// Two words, one after the other.
    Pair,
    /// Four letters of a word.
    Piece,
    /// What a word means.
    Meaning,
    /// A meaning, and one shortly before it.
    Follows,
    /// Three meanings.
    Triple,
    /// A mark of a conversation's frame.
    Mark,
    /// How the text looks.
    Shape,
}

/// How many groups there are.
pub(in super::super) const GROUPS: usize = 8;

/// Takes the features of a text, a sentence after the other.
pub(in super::super) trait Sink {
    /// Takes a feature of the sentence that is read.
    fn feature(&mut self, group: Group, hash: u64);
    /// Ends a sentence of so many words.
    fn sentence(&mut self, words: u32);
}

/// Where the weight of a feature stands.
#[inline]
pub(in super::super) const fn place(group: Group, hash: u64) -> usize {
    let salted = (hash ^ ((group as u64 + 1) << 56)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (salted >> (u64::BITS - BITS)) as usize
}

/// What in a text is worth a second look.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Hints {
    /// Words of English in ROT13.
    pub(super) rotated: u32,
    /// Words of English read backwards.
    pub(super) reversed: u32,
    /// The longest run of single letters.
    pub(super) spelled: u32,
    /// Words of at least 16 letters or digits.
    pub(super) long: u32,
    /// Percent signs, ampersands and backslashes.
    pub(super) escapes: u32,
    /// How often something that instructs is said to be ignored.
    pub(super) overrides: u32,
}
