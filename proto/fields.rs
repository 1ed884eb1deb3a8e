//! Messages as fields: by their names on the wire, parsed where they are JSON.
//! Called by generated code.

use serde_json::{Map, Value};

/// A message that can be read without its type.
pub trait Fields {
    /// The names of the fields that [`Fields::fields`] may give.
    const NAMES: &'static [&'static str];

    /// The fields by their names on the wire. A field `x_json` appears as `x`,
    /// parsed, or null when it is empty or no JSON. What is not set is left out;
    /// so are bytes.
    fn fields(&self) -> Map<String, Value>;
}

/// A value of a field.
pub(crate) trait ToValue {
    fn to_value(&self) -> Value;
}

impl ToValue for String {
    fn to_value(&self) -> Value {
        Value::String(self.clone())
    }
}

impl ToValue for bool {
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
}

impl ToValue for i32 {
    fn to_value(&self) -> Value {
        (*self).into()
    }
}

impl ToValue for i64 {
    fn to_value(&self) -> Value {
        (*self).into()
    }
}

impl ToValue for f64 {
    fn to_value(&self) -> Value {
        (*self).into()
    }
}

impl<M: Fields> ToValue for M {
    fn to_value(&self) -> Value {
        Value::Object(self.fields())
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(&self) -> Value {
        self.iter().map(ToValue::to_value).collect()
    }
}

/// The value of a JSON field.
pub(crate) fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
