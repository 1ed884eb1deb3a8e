//! Remembers where secrets stand in texts that were searched before, so that a
//! long history is not searched again on every turn. The texts themselves are
//! not kept, only their hashes.

use super::candidate::Candidate;
use parking_lot::Mutex;
use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::BuildHasher,
    sync::Arc,
};

/// How many texts are remembered at most.
const MAX_TEXTS: usize = 8192;

/// Shorter texts are searched as fast as looked up.
const MIN_LENGTH: usize = 512;

/// How many findings of one text are remembered.
const MAX_FOUND: usize = 64;

/// Where secrets stand in a text.
type Found = Arc<[Candidate]>;

/// What was found in the last texts.
#[derive(Default)]
pub(super) struct Remembered {
    /// Two, so that a hash is 128 bits: one must not pass for another.
    keys: (RandomState, RandomState),
    texts: Mutex<Generations>,
}

/// The texts of late, and those before them, which are forgotten at once when
/// there are enough of late.
#[derive(Default)]
struct Generations {
    late: HashMap<(u64, u64), Found>,
    before: HashMap<(u64, u64), Found>,
}

impl Remembered {
    /// What was found in a text before, or else by searching it.
    pub(super) fn or(&self, text: &str, search: impl FnOnce() -> Vec<Candidate>) -> Found {
        if text.len() < MIN_LENGTH {
            return search().into();
        }
        let hash = (self.keys.0.hash_one(text), self.keys.1.hash_one(text));
        if let Some(found) = self.texts.lock().get(hash) {
            return found;
        }
        let found: Found = search().into();
        if found.len() <= MAX_FOUND {
            self.texts.lock().put(hash, Arc::clone(&found));
        }
        found
    }
}

impl Generations {
    fn get(&mut self, hash: (u64, u64)) -> Option<Found> {
        if let Some(found) = self.late.get(&hash) {
            return Some(Arc::clone(found));
        }
        let found = self.before.remove(&hash)?;
        self.put(hash, Arc::clone(&found));
        Some(found)
    }

    fn put(&mut self, hash: (u64, u64), found: Found) {
        if self.late.len() >= MAX_TEXTS / 2 {
            self.before = std::mem::take(&mut self.late);
        }
        self.late.insert(hash, found);
    }
}

impl std::fmt::Debug for Remembered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remembered").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: usize) -> String {
        format!("{number} ").repeat(MIN_LENGTH)
    }

    #[test]
    fn a_text_is_searched_once() {
        let remembered = Remembered::default();
        let mut searched = 0;
        for _ in 0..3 {
            remembered.or(&text(1), || {
                searched += 1;
                Vec::new()
            });
        }
        assert_eq!(searched, 1);
    }

    #[test]
    fn as_many_texts_are_remembered_as_there_is_room_for() {
        let mut generations = Generations::default();
        for number in 0..MAX_TEXTS as u64 * 3 {
            generations.put((number, 0), Arc::from([]));
            // One that is asked for again and again stays.
            assert!(generations.get((0, 0)).is_some());
        }
        assert!(generations.late.len() + generations.before.len() <= MAX_TEXTS);
        assert!(generations.get((1, 0)).is_none());
    }
}
