//! Writes the text of a payload that a script made or changed.

use super::{
    Misread,
    index::{Index, Literal, ambiguous},
    numbers::{Exact, vanishes},
    payloads::Origin,
    reader::split_mark,
    text::push_escaped,
};
use serde_json::{Map, Number, Value};

/// Writes one payload anew. Its numbers become again what they were before
/// JavaScript rounded them.
pub(super) struct Anew<'i, 'a> {
    index: &'i Index<'a>,
    /// The payload that was changed, where that is known.
    of: Option<u64>,
    /// What the value may have been made of.
    sources: Vec<&'i Value>,
}

impl<'i, 'a> Anew<'i, 'a> {
    pub(super) fn new(index: &'i Index<'a>, of: Option<u64>) -> Result<Self, Misread> {
        let sources = match of {
            Some(mark) => vec![index.value(mark)?],
            None => index.lossy_values().collect(),
        };
        Ok(Self { index, of, sources })
    }

    pub(super) fn write(&self, out: &mut String, value: &Value) -> Result<(), Misread> {
        self.value(out, value, &self.sources)
    }

    /// `twins` are what stands in the same place of the sources.
    fn value(&self, out: &mut String, value: &Value, twins: &[&Value]) -> Result<(), Misread> {
        match split_mark(value) {
            (Some(mark), value) => {
                if let Some(payload) = self.index.find_marked(mark, value, Origin::Arguments)?
                    && !payload.text.is_empty()
                {
                    out.push_str(&payload.text);
                    return Ok(());
                }
                Self::new(self.index, Some(mark))?.write(out, value)
            }
            (None, Value::Null) => self.nothing(out, "null", twins),
            (None, Value::Number(number)) => self.number(out, number, twins),
            (None, Value::Array(items)) => self.array(out, items, twins),
            (None, Value::Object(members)) => self.object(out, members, twins),
            (None, Value::String(text)) => {
                push_string(out, text);
                Ok(())
            }
            (None, Value::Bool(value)) => {
                out.push_str(if *value { "true" } else { "false" });
                Ok(())
            }
        }
    }

    fn array(&self, out: &mut String, items: &[Value], twins: &[&Value]) -> Result<(), Misread> {
        // Of arrays of different lengths it is not known which elements match.
        let twins: Vec<_> = twins
            .iter()
            .filter_map(|twin| twin.as_array())
            .filter(|twin| twin.len() == items.len())
            .collect();
        out.push('[');
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            let twins: Vec<_> = twins.iter().filter_map(|twin| twin.get(at)).collect();
            self.value(out, item, &twins).map_err(|error| error.at(at))?;
        }
        out.push(']');
        Ok(())
    }

    fn object(
        &self,
        out: &mut String,
        members: &Map<String, Value>,
        twins: &[&Value],
    ) -> Result<(), Misread> {
        out.push('{');
        for (at, (key, value)) in members.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            push_string(out, key);
            out.push(':');
            let twins: Vec<_> = twins.iter().filter_map(|twin| twin.get(key)).collect();
            self.value(out, value, &twins).map_err(|error| error.inside(key))?;
        }
        out.push('}');
        Ok(())
    }

    fn number(&self, out: &mut String, number: &Number, twins: &[&Value]) -> Result<(), Misread> {
        let Some(double) = number.as_f64() else {
            out.push_str(number.as_str());
            return Ok(());
        };
        if double == 0.0 {
            return self.nothing(out, number.as_str(), twins);
        }
        let all = self.index.literals(double);
        let own = |literal: &Literal<'_>| self.of.is_some() && literal.of == self.of;
        let is_own = all.iter().any(own);
        let fits = |literal: &&Literal<'_>| {
            if is_own { own(literal) } else { !literal.is_earlier }
        };
        let mut fitting = all.iter().filter(fits);
        let Some(first) = fitting.next() else {
            out.push_str(number.as_str());
            return Ok(());
        };
        let exact = Exact::of(first.text);
        if let Some(other) = fitting.find(|literal| Exact::of(literal.text) != exact) {
            return Err(ambiguous(first.text, other.text));
        }
        out.push_str(first.text);
        Ok(())
    }

    /// Writes a null or a zero. Either may be all that JavaScript left of a
    /// number; as they are also what they say, only their place can tell.
    fn nothing(&self, out: &mut String, text: &str, twins: &[&Value]) -> Result<(), Misread> {
        let gone = twins.iter().filter_map(|twin| twin.as_number()).find(|number| {
            vanishes(number.as_str()) && number.as_f64().is_none() == (text == "null")
        });
        match gone {
            Some(number) if self.of.is_some() => out.push_str(number.as_str()),
            Some(number) => return Err(ambiguous(number.as_str(), text)),
            None => out.push_str(text),
        }
        Ok(())
    }
}

fn push_string(out: &mut String, text: &str) {
    out.push('"');
    push_escaped(out, text);
    out.push('"');
}
