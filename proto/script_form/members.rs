//! Takes the members of an object one by one, by their types.

use super::{
    Misread, ScriptEnum, ScriptReader, ScriptValue,
    payloads::Origin,
    reader::{split_mark, unmark},
};
use serde_json::{Map, Number, Value};

/// The members that were not yet taken.
pub(crate) struct Members<'r, 'a> {
    rest: Map<String, Value>,
    names: &'static [&'static str],
    reader: &'r ScriptReader<'a>,
    is_answer: bool,
}

/// What a payload has to be, unless it is one that was given.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Any JSON value.
    Any,
    /// A JSON object; null means that there is none.
    Object,
}

/// A type of whole numbers.
pub(crate) trait Whole: TryFrom<i64> {
    const RANGE: &'static str;
}

impl Whole for i32 {
    const RANGE: &'static str = "from -2147483648 to 2147483647";
}

impl Whole for i64 {
    const RANGE: &'static str = "of 64 bits";
}

impl<'r, 'a> Members<'r, 'a> {
    pub(super) fn new(
        members: Map<String, Value>,
        names: &'static [&'static str],
        reader: &'r ScriptReader<'a>,
    ) -> Self {
        Self { rest: members, names, reader, is_answer: false }
    }

    pub(super) fn of_an_answer(self) -> Self {
        Self { is_answer: true, ..self }
    }

    /// Takes a member as it is.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        self.rest.shift_remove(name)
    }

    /// Takes a member that may be null for "absent".
    pub(super) fn take_some(&mut self, name: &str) -> Option<Value> {
        self.take(name).filter(|value| !value.is_null())
    }

    pub(crate) fn value<T: ScriptValue>(&mut self, name: &str) -> Result<Option<T>, Misread> {
        let value = self.take_some(name).map(|value| T::read_value(value, self.reader));
        value.transpose().map_err(|error| error.inside(name))
    }

    pub(crate) fn list<T: ScriptValue>(&mut self, name: &str) -> Result<Vec<T>, Misread> {
        let value = self.take(name).map(|value| Vec::read_value(value, self.reader));
        Ok(value.transpose().map_err(|error| error.inside(name))?.unwrap_or_default())
    }

    pub(crate) fn text(&mut self, name: &str) -> Result<String, Misread> {
        let value = self.take(name).map(|value| String::read_value(value, self.reader));
        Ok(value.transpose().map_err(|error| error.inside(name))?.unwrap_or_default())
    }

    /// A text that must be there.
    pub(super) fn some_text(&mut self, name: &str) -> Result<String, Misread> {
        if !self.rest.contains_key(name) {
            return Err(Misread::new("must be a string, but is missing").inside(name));
        }
        self.text(name)
    }

    pub(crate) fn boolean(&mut self, name: &str) -> Result<bool, Misread> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(value),
            Some(other) => Err(Misread::expected("a boolean", &other).inside(name)),
        }
    }

    pub(crate) fn double(&mut self, name: &str) -> Result<f64, Misread> {
        let Some(value) = self.take(name) else { return Ok(0.0) };
        self.as_double(&value).map_err(|error| error.inside(name))
    }

    pub(crate) fn optional_double(&mut self, name: &str) -> Result<Option<f64>, Misread> {
        let value = self.take_number(name).map(|value| self.as_double(&value));
        value.transpose().map_err(|error| error.inside(name))
    }

    pub(crate) fn integer<T: Whole>(&mut self, name: &str) -> Result<T, Misread> {
        let value = self.take(name).unwrap_or_else(|| 0.into());
        self.as_integer(&value).map_err(|error| error.inside(name))
    }

    pub(crate) fn optional_integer<T: Whole>(&mut self, name: &str) -> Result<Option<T>, Misread> {
        let value = self.take_number(name).map(|value| self.as_integer(&value));
        value.transpose().map_err(|error| error.inside(name))
    }

    pub(crate) fn enumeration<E: ScriptEnum>(&mut self, name: &str) -> Result<i32, Misread> {
        let Some(value) = self.take_some(name) else { return Ok(0) };
        let text = String::read_value(value, self.reader).map_err(|error| error.inside(name))?;
        let known = E::VALUES.iter().find(|(known, _)| *known == text);
        known.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<_> = E::VALUES.iter().map(|(name, _)| format!("'{name}'")).collect();
            let problem = format!("must be one of {}, got '{text}'", names.join(", "));
            Misread::new(problem).inside(name)
        })
    }

    pub(crate) fn payload(&mut self, name: &str, shape: Shape) -> Result<String, Misread> {
        self.read_payload(name, Origin::Field, shape)
    }

    pub(crate) fn arguments(&mut self, name: &str, shape: Shape) -> Result<String, Misread> {
        self.read_payload(name, Origin::Arguments, shape)
    }

    pub(crate) fn optional_payload(
        &mut self,
        name: &str,
        shape: Shape,
    ) -> Result<Option<String>, Misread> {
        if self.rest.get(name).is_none_or(Value::is_null) {
            self.take(name);
            return Ok(None);
        }
        self.payload(name, shape).map(Some)
    }

    /// Takes `extra` and whatever nobody took before, as one object.
    pub(crate) fn rest(mut self) -> Result<String, Misread> {
        let extra = self.take("extra");
        if self.rest.is_empty() {
            let Some(extra) = extra else { return Ok(String::new()) };
            self.rest.insert("extra".into(), extra);
            return self.payload("extra", Shape::Object);
        }
        let mark = extra.as_ref().and_then(|extra| split_mark(extra).0);
        let mut merged = match extra.map(unmark) {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(members)) => members,
            Some(other) => {
                let names: Vec<_> = self.rest.keys().map(|key| format!("`{key}`")).collect();
                let expected = format!("an object to take in {}", names.join(", "));
                return Err(Misread::expected(&expected, &other).inside("extra"));
            }
        };
        merged.extend(self.rest);
        self.reader.write_object_anew(merged, mark).map_err(|error| error.inside("extra"))
    }

    /// Like [`Members::rest`]; `None` when there is nothing.
    pub(crate) fn optional_rest(mut self) -> Result<Option<String>, Misread> {
        let extra = self.take_some("extra");
        if extra.is_none() && self.rest.is_empty() {
            return Ok(None);
        }
        self.rest.extend(extra.map(|extra| ("extra".into(), extra)));
        self.rest().map(Some)
    }

    /// What nobody took, for a message that is flattened into this one.
    pub(super) fn into_value(self) -> Value {
        Value::Object(self.rest)
    }

    /// Makes sure that every member was taken.
    pub(crate) fn end(self) -> Result<(), Misread> {
        let Some(key) = self.rest.keys().next() else { return Ok(()) };
        let there_are = if self.names.is_empty() {
            "it has none".into()
        } else {
            format!("there are {}", self.names.join(", "))
        };
        Err(Misread::new(format!("has the unknown field `{key}`; {there_are}")))
    }

    fn read_payload(
        &mut self,
        name: &str,
        origin: Origin,
        shape: Shape,
    ) -> Result<String, Misread> {
        let Some(value) = self.take(name) else { return Ok(String::new()) };
        let (_, bare) = split_mark(&value);
        let read = || match (self.reader.find(&value, origin)?, shape) {
            (Some(payload), _) => Ok(payload.text.to_string()),
            (None, Shape::Object) if bare.is_null() => Ok(String::new()),
            (None, Shape::Object) if !bare.is_object() => Err(Misread::expected("an object", bare)),
            (None, _) => self.reader.write_anew(&value),
        };
        read().map_err(|error: Misread| error.inside(name))
    }

    /// Takes an optional number. JavaScript writes a result that is no number as
    /// null, which in an answer must not pass for "unchanged".
    fn take_number(&mut self, name: &str) -> Option<Value> {
        if self.is_answer { self.take(name) } else { self.take_some(name) }
    }

    fn as_number(&self, value: &Value, expected: &str) -> Result<Number, Misread> {
        match value {
            Value::Number(number) => Ok(number.clone()),
            Value::Null if self.is_answer => {
                Err(Misread::new(format!("must be {expected}, got null (NaN has no JSON)")))
            }
            other => Err(Misread::expected(expected, other)),
        }
    }

    fn as_double(&self, value: &Value) -> Result<f64, Misread> {
        let number = self.as_number(value, "a number")?;
        number.as_f64().ok_or_else(|| Misread::new(format!("must be a number, got {number}")))
    }

    fn as_integer<T: Whole>(&self, value: &Value) -> Result<T, Misread> {
        let number = self.as_number(value, "a number")?;
        let Some(double) = number.as_f64().filter(|double| double.fract() == 0.0) else {
            return Err(Misread::new(format!("must be a whole number, got {number}")));
        };
        // A whole number may also be written with a fraction or an exponent.
        let rounded = || (double.abs() < 9e15).then_some(double as i64);
        number
            .as_i64()
            .or_else(rounded)
            .and_then(|whole| T::try_from(whole).ok())
            .ok_or_else(|| Misread::new(format!("must be {}, got {number}", T::RANGE)))
    }
}
