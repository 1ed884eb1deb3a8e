//! Masks a text that arrives in pieces.

use std::fmt;

use super::counts::Counts;
use super::mask::Masker;
use super::segments::{Cut, Cutter};

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
    counts: Counts,
}

impl StreamMasker {
    /// A stream that has not begun.
    #[must_use]
    pub fn new(masker: Masker) -> Self {
        Self { masker, cutter: Cutter::new(), held: String::new(), counts: Counts::default() }
    }

    /// Takes the next piece and returns what may be shown, which is often empty.
    #[must_use = "what is not shown now is lost"]
    pub fn push(&mut self, chunk: &str) -> String {
        let mut out = String::new();
        let mut start = 0;
        self.held.push_str(chunk);
        for c in chunk.chars() {
            if let Some(cut) = self.cutter.feed(c) {
                self.release(start, &cut, &mut out);
                start += cut.len;
            }
        }
        self.held.drain(..start);
        out
    }

    /// The rest. The stream can then be used for another text.
    #[must_use = "what is not shown now is lost"]
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        if let Some(cut) = self.cutter.finish() {
            self.release(0, &cut, &mut out);
        }
        self.held.clear();
        out
    }

    /// What was masked so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// How many bytes are held back.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.len()
    }

    fn release(&mut self, start: usize, cut: &Cut, out: &mut String) {
        let text = self.held.get(start..start + cut.len).unwrap_or_default();
        match self.masker.mask_cut(text, cut, &mut self.counts) {
            Some(masked) => out.push_str(&masked),
            None => out.push_str(text),
        }
    }
}

/// Leaves out the text: it may hold what was not masked yet.
impl fmt::Debug for StreamMasker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamMasker")
            .field("masker", &self.masker)
            .field("held", &self.held.len())
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
