//! Writes messages as JSON text, straight into one string.

use super::{
    ScriptEnum, ScriptForm, ScriptValue,
    inspect::{Look, look_at},
    marks::Marks,
    payloads::{Origin, Payloads},
    text::push_escaped,
};
use std::fmt::Write;

/// Enough for a small message, so that it costs one allocation.
const CAPACITY: usize = 2048;

/// Writes one value for a script: an object with messages and other members in
/// it.
#[derive(Debug)]
pub struct ScriptWriter {
    out: String,
    payloads: Payloads,
    marked: bool,
}

/// What a writer wrote.
#[derive(Debug, Clone)]
pub struct Written {
    /// JSON.
    pub text: String,
    /// The payloads in it.
    pub payloads: Payloads,
    /// Whether some of them are marked, so that the marks must be taken off
    /// before a script sees them.
    pub marked: bool,
}

impl Default for ScriptWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl ScriptWriter {
    /// A writer for the only call of a script.
    #[must_use]
    pub fn new() -> Self {
        Self::marking(&Marks::default())
    }

    /// A writer for the first value of a call of the script that has these marks.
    #[must_use]
    pub fn marking(marks: &Marks) -> Self {
        Self::with(Payloads::marked_with(marks))
    }

    /// A writer for a further value of the call that has these payloads.
    #[must_use]
    pub fn after(earlier: &Payloads) -> Self {
        Self::with(Payloads::after(earlier))
    }

    fn with(payloads: Payloads) -> Self {
        Self { out: String::with_capacity(CAPACITY), payloads, marked: false }
    }

    /// Ends the value.
    #[must_use]
    pub fn finish(self) -> Written {
        Written { text: self.out, payloads: self.payloads, marked: self.marked }
    }

    /// Begins a member of the object that the writer is in; its value follows.
    pub fn member(&mut self, name: &str) -> &mut Self {
        self.text(name);
        self.out.push(':');
        self
    }

    /// Writes an object.
    pub fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.separate();
        self.out.push('{');
        members(self);
        self.out.push('}');
    }

    /// Writes an array.
    pub fn array(&mut self, elements: impl FnOnce(&mut Self)) {
        self.separate();
        self.out.push('[');
        elements(self);
        self.out.push(']');
    }

    /// Writes a message as an object.
    pub fn message<M: ScriptForm>(&mut self, message: &M) {
        self.object(|out| message.write_members(out));
    }

    /// Writes a string.
    pub fn text(&mut self, text: &str) {
        self.joined_text([text]);
    }

    /// Writes several texts as one string.
    pub(super) fn joined_text<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) {
        self.separate();
        self.out.push('"');
        for text in texts {
            push_escaped(&mut self.out, text);
        }
        self.out.push('"');
    }

    /// Writes a whole number.
    pub fn integer(&mut self, number: i64) {
        self.separate();
        let _ = write!(self.out, "{number}");
    }

    /// Writes a number. JSON has none that is not finite; such a one is null.
    pub fn double(&mut self, number: f64) {
        if !number.is_finite() {
            return self.null();
        }
        self.separate();
        let _ = write!(self.out, "{number:?}");
    }

    /// Writes true or false.
    pub fn boolean(&mut self, value: bool) {
        self.separate();
        self.out.push_str(if value { "true" } else { "false" });
    }

    /// Writes null.
    pub fn null(&mut self) {
        self.separate();
        self.out.push_str("null");
    }

    /// Writes a member with a payload, or none when there is none.
    pub fn payload(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.member(name).payload_value(text, Origin::Field, "");
        }
    }

    /// Writes a member with a tool's arguments, `{}` when there are none.
    pub fn arguments(&mut self, name: &str, text: &str) {
        self.member(name);
        if text.is_empty() {
            self.out.push_str("{}");
            self.payloads.push(text, Origin::Arguments, Look::Plain, "");
        } else {
            self.payload_value(text, Origin::Arguments, "");
        }
    }

    /// Writes a payload as a value, and remembers `extra` with it.
    pub(super) fn payload_value(&mut self, text: &str, origin: Origin, extra: &str) {
        let look = look_at(text);
        let mark = self.payloads.push(text, origin, look, extra);
        if look == Look::Text {
            return self.text(text);
        }
        self.separate();
        if let Some(mark) = mark {
            self.marked = true;
            let _ = write!(self.out, r#"{{"\u0000payload":{mark},"value":{text}}}"#);
        } else {
            self.out.push_str(text);
        }
    }

    /// Writes a member with a text, or none when it is empty.
    pub(crate) fn text_if_any(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.member(name).text(text);
        }
    }

    /// Writes a member with the name of an enum's value, or none when the value
    /// has none.
    pub(crate) fn enumeration<E: ScriptEnum>(&mut self, name: &str, value: i32) {
        if let Some(value) = E::script_name(value) {
            self.member(name).text(value);
        }
    }

    /// Writes a member with a list.
    pub(crate) fn list<T: ScriptValue>(&mut self, name: &str, items: &[T]) {
        self.member(name).array(|out| {
            for item in items {
                item.write(out);
            }
        });
    }

    /// Parts what follows from what is there.
    fn separate(&mut self) {
        if !matches!(self.out.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(',');
        }
    }
}
