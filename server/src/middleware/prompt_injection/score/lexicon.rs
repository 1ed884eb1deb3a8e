//! What words mean for an attack, in every language of the word list.

use super::fold::{fold, is_dense};
use std::sync::LazyLock;

/// A meaning: the number of its name in the order of the list.
pub(super) type Meaning = u8;

/// The words of the list, hashed.
#[derive(Debug)]
pub(super) struct Lexicon {
    names: Vec<&'static str>,
    /// Open addressing; 0 is free.
    slots: Vec<(u64, Entry)>,
    /// Which hashes may be in `slots`, so that most bytes cost one bit.
    seen: Vec<u64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    meaning: Meaning,
    /// Whether the word may go on.
    stem: bool,
}

/// The list, read once.
pub(super) static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::read(include_str!("lexicon.txt")));

const SLOTS: usize = 1 << 13;
const SEEN: usize = 1 << 16;

/// The hash of nothing.
pub(super) const START: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash with one more byte.
pub(super) const fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23)
}

impl Lexicon {
    fn read(list: &'static str) -> Self {
        let mut lexicon = Self {
            names: Vec::new(),
            slots: vec![(0, Entry::default()); SLOTS],
            seen: vec![0; SEEN / 64],
        };
        for line in list.lines().filter(|line| !line.starts_with('#')) {
            let Some((name, words)) = line.split_once(':') else { continue };
            let known = lexicon.names.iter().position(|it| *it == name);
            let index = known.unwrap_or_else(|| {
                lexicon.names.push(name);
                lexicon.names.len() - 1
            });
            let meaning = Meaning::try_from(index).unwrap_or_default();
            for word in words.split_whitespace() {
                let dense = word.chars().any(is_dense);
                let stem = word.ends_with('*') || dense;
                let word = fold(word.trim_end_matches('*')).text;
                lexicon.insert(&word, Entry { meaning, stem });
            }
        }
        lexicon
    }

    fn insert(&mut self, word: &str, entry: Entry) {
        let hash = word.bytes().fold(START, step);
        let mut at = slot(hash);
        loop {
            match self.slots.get_mut(at) {
                Some(place) if place.0 == 0 => {
                    *place = (hash, entry);
                    break;
                }
                // The first meaning of a word counts.
                Some(place) if place.0 == hash => break,
                _ => at = (at + 1) % SLOTS,
            }
        }
        let (word, bit) = seen(hash);
        if let Some(bits) = self.seen.get_mut(word) {
            *bits |= bit;
        }
    }

    /// The meaning of a word that is complete (`whole`), or of a beginning.
    #[inline]
    pub(super) fn meaning(&self, hash: u64, whole: bool) -> Option<Meaning> {
        let (word, bit) = seen(hash);
        if self.seen.get(word).is_none_or(|bits| bits & bit == 0) {
            return None;
        }
        let mut at = slot(hash);
        loop {
            let (found, entry) = self.slots.get(at)?;
            if *found == 0 {
                return None;
            }
            if *found == hash {
                return (whole || entry.stem).then_some(entry.meaning);
            }
            at = (at + 1) % SLOTS;
        }
    }

    /// The number of a meaning.
    pub(super) fn named(&self, name: &str) -> Option<Meaning> {
        let index = self.names.iter().position(|it| *it == name)?;
        Meaning::try_from(index).ok()
    }
}

const fn slot(hash: u64) -> usize {
    (hash >> 40) as usize % SLOTS
}

const fn seen(hash: u64) -> (usize, u64) {
    let bit = (hash >> 16) as usize % SEEN;
    (bit / 64, 1 << (bit % 64))
}
