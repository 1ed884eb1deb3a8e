//! What a message needs, to be seen by scripts.

use super::{Misread, ScriptReader, ScriptWriter};
use serde_json::Value;

/// A message as scripts see it: a plain object.
pub trait ScriptForm: Sized {
    /// The names that a script sees, in order. For an answer, what a script may
    /// fill: what the chain fills is not among them.
    const MEMBERS: &'static [&'static str];

    /// Appends the members, without braces, to the object that `out` is in.
    /// The context of a request is not among them.
    fn write_members(&self, out: &mut ScriptWriter);

    /// Reads an object.
    ///
    /// # Errors
    ///
    /// The first place where the value does not have the message's form.
    fn read(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread>;
}

/// What a script sees as one value: an object, or an array for a list.
pub trait ScriptValue: Sized {
    /// Writes the value.
    fn write(&self, out: &mut ScriptWriter);

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// The first place where the value does not have the form.
    fn read_value(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread>;
}

/// An enum, whose values scripts see as names.
pub trait ScriptEnum {
    /// The names with their values; the unspecified one has none.
    const VALUES: &'static [(&'static str, i32)];

    /// The name of a value.
    #[must_use]
    fn script_name(value: i32) -> Option<&'static str> {
        Self::VALUES.iter().find(|(_, it)| *it == value).map(|(name, _)| *name)
    }
}

impl<M: ScriptForm> ScriptValue for M {
    fn write(&self, out: &mut ScriptWriter) {
        out.message(self);
    }

    fn read_value(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {
        Self::read(value, reader)
    }
}

impl ScriptValue for String {
    fn write(&self, out: &mut ScriptWriter) {
        out.text(self);
    }

    fn read_value(value: Value, _: &ScriptReader<'_>) -> Result<Self, Misread> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(Misread::expected("a string", &other)),
        }
    }
}

impl<T: ScriptValue> ScriptValue for Vec<T> {
    fn write(&self, out: &mut ScriptWriter) {
        out.array(|out| {
            for item in self {
                item.write(out);
            }
        });
    }

    fn read_value(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {
        let read = |(index, item)| T::read_value(item, reader).map_err(|error| error.at(index));
        match reader.bare(value)? {
            Value::Array(items) => items.into_iter().enumerate().map(read).collect(),
            other => Err(Misread::expected("an array", &other)),
        }
    }
}
