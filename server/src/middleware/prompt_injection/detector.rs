//! What judges texts for the middleware.

use super::score::{Scorer, Verdict};
use crate::engine::Fault;
use async_trait::async_trait;
use moka::sync::Cache;
use sha2::{Digest, Sha256};
use std::fmt;

/// Judges texts. A model that runs elsewhere can stand behind the same kind: see
/// [`PromptInjection::with`](super::PromptInjection::with).
#[async_trait]
pub trait Detector: fmt::Debug + Send + Sync {
    /// Judges a text.
    ///
    /// # Errors
    ///
    /// It cannot be judged now. This is a fault of the middleware, whose `on_fault`
    /// says what follows.
    async fn judge(&self, text: &str) -> Result<Verdict, Fault>;
}

#[async_trait]
impl Detector for Scorer {
    async fn judge(&self, text: &str) -> Result<Verdict, Fault> {
        Ok(Self::judge(self, text))
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

    pub(super) async fn judge(&self, text: &str) -> Result<Verdict, Fault> {
        if text.len() < WORTH_REMEMBERING {
            return self.detector.judge(text).await;
        }
        let key = Sha256::digest(text).into();
        if let Some(verdict) = self.verdicts.get(&key) {
            return Ok(verdict);
        }
        let verdict = self.detector.judge(text).await?;
        self.verdicts.insert(key, verdict);
        Ok(verdict)
    }
}
