//! Remembers the payloads that a call handed to a script.

use super::{inspect::Look, marks::Marks, reader::split_mark};
use serde_json::Value;
use std::{collections::BTreeSet, sync::Arc};

/// The key of the object that stands in for a payload that a script cannot
/// hold exactly: `{"\u0000payload":mark,"value":…}`.
pub const PAYLOAD_MARK: &str = "\u{0}payload";

/// The payloads of one call.
#[derive(Debug, Clone, Default)]
pub struct Payloads {
    /// In the order in which they were handed over.
    entries: Vec<Payload>,
    /// What the script was handed in earlier calls, and gave back in this one.
    earlier: Vec<Payload>,
    marks: Marks,
}

/// One payload.
#[derive(Debug, Clone)]
pub(super) struct Payload {
    /// What a script that cannot hold it knows it by.
    pub(super) mark: Option<u64>,
    pub(super) text: Arc<str>,
    pub(super) origin: Origin,
    pub(super) look: Look,
    /// What a content part carries beside the payload that it consists of.
    pub(super) extra: Arc<str>,
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
    /// Payloads that are marked with `marks`.
    pub(super) fn marked_with(marks: &Marks) -> Self {
        Self { marks: marks.clone(), ..Self::default() }
    }

    /// The payloads of a writer whose text goes to the same call as these.
    pub(super) fn after(earlier: &Self) -> Self {
        Self::marked_with(&earlier.marks)
    }

    /// Takes in the payloads of another writer of the same call, which was made
    /// by [`ScriptWriter::after`](super::ScriptWriter::after).
    pub fn merge(&mut self, other: Self) {
        self.entries.extend(other.entries);
    }

    /// Takes in what the script was handed in earlier calls and gives back in
    /// `value`, as far as it is remembered. To be done before the value is read.
    pub fn recall(&mut self, value: &Value) {
        self.earlier.clear();
        if !self.marks.are_used() {
            return;
        }
        let mut marks = BTreeSet::new();
        collect_marks(value, &mut marks);
        for payload in &self.entries {
            payload.mark.map(|own| marks.remove(&own));
        }
        self.earlier = marks.into_iter().filter_map(|mark| self.marks.get(mark)).collect();
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Remembers a payload, and gives its mark, if it needs one.
    pub(super) fn push(
        &mut self,
        text: &str,
        origin: Origin,
        look: Look,
        extra: &str,
    ) -> Option<u64> {
        let mut payload =
            Payload { mark: None, text: text.into(), origin, look, extra: extra.into() };
        let mark = (look == Look::Lossy).then(|| self.marks.mark(&mut payload));
        self.entries.push(payload);
        mark
    }

    pub(super) fn entries(&self) -> &[Payload] {
        &self.entries
    }

    pub(super) fn earlier(&self) -> &[Payload] {
        &self.earlier
    }

    /// Whether a value may hold marks.
    pub(super) fn any_marked(&self) -> bool {
        self.marks.are_used()
    }

    pub(super) fn any_of(&self, origin: Origin) -> bool {
        self.entries.iter().chain(&self.earlier).any(|payload| payload.origin == origin)
    }
}

fn collect_marks(value: &Value, marks: &mut BTreeSet<u64>) {
    let (mark, value) = split_mark(value);
    marks.extend(mark);
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_marks(item, marks)),
        Value::Object(members) => members.values().for_each(|it| collect_marks(it, marks)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
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
