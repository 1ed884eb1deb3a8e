//! What a script's engine does to a value on its way through.

use crate::{
    Misread, PAYLOAD_MARK, Payloads, ScriptReader, ScriptValue, ScriptWriter, Written, parse_answer,
};
use serde_json::{Map, Value};

/// Writes a message as the only value of a call.
pub(super) fn written<T: ScriptValue>(value: &T) -> Written {
    let mut out = ScriptWriter::new();
    value.write(&mut out);
    out.finish()
}

/// The text that a script gives back when it returns what it was given. Marks
/// are taken off what JavaScript cannot remember by identity.
pub(super) fn through(text: &str) -> String {
    javascript(parse_answer(text).unwrap()).to_string()
}

/// Reads what a script gave back.
pub(super) fn read<T: ScriptValue>(text: &str, payloads: &Payloads) -> Result<T, Misread> {
    T::read_value(parse_answer(text)?, &ScriptReader::new(payloads))
}

/// Sends a message through a script that changes it.
pub(super) fn changed<T: ScriptValue>(
    value: &T,
    change: impl FnOnce(&mut Value),
) -> Result<T, Misread> {
    let written = written(value);
    let mut seen = parse_answer(&through(&written.text)).unwrap();
    change(&mut seen);
    read(&through(&seen.to_string()), &written.payloads)
}

/// Sends a message through a script that returns it.
pub(super) fn unchanged<T: ScriptValue>(value: &T) -> Result<T, Misread> {
    changed(value, |_| ())
}

/// What a script sees of a message, marks included.
pub(super) fn seen<T: ScriptValue>(value: &T) -> Value {
    serde_json::from_str(&written(value).text).unwrap()
}

/// Reads a message that a script made by itself.
pub(super) fn made<T: ScriptValue>(value: &Value) -> Result<T, Misread> {
    read(&value.to_string(), &Payloads::default())
}

fn javascript(value: Value) -> Value {
    match value {
        Value::Number(number) => rounded(number.as_str().parse().unwrap()),
        Value::Array(items) => items.into_iter().map(javascript).collect(),
        Value::Object(mut members) => match (members.remove(PAYLOAD_MARK), members.len()) {
            (Some(_), 1) if !members["value"].is_object() && !members["value"].is_array() => {
                javascript(members["value"].take())
            }
            (mark, _) => {
                let mark = mark.map(|mark| (PAYLOAD_MARK.to_owned(), mark));
                mark.into_iter().chain(in_order(members)).collect()
            }
        },
        other => other,
    }
}

/// Keys that are array indices come first.
fn in_order(members: Map<String, Value>) -> impl Iterator<Item = (String, Value)> {
    let mut members: Vec<_> =
        members.into_iter().map(|(key, value)| (key, javascript(value))).collect();
    members.sort_by_key(|(key, _)| {
        let index = key.parse::<u32>().ok().filter(|index| index.to_string() == *key);
        index.map_or((1, 0), |index| (0, index))
    });
    members.into_iter()
}

fn rounded(double: f64) -> Value {
    if !double.is_finite() {
        return Value::Null;
    }
    // Zero has no sign in JSON.stringify, and whole numbers no fraction.
    let text =
        if double.abs() < 1e21 { format!("{}", double + 0.0) } else { format!("{double:e}") };
    serde_json::from_str(&text).unwrap()
}
