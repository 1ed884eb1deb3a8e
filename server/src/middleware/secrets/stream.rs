//! Masks a text that arrives in pieces.

use super::bytes::View;
use super::cutter::Cutter;
use super::mask::{Counts, Masker};
use super::scanner::CONTEXT;
use std::fmt;

/// Masks streamed text: what leaves, put together, is what
/// [`Masker::mask_text`] makes of the whole.
///
/// Text leaves up to the last white space that no finding can cross. In prose
/// that holds back the current word; a quoted value with white space in it is
/// held to its end, [`super::MAX_RUN`] bytes without white space at most, and a
/// private key up to [`super::MAX_BLOCK`] bytes.
pub struct StreamMasker {
    masker: Masker,
    cutter: Cutter,
    /// What left lately, as it came: the rest may depend on it.
    context: String,
    /// What did not leave yet.
    held: String,
    /// How much of that was looked at for a cut.
    read: usize,
    /// The text before was cut by force.
    open_start: bool,
    counts: Counts,
}

impl StreamMasker {
    /// A stream that has not begun.
    #[must_use]
    pub fn new(masker: Masker) -> Self {
        Self {
            masker,
            cutter: Cutter::default(),
            context: String::new(),
            held: String::new(),
            read: 0,
            open_start: false,
            counts: Counts::default(),
        }
    }

    /// Takes the next piece and returns what may be shown, which is often empty.
    #[must_use = "what is not shown now is lost"]
    pub fn push(&mut self, chunk: &str) -> String {
        let mut out = String::new();
        self.held.push_str(chunk);
        let mut safe = 0;
        while let Some(c) = self.held.get(self.read..).and_then(|rest| rest.chars().next()) {
            let cut = self.cutter.feed(&self.held, self.read, c);
            self.read += c.len_utf8();
            match cut {
                Some(cut) if cut.forced => {
                    self.release(cut.at, true, &mut out);
                    safe = 0;
                }
                Some(cut) => safe = cut.at,
                None => {}
            }
        }
        if safe > 0 {
            self.release(safe, false, &mut out);
        }
        out
    }

    /// The rest. The stream can then be used for another text.
    #[must_use = "what is not shown now is lost"]
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        self.release(self.held.len(), false, &mut out);
        (self.cutter, self.read) = (Cutter::default(), 0);
        self.context.clear();
        self.open_start = false;
        out
    }

    /// What was masked so far.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// How many bytes are held back.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Lets the first `length` bytes go.
    fn release(&mut self, length: usize, forced: bool, out: &mut String) {
        let from = self.context.len();
        let piece = self.held.get(..length).unwrap_or_default();
        self.context.push_str(piece);
        let view =
            View { text: self.context.as_bytes(), open_start: self.open_start, open_end: forced };
        match self.masker.mask_view(&view, from, &mut self.counts) {
            Some(masked) => out.push_str(&masked),
            None => out.push_str(piece),
        }
        self.held.drain(..length);
        self.read -= length;
        self.cutter.rebase(length);
        if forced {
            self.context.clear();
        } else if self.context.len() > CONTEXT {
            let start = self.context.ceil_char_boundary(self.context.len() - CONTEXT);
            self.context.drain(..start);
            // What begins there may be the middle of something.
            self.open_start = true;
            return;
        }
        self.open_start |= forced;
    }
}

/// Leaves out the text: it may hold what was not masked yet.
impl fmt::Debug for StreamMasker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamMasker")
            .field("held", &self.held.len())
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
