//! Remembers texts in which nothing was found, so that a long history is not
//! looked through again every turn.

use std::{
    fmt,
    hash::{BuildHasher, Hash, RandomState},
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// How many texts are remembered; a later one takes the place of another.
const PLACES: usize = 1 << 14;

/// Texts so short are looked through as fast as they are looked up.
const SHORT: usize = 256;

/// Hashes of texts, by a key of the process's own. No text is kept. That another
/// text has the same hash takes a collision in 64 random bits.
pub(super) struct Remembered {
    hasher: RandomState,
    places: OnceLock<Box<[AtomicU64]>>,
}

impl Remembered {
    pub(super) fn new() -> Self {
        Self { hasher: RandomState::new(), places: OnceLock::new() }
    }

    /// Makes something of a text, or knows that there is nothing to make. `how`
    /// tells apart what it is looked through for.
    pub(super) fn unless_clean(
        &self,
        text: &str,
        how: impl Hash,
        make: impl FnOnce(&str) -> Option<String>,
    ) -> Option<String> {
        if text.len() < SHORT {
            return make(text);
        }
        let hash = self.hasher.hash_one((how, text)) | 1;
        let places = self.places.get_or_init(|| (0..PLACES).map(|_| AtomicU64::new(0)).collect());
        let place = places.get(hash as usize / 2 % PLACES);
        if place.is_some_and(|place| place.load(Ordering::Relaxed) == hash) {
            return None;
        }
        let made = make(text);
        if let (None, Some(place)) = (&made, place) {
            place.store(hash, Ordering::Relaxed);
        }
        made
    }
}

impl fmt::Debug for Remembered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remembered")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_text_is_looked_through_once_and_another_every_time() {
        let remembered = Remembered::new();
        let long = "word ".repeat(100);
        let mut looks = 0;
        for _ in 0..3 {
            remembered.unless_clean(&long, 0, |_| {
                looks += 1;
                None
            });
        }
        assert_eq!(looks, 1);
        for _ in 0..3 {
            let made = remembered.unless_clean(&long, 1, |_| Some("x".into()));
            assert_eq!(made.as_deref(), Some("x"));
        }
    }
}
