//! What a detector sees: one segment, and what stands beside a position.

use super::chars::is_word;
use super::custom::Custom;
use super::entity::Entity;
use super::segments::Edges;
use super::wanted::Wanted;
use super::words;
use std::borrow::Cow;

/// A stretch that passed every check of one detector, as byte offsets into the
/// window. Candidates of different detectors may still overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) entity: Entity,
}

/// One segment as the detectors see it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window<'t> {
    pub(super) text: &'t str,
    edges: Edges,
    /// What was written before it.
    written: &'t str,
    pub(super) wanted: &'t Wanted,
}

impl<'t> Window<'t> {
    pub(super) fn new(text: &'t str, edges: Edges, written: &'t str, wanted: &'t Wanted) -> Self {
        Self { text, edges, written, wanted }
    }

    /// Whether a kind is looked for.
    pub(super) fn wants(&self, entity: Entity) -> bool {
        self.wanted.has(entity)
    }

    /// The detectors that the configuration adds.
    pub(super) fn custom(&self) -> &'t [Custom] {
        &self.wanted.custom
    }

    /// Whether one of these words stands not far before a position.
    pub(super) fn said(&self, start: usize, words: &[&str]) -> bool {
        words::any(&self.before_here(start), words)
    }

    /// The last words before a position.
    pub(super) fn before_here(&self, start: usize) -> Cow<'t, str> {
        let near = words::tail(self.text.get(..start).unwrap_or_default());
        match (words::tail(self.written), near) {
            (far, "") => Cow::Borrowed(far),
            ("", near) => Cow::Borrowed(near),
            (_, near) if near.len() == words::REACH => Cow::Borrowed(near),
            (far, near) => Cow::Owned(words::tail(&[far, near].concat()).to_owned()),
        }
    }

    /// Whether a stretch is the whole text, and of a kind that then needs no word.
    pub(super) fn is_alone(&self, entity: Entity, start: usize, end: usize) -> bool {
        self.edges.whole && start == 0 && end == self.text.len() && self.wanted.has_alone(entity)
    }

    /// The byte at a position.
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The character before a position. In the middle of a word that was cut
    /// by force it is a letter: whatever it was, nothing may begin here.
    pub(super) fn before(&self, at: usize) -> Option<char> {
        match self.text.get(..at).and_then(|head| head.chars().next_back()) {
            None => self.edges.open_start.then_some('a'),
            found => found,
        }
    }

    /// The character at a position, with the same rule for the end.
    pub(super) fn after(&self, at: usize) -> Option<char> {
        match self.text.get(at..).and_then(|tail| tail.chars().next()) {
            None => self.edges.open_end.then_some('a'),
            found => found,
        }
    }

    /// The two characters before a position, nearest first.
    pub(super) fn last_two(&self, at: usize) -> (Option<char>, Option<char>) {
        let last = self.before(at);
        let width = last.map_or(0, char::len_utf8);
        (last, at.checked_sub(width).and_then(|at| self.before(at)))
    }

    /// The two characters from a position on.
    pub(super) fn next_two(&self, at: usize) -> (Option<char>, Option<char>) {
        let next = self.after(at);
        let width = next.map_or(0, char::len_utf8);
        (next, self.after(at + width))
    }

    /// What begins here is not glued to a word before it.
    pub(super) fn begins_word(&self, start: usize) -> bool {
        !self.before(start).is_some_and(is_word)
    }

    /// What ends here is not glued to a word behind it.
    pub(super) fn ends_word(&self, end: usize) -> bool {
        !self.after(end).is_some_and(is_word)
    }

    /// How many ASCII digits stand from a position on.
    pub(super) fn digits_from(&self, start: usize) -> usize {
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    /// Where a run of ASCII digits begins.
    pub(super) fn digit_runs(&self) -> impl Iterator<Item = usize> + use<'t> {
        let mut inside = false;
        self.text.bytes().enumerate().filter_map(move |(at, byte)| {
            let digit = byte.is_ascii_digit();
            let begins = digit && !inside;
            inside = digit;
            begins.then_some(at)
        })
    }
}
