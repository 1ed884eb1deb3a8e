//! Masks a text that arrives in pieces.

use std::fmt;

use super::counts::Counts;
use super::mask::{Masker, Masking};
use super::segments::{Cut, Cutter};
use super::words;

/// Masks streamed text: what leaves, put together, is what
/// [`Masker::mask_text`] makes of the whole.
///
/// Only complete segments leave, so nothing of a finding is shown before its
/// end is known. In prose that holds back the current word; never more than
/// [`super::MAX_SEGMENT`] bytes and one character. The work per byte does not
/// depend on how the text is cut into chunks.
pub struct StreamMasker {
    masker: Masker,
    cutter: Cutter,
    /// The segment that is not complete yet.
    held: String,
    /// The end of what has left, where words before a finding may stand.
    written: String,
    masking: Masking,
}

impl StreamMasker {
    /// A stream that has not begun.
    #[must_use]
    pub fn new(masker: Masker) -> Self {
        Self {
            masker,
            cutter: Cutter::new(),
            held: String::new(),
            written: String::new(),
            masking: Masking::default(),
        }
    }

    /// Takes the next piece and returns what may be shown, which is often empty.
    #[must_use = "what is not shown now is lost"]
    pub fn push(&mut self, chunk: &str) -> String {
        let old = self.written.len();
        let mut start = 0;
        self.held.push_str(chunk);
        for c in chunk.chars() {
            if let Some(cut) = self.cutter.feed(c) {
                self.release(start, &cut);
                start += cut.len;
            }
        }
        self.held.drain(..start);
        self.take(old)
    }

    /// The rest. The stream can then be used for another text.
    #[must_use = "what is not shown now is lost"]
    pub fn finish(&mut self) -> String {
        let old = self.written.len();
        if let Some(cut) = self.cutter.finish() {
            self.release(0, &cut);
        }
        self.held.clear();
        let out = self.take(old);
        self.written.clear();
        out
    }

    /// What was masked so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.masking.counts
    }

    /// How many bytes are held back.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.len()
    }

    fn release(&mut self, start: usize, cut: &Cut) {
        let text = self.held.get(start..start + cut.len).unwrap_or_default();
        let written = words::tail(&self.written);
        let masked = self.masker.mask_cut(text, cut, written, &mut self.masking);
        self.written.push_str(masked.as_deref().unwrap_or(text));
    }

    /// What was written behind a place; of the rest only the end is kept.
    fn take(&mut self, from: usize) -> String {
        let out = self.written.get(from..).unwrap_or_default().to_owned();
        let kept = words::tail(&self.written).len();
        self.written.drain(..self.written.len() - kept);
        out
    }
}

/// Leaves out the text: it may hold what was not masked yet.
impl fmt::Debug for StreamMasker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamMasker")
            .field("masker", &self.masker)
            .field("held", &self.held.len())
            .field("counts", &self.masking.counts)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
