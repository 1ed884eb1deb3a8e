//! Remembers the payloads that a call handed to a script.

use super::inspect::Look;

/// The key of the object that stands in for a payload that a script cannot
/// hold exactly: `{"\u0000payload":k,"value":…}`.
pub const PAYLOAD_MARK: &str = "\u{0}payload";

/// The payloads of one call, each under an index of its own.
#[derive(Debug, Clone, Default)]
pub struct Payloads {
    /// By index, ascending.
    entries: Vec<Payload>,
    next: u32,
}

/// One payload.
#[derive(Debug, Clone)]
pub(super) struct Payload {
    pub(super) index: u32,
    pub(super) text: Box<str>,
    pub(super) origin: Origin,
    pub(super) look: Look,
    /// What a content part carries beside the payload that it consists of.
    pub(super) extra: Box<str>,
}

/// Where a payload came from, as far as it matters when it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    Field,
    /// A tool's arguments, which appear as `{}` when there are none.
    Arguments,
    /// A content part of a kind that has no field.
    Part,
    /// The result of a tool.
    Result,
}

impl Payloads {
    /// The payloads of a writer whose text goes to the same call as these.
    pub(super) fn after(earlier: &Self) -> Self {
        Self { entries: Vec::new(), next: earlier.next }
    }

    /// Takes in the payloads of another writer of the same call, which was made
    /// by [`ScriptWriter::after`](super::ScriptWriter::after).
    pub fn merge(&mut self, other: Self) {
        self.next = self.next.max(other.next);
        self.entries.extend(other.entries);
        self.entries.sort_by_key(|payload| payload.index);
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Remembers a payload, and gives its index.
    pub(super) fn push(&mut self, text: &str, origin: Origin, look: Look, extra: &str) -> u32 {
        let index = self.next;
        self.next = index.saturating_add(1);
        self.entries.push(Payload { index, text: text.into(), origin, look, extra: extra.into() });
        index
    }

    pub(super) fn entries(&self) -> &[Payload] {
        &self.entries
    }

    pub(super) fn any_lossy(&self) -> bool {
        self.entries.iter().any(|payload| payload.look == Look::Lossy)
    }

    pub(super) fn any_of(&self, origin: Origin) -> bool {
        self.entries.iter().any(|payload| payload.origin == origin)
    }
}

impl Payload {
    /// Whether the payload may stand where a value of `origin` is read.
    pub(super) fn fits(&self, origin: Origin) -> bool {
        match origin {
            Origin::Field => !self.text.is_empty(),
            Origin::Arguments => !self.text.is_empty() || self.origin == Origin::Arguments,
            Origin::Part | Origin::Result => self.origin == origin,
        }
    }
}
