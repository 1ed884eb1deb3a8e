//! What judges texts for the middleware.

use super::score::{Scorer, Verdict};
use moka::sync::Cache;
use sha2::{Digest, Sha256};
use std::fmt;

/// Judges texts. A model that runs elsewhere can stand behind the same kind.
pub trait Detector: fmt::Debug + Send + Sync {
    /// Judges a text.
    fn judge(&self, text: &str) -> Verdict;
}

impl Detector for Scorer {
    fn judge(&self, text: &str) -> Verdict {
        Self::judge(self, text)
    }
}

/// How many verdicts are remembered.
const REMEMBERED: u64 = 4096;
/// A shorter text is judged faster than it is looked up.
const WORTH_REMEMBERING: usize = 256;

/// A detector that remembers its verdicts by a hash of the text, so that a long
/// conversation is not judged again on every turn.
#[derive(Debug)]
pub(super) struct Remembering {
    detector: Box<dyn Detector>,
    verdicts: Cache<[u8; 32], Verdict>,
}

impl Remembering {
    pub(super) fn new(detector: Box<dyn Detector>) -> Self {
        Self { detector, verdicts: Cache::new(REMEMBERED) }
    }

    pub(super) fn judge(&self, text: &str) -> Verdict {
        if text.len() < WORTH_REMEMBERING {
            return self.detector.judge(text);
        }
        let key = Sha256::digest(text).into();
        self.verdicts.get_with(key, || self.detector.judge(text))
    }
}
