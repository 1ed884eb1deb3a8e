//! What a case expects of a message: values, patterns, and fields that must not be set.

use super::{
    case::At,
    contract::message_of,
    field::{self, Form},
    request::{self, Complaints},
};
use crate::config::Complaint;
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use regex::Regex;
use serde_json::Value;
use std::fmt;

/// The key of a pattern: `{matches: "[0-9]+"}`.
pub(super) const MATCHES: &str = "matches";

/// The key that says that there is nothing: `{absent: true}`.
pub(super) const ABSENT: &str = "absent";

/// What a value must be.
#[derive(Debug)]
pub(super) enum Expected {
    /// This.
    Equal(Value),
    /// This, which is also what a field holds that is not set.
    Unset(Value),
    /// A text, number or boolean that the pattern matches.
    Matches(Regex),
    /// Not there.
    Absent,
    /// A mapping with at least these members.
    Members(Vec<Member>),
    /// A list of these.
    List(Vec<Expected>),
    /// A text that holds JSON with this value.
    Payload(Box<Expected>),
}

/// One member of a mapping.
#[derive(Debug)]
pub(super) struct Member {
    /// Its key in the message.
    pub(super) key: String,
    /// Its key as the case has it.
    pub(super) written: String,
    pub(super) expected: Expected,
}

impl Expected {
    /// What `at` expects of a message. What the schema finds wrong is left out.
    pub(super) fn message(
        descriptor: &MessageDescriptor,
        at: &At<'_>,
        complaints: &mut Complaints,
    ) -> Self {
        if let Some(matcher) = matcher(at, complaints) {
            return matcher;
        }
        let mut members: Vec<Member> = Vec::new();
        for (key, at) in at.entries() {
            let Some((field, form)) = field::find(descriptor, key) else { continue };
            if let Some(other) = members.iter().find(|member| member.key == field.name()) {
                let message = format!("says what `{}` says already", other.written);
                let complaint = Complaint::new(message).suggest("remove one of the two");
                complaints.push((at.path, complaint));
            } else if let Some(expected) = Self::field(&field, form, &at, complaints) {
                let (key, written) = (field.name().to_owned(), key.to_owned());
                members.push(Member { key, written, expected });
            }
        }
        Self::Members(members)
    }

    /// What a list of messages must be.
    pub(super) fn messages(
        descriptor: &MessageDescriptor,
        at: &At<'_>,
        complaints: &mut Complaints,
    ) -> Self {
        Self::List(at.items().map(|item| Self::message(descriptor, &item, complaints)).collect())
    }

    /// What a text must be that may be empty.
    pub(super) fn text(at: &At<'_>, complaints: &mut Complaints) -> Self {
        matcher(at, complaints).unwrap_or_else(|| Self::Unset(at.value.clone()))
    }

    fn field(
        field: &FieldDescriptor,
        form: Form,
        at: &At<'_>,
        complaints: &mut Complaints,
    ) -> Option<Self> {
        if form == Form::Payload {
            return Some(Self::Payload(Box::new(Self::json(at, complaints))));
        }
        if field.is_list() && at.value.is_array() {
            let items: Vec<At<'_>> = at.items().collect();
            let items = items.iter().filter_map(|item| Self::single(field, item, complaints));
            return Some(Self::List(items.collect()));
        }
        if field.is_list() {
            return matcher(at, complaints);
        }
        Self::single(field, at, complaints)
    }

    fn single(field: &FieldDescriptor, at: &At<'_>, complaints: &mut Complaints) -> Option<Self> {
        if let Some(message) = message_of(field).filter(|message| !is_text(message)) {
            return Some(Self::message(&message, at, complaints));
        }
        if at.value.is_object() {
            return matcher(at, complaints);
        }
        let value = match (field.kind(), at.value) {
            (Kind::Enum(values), Value::String(written)) => {
                field::short(&values, &field::full(&values, written)?).into()
            }
            (Kind::Int64, Value::String(digits)) => request::whole(digits, at, complaints)?,
            (_, value) => value.clone(),
        };
        let is_default = match (field.kind(), &value) {
            (_, Value::String(text)) if text.is_empty() => true,
            (Kind::Enum(values), Value::String(name)) => {
                *name == field::short(&values, values.default_value().name())
            }
            (_, Value::Number(number)) => number.as_f64() == Some(0.0),
            (_, value) => *value == Value::Bool(false),
        };
        let is_unset = is_default && !field.supports_presence() && !field.is_list();
        Some(if is_unset { Self::Unset(value) } else { Self::Equal(value) })
    }

    /// What a JSON value must be, of which nothing is known beforehand.
    fn json(at: &At<'_>, complaints: &mut Complaints) -> Self {
        match at.value {
            Value::Object(members) if members.len() == 1 && is_matcher(at.value) => {
                matcher(at, complaints).unwrap_or(Self::Absent)
            }
            Value::Object(_) => {
                let member = |(key, at): (&str, At<'_>)| Member {
                    key: key.to_owned(),
                    written: key.to_owned(),
                    expected: Self::json(&at, complaints),
                };
                Self::Members(at.entries().map(member).collect())
            }
            // Unlike in a message, an empty list is not the same as none.
            Value::Array(items) if !items.is_empty() => {
                Self::List(at.items().map(|item| Self::json(&item, complaints)).collect())
            }
            scalar => Self::Equal(scalar.clone()),
        }
    }
}

/// Whether a message is written as a text, such as a duration.
pub(super) fn is_text(message: &MessageDescriptor) -> bool {
    message.full_name() == "google.protobuf.Duration"
}

/// Whether a JSON value looks like a matcher, and not like data.
fn is_matcher(value: &Value) -> bool {
    value.get(MATCHES).is_some_and(Value::is_string)
        || value.get(ABSENT).is_some_and(|absent| *absent == Value::Bool(true))
}

/// The matcher that stands at `at`, if one does.
fn matcher(at: &At<'_>, complaints: &mut Complaints) -> Option<Expected> {
    let (pattern, absent) = (at.get(MATCHES), at.get(ABSENT));
    let key = if pattern.is_some() { MATCHES } else { ABSENT };
    if pattern.is_none() && absent.is_none() {
        return None;
    }
    if at.entries().count() > 1 {
        let complaint = Complaint::new(format!("`{key}` cannot stand beside other keys"));
        complaints.push((at.path.key(key), complaint));
    }
    let Some(pattern) = pattern else { return Some(Expected::Absent) };
    match Regex::new(pattern.value.as_str()?) {
        Ok(regex) => Some(Expected::Matches(regex)),
        Err(error) => {
            complaints.push((pattern.path, no_pattern(&error)));
            None
        }
    }
}

fn no_pattern(error: &regex::Error) -> Complaint {
    let text = error.to_string();
    let why = text.lines().last().unwrap_or_default();
    Complaint::new(format!("is no regular expression: {}", why.trim_start_matches("error: ")))
}

/// As a case file would write it, on one line.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal(value) | Self::Unset(value) => write!(f, "{value}"),
            Self::Matches(regex) => write!(f, "{{{MATCHES}: {:?}}}", regex.as_str()),
            Self::Absent => f.write_str("nothing"),
            Self::Payload(inner) => inner.fmt(f),
            Self::Members(members) => {
                let members = members.iter().map(|it| format!("{}: {}", it.written, it.expected));
                write!(f, "{{{}}}", members.collect::<Vec<_>>().join(", "))
            }
            Self::List(items) => {
                let items = items.iter().map(Self::to_string);
                write!(f, "[{}]", items.collect::<Vec<_>>().join(", "))
            }
        }
    }
}
