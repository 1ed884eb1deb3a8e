//! Reads what a script gave back.

use super::{
    Misread,
    anew::Anew,
    index::Index,
    members::Members,
    payloads::{Origin, PAYLOAD_MARK, Payload, Payloads},
};
use serde_json::{Map, Value};
use std::cell::OnceCell;

/// Knows the payloads of a call while its answers are read.
#[derive(Debug)]
pub struct ScriptReader<'a> {
    payloads: &'a Payloads,
    /// Built when a payload is read for the first time.
    index: OnceCell<Index<'a>>,
}

impl<'a> ScriptReader<'a> {
    /// A reader for a call that handed these payloads to a script.
    #[must_use]
    pub fn new(payloads: &'a Payloads) -> Self {
        Self { payloads, index: OnceCell::new() }
    }

    /// The members of an object.
    pub(crate) fn members(
        &self,
        value: Value,
        names: &'static [&'static str],
    ) -> Result<Members<'_, 'a>, Misread> {
        Ok(Members::new(self.object(value)?, names, self))
    }

    /// Like [`ScriptReader::members`], for an answer.
    pub(crate) fn answer_members(
        &self,
        value: Value,
        names: &'static [&'static str],
    ) -> Result<Members<'_, 'a>, Misread> {
        Ok(Members::new(self.object(value)?, names, self).of_an_answer())
    }

    /// The text of a payload: the original one when the value is what the script
    /// was given.
    pub(super) fn payload(&self, value: &Value, origin: Origin) -> Result<String, Misread> {
        Ok(match self.find(value, origin)? {
            Some(payload) => payload.text.to_string(),
            None => self.write_anew(value)?,
        })
    }

    /// The payload that the value is, if it is one that fits.
    pub(super) fn find(&self, value: &Value, origin: Origin) -> Result<Option<&Payload>, Misread> {
        match split_mark(value) {
            // A changed one may look like another payload without being it.
            (Some(mark), value) => self.index().find_marked(mark, value, origin),
            (None, _) if self.payloads.is_empty() => Ok(None),
            (None, value) => self.index().find(value, origin),
        }
    }

    /// Whether a value may be a content part that was handed over as it is.
    pub(super) fn knows_any(&self, origin: Origin) -> bool {
        self.payloads.any_of(origin)
    }

    /// The text of a new or changed payload.
    pub(super) fn write_anew(&self, value: &Value) -> Result<String, Misread> {
        let (mark, value) = split_mark(value);
        self.write_unmarked(value, mark)
    }

    /// The text of an object that was put together from one with this mark and
    /// other members.
    pub(super) fn write_object_anew(
        &self,
        members: Map<String, Value>,
        mark: Option<u64>,
    ) -> Result<String, Misread> {
        self.write_unmarked(&Value::Object(members), mark)
    }

    /// Takes the mark off a value that is no payload any more.
    pub(super) fn bare(&self, value: Value) -> Result<Value, Misread> {
        let Some(mark) = split_mark(&value).0 else { return Ok(value) };
        // Without its mark, only the payloads of the call tell its numbers.
        if !self.payloads.entries().iter().any(|payload| payload.mark == Some(mark)) {
            return Err(forgotten());
        }
        Ok(unmark(value))
    }

    fn write_unmarked(&self, value: &Value, mark: Option<u64>) -> Result<String, Misread> {
        if mark.is_none() && !self.payloads.any_marked() {
            return Ok(value.to_string());
        }
        let mut out = String::new();
        Anew::new(self.index(), mark)?.write(&mut out, value)?;
        Ok(out)
    }

    fn object(&self, value: Value) -> Result<Map<String, Value>, Misread> {
        match self.bare(value)? {
            Value::Object(members) => Ok(members),
            other => Err(Misread::expected("an object", &other)),
        }
    }

    fn index(&self) -> &Index<'a> {
        self.index.get_or_init(|| Index::new(self.payloads))
    }
}

/// The mark of a value, and the value without it.
pub(super) fn split_mark(value: &Value) -> (Option<u64>, &Value) {
    let marked = || {
        let members = value.as_object().filter(|members| members.len() == 2)?;
        let mark = members.get(PAYLOAD_MARK)?.as_u64()?;
        Some((mark, members.get("value")?))
    };
    marked().map_or((None, value), |(mark, value)| (Some(mark), value))
}

/// Takes the mark off a value.
pub(super) fn unmark(mut value: Value) -> Value {
    if split_mark(&value).0.is_some() {
        value.get_mut("value").map(Value::take).unwrap_or_default()
    } else {
        value
    }
}

/// Says that a value stands for a payload that nobody remembers.
pub(super) fn forgotten() -> Misread {
    Misread::new(
        "was kept from an earlier call, and holds a number that is too large or too long for \
         JavaScript, which cannot be told any more",
    )
}
