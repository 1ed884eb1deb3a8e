//! Tokens that stand for values while a model reads them, and give them back
//! afterwards: `<EMAIL_1>`.

use super::style::capitals;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// How many values of one kind a run may have tokens for. More are redacted.
const MAX_VALUES: usize = 4096;

/// The longest token in bytes, and with it the most that giving back holds back of
/// a stream.
pub const MAX_TOKEN: usize = 64;

/// The values of a run by kind; a value's token is its place.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tokens {
    values: BTreeMap<String, Vec<String>>,
    /// The place of each value.
    places: HashMap<(String, String), usize>,
    /// Something was added since it was read.
    grown: bool,
    /// Nothing may be added.
    frozen: bool,
}

impl Tokens {
    /// What a run's state holds; nothing when it is of another form.
    #[must_use]
    pub fn read(state: Option<serde_json::Value>) -> Self {
        let values: BTreeMap<String, Vec<String>> =
            state.and_then(|state| serde_json::from_value(state).ok()).unwrap_or_default();
        let placed = values.iter().flat_map(|(kind, values)| {
            let places = values.iter().enumerate();
            places.map(|(place, value)| ((kind.clone(), value.clone()), place))
        });
        Self { places: placed.collect(), values, grown: false, frozen: false }
    }

    /// What is kept in a run's state.
    #[must_use]
    pub fn write(&self) -> serde_json::Value {
        serde_json::json!(self.values)
    }

    /// Whether something was added since it was read.
    #[must_use]
    pub fn has_grown(&self) -> bool {
        self.grown
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The same, to which nothing is added: new values get no token.
    #[must_use]
    pub fn freeze(mut self) -> Self {
        self.frozen = true;
        self
    }

    /// The token of a value; `None` when there is no room for another.
    pub(super) fn token(&mut self, name: &str, value: &str) -> Option<String> {
        let kind = capitals(name);
        let key = (kind, value.to_owned());
        let place = match self.places.get(&key) {
            Some(place) => *place,
            None => {
                let values = self.values.get(&key.0).map_or(0, Vec::len);
                if self.frozen || values >= MAX_VALUES || key.0.len() > MAX_TOKEN - 8 {
                    return None;
                }
                self.values.entry(key.0.clone()).or_default().push(value.to_owned());
                self.places.insert(key.clone(), values);
                self.grown = true;
                values
            }
        };
        Some(format!("<{}_{}>", key.0, place + 1))
    }

    /// The text with every token's value in its place; `None` when it has none.
    #[must_use]
    pub fn restore(&self, text: &str) -> Option<String> {
        match self.restored(text, true).0 {
            Cow::Owned(restored) => Some(restored),
            Cow::Borrowed(_) => None,
        }
    }

    /// The restored text up to where a token may have begun that is not over, and
    /// where that is. At the end of a text nothing is held back.
    fn restored<'t>(&self, text: &'t str, ended: bool) -> (Cow<'t, str>, usize) {
        let mut out = String::new();
        let mut copied = 0;
        let mut from = 0;
        while let Some(open) = text.get(from..).and_then(|rest| rest.find('<')) {
            let start = from + open;
            let inside = text.get(start + 1..).unwrap_or_default();
            let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            let len = inside.find(|c| !is_part(c)).unwrap_or(inside.len());
            if len == inside.len() && len < MAX_TOKEN && !ended {
                return match copied {
                    0 => (Cow::Borrowed(text.get(..start).unwrap_or_default()), start),
                    _ => {
                        out.push_str(text.get(copied..start).unwrap_or_default());
                        (Cow::Owned(out), start)
                    }
                };
            }
            let behind = start + 1 + len;
            let value = inside.get(..len).and_then(|name| self.value(name));
            if let Some(value) = value
                && text.as_bytes().get(behind) == Some(&b'>')
            {
                out.push_str(text.get(copied..start).unwrap_or_default());
                out.push_str(value);
                copied = behind + 1;
            }
            from = behind;
        }
        if copied == 0 {
            return (Cow::Borrowed(text), text.len());
        }
        out.push_str(text.get(copied..).unwrap_or_default());
        (Cow::Owned(out), text.len())
    }

    /// The value of what stands between `<` and `>`.
    fn value(&self, name: &str) -> Option<&str> {
        let (kind, number) = name.rsplit_once('_')?;
        let place = number.parse::<usize>().ok()?.checked_sub(1)?;
        self.values.get(kind)?.get(place).map(String::as_str)
    }
}

/// Leaves out the values.
impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: BTreeMap<&str, usize> =
            self.values.iter().map(|(kind, values)| (kind.as_str(), values.len())).collect();
        f.debug_struct("Tokens").field("counts", &counts).finish_non_exhaustive()
    }
}

/// Gives the values of tokens back in text that arrives in pieces. Holds back at
/// most what may be the beginning of a token.
pub struct TokenStream {
    tokens: std::sync::Arc<Tokens>,
    held: String,
}

impl TokenStream {
    /// A stream that has not begun.
    #[must_use]
    pub fn new(tokens: std::sync::Arc<Tokens>) -> Self {
        Self { tokens, held: String::new() }
    }

    /// Takes the next piece and returns what may be shown.
    #[must_use = "what is not shown now is lost"]
    pub fn push(&mut self, chunk: &str) -> String {
        self.held.push_str(chunk);
        let (shown, until) = self.tokens.restored(&self.held, false);
        let shown = shown.into_owned();
        self.held.drain(..until);
        shown
    }

    /// The rest. The stream can then be used for another text.
    #[must_use = "what is not shown now is lost"]
    pub fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.held);
        self.tokens.restore(&rest).unwrap_or(rest)
    }

    /// How many bytes are held back.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.len()
    }
}

/// Leaves out the text.
impl fmt::Debug for TokenStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenStream").field("held", &self.held.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
