//! Compares what was expected with what came, and says field by field what differs.

use super::expected::{Expected, Member};
use serde_json::{Map, Number, Value};

/// One thing that is not as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Where, such as `answer.tool_calls[0].name`.
    pub(crate) path: String,
    pub(crate) expected: String,
    pub(crate) got: String,
}

/// What differs so far.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Whether there may be nothing that is not expected.
    pub(super) exact: bool,
    pub(super) differences: Vec<Difference>,
}

impl Comparison {
    /// Notes a difference.
    pub(super) fn differs(
        &mut self,
        path: &str,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) {
        let (path, expected, got) = (path.to_owned(), expected.into(), got.into());
        self.differences.push(Difference { path, expected, got });
    }

    /// Compares the value at `path`, which is `None` where there is none.
    pub(super) fn compare(&mut self, path: &str, expected: &Expected, got: Option<&Value>) {
        let fits = match (expected, got) {
            (Expected::Equal(value), Some(got)) => is_same(value, got),
            (Expected::Unset(value), got) => got.is_none_or(|got| is_same(value, got)),
            (Expected::Matches(regex), Some(Value::String(text))) => regex.is_match(text),
            (Expected::Matches(regex), Some(got @ (Value::Number(_) | Value::Bool(_)))) => {
                regex.is_match(&got.to_string())
            }
            (Expected::Absent, got) => got.is_none(),
            (Expected::Members(members), Some(Value::Object(got))) => {
                return self.members(path, members, got);
            }
            // So that it says which of the members are missing.
            (Expected::Members(members), None) if !members.is_empty() => {
                return self.members(path, members, &Map::new());
            }
            (Expected::List(items), Some(Value::Array(got))) if items.len() == got.len() => {
                for (index, (expected, got)) in items.iter().zip(got).enumerate() {
                    self.compare(&format!("{path}[{index}]"), expected, Some(got));
                }
                return;
            }
            (Expected::List(items), None) => items.is_empty(),
            (Expected::Payload(inner), Some(Value::String(text))) => {
                match serde_json::from_str(text) {
                    Ok(value) => return self.compare(path, inner, Some(&value)),
                    Err(_) => false,
                }
            }
            (Expected::Payload(inner), None) => return self.compare(path, inner, None),
            _ => false,
        };
        if !fits {
            self.differs(path, expected.to_string(), shown(got));
        }
    }

    fn members(&mut self, path: &str, members: &[Member], got: &Map<String, Value>) {
        for Member { key, written, expected } in members {
            self.compare(&under(path, written), expected, got.get(key));
        }
        if self.exact {
            self.nothing_else(path, got, |key| members.iter().any(|member| member.key == key));
        }
    }

    /// Says of every member that is not `expected` that it is there.
    pub(super) fn nothing_else(
        &mut self,
        path: &str,
        got: &Map<String, Value>,
        expected: impl Fn(&str) -> bool,
    ) {
        for (key, value) in got.iter().filter(|(key, _)| !expected(key)) {
            self.differs(&under(path, key), Expected::Absent.to_string(), shown(Some(value)));
        }
    }
}

fn under(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// A value as it is printed.
pub(super) fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}

fn is_same(expected: &Value, got: &Value) -> bool {
    match (expected, got) {
        (Value::Number(expected), Value::Number(got)) => is_same_number(expected, got),
        _ => expected == got,
    }
}

/// Whether two numbers are equal, however they are written. Whole numbers are told apart to their
/// last digit.
fn is_same_number(a: &Number, b: &Number) -> bool {
    let is_whole =
        |number: &Number| number.to_string().bytes().all(|it| it == b'-' || it.is_ascii_digit());
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a == b,
        _ if is_whole(a) && is_whole(b) => a == b,
        _ => a == b || a.as_f64() == b.as_f64(),
    }
}
