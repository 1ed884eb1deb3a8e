//! What a script throws, as a fault with the place in its source.
//!
//! Source: document 001, "Error handling"; document 000, "Tripwires".

use super::source::{Frame, Program};
use crate::{engine::Fault, redaction::redacted};
use serde::Deserialize;
use sidehook_proto::v1;
use std::fmt::Write;

/// What was thrown.
#[derive(Debug)]
pub(super) struct Thrown {
    /// What it says of itself, with its place in the source.
    pub(super) text: String,
    /// The innermost place in the script's own files.
    pub(super) frame: Option<Frame>,
    error: Error,
}

/// The members of an error that mean something.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Error {
    name: serde_json::Value,
    message: serde_json::Value,
    stack: serde_json::Value,
    code: serde_json::Value,
    r#type: serde_json::Value,
    retryable: Option<bool>,
    status: serde_json::Value,
}

/// So many characters of what an error says of itself are kept.
const MAX_TEXT: usize = 2000;

/// The types of failures, and whether the same call may succeed later.
const TYPES: [(&str, bool); 7] = [
    ("timeout", true),
    ("rate_limited", true),
    ("unavailable", true),
    ("network", true),
    ("auth", false),
    ("internal", false),
    ("invalid_params", false),
];

/// Codes of errors that name a failure of a known type.
const CODES: [(&str, &str); 13] = [
    ("LLM_UNAVAILABLE", "unavailable"),
    ("LLM_RATE_LIMITED", "rate_limited"),
    ("LLM_TIMEOUT", "timeout"),
    ("ETIMEDOUT", "timeout"),
    ("ECONNREFUSED", "network"),
    ("ECONNRESET", "network"),
    ("ECONNABORTED", "network"),
    ("ENOTFOUND", "network"),
    ("ENETUNREACH", "network"),
    ("EHOSTUNREACH", "network"),
    ("EAI_AGAIN", "network"),
    ("EPIPE", "network"),
    ("UND_ERR_SOCKET", "network"),
];

impl Thrown {
    /// Reads what the script's own half says of an error: a letter, and JSON.
    pub(super) fn read(said: &str, program: &Program) -> Self {
        let json = said.get(1..).unwrap_or_default();
        if said.starts_with('T') {
            let reason = tripwire(json).reason;
            let text = line(&format!("a tripwire was raised: {reason}"));
            return Self { text, frame: None, error: Error::default() };
        }
        let error: Error = serde_json::from_str(json).unwrap_or_default();
        let text = match (error.name.as_str().unwrap_or_default(), said_of(&error.message)) {
            ("", message) if message.is_empty() => "something without a message".into(),
            ("", message) => message,
            (name, message) if message.is_empty() => name.into(),
            (name, message) => format!("{name}: {message}"),
        };
        let mut text = line(&text);
        let stack = error.stack.as_str().unwrap_or_default();
        let frames = program.trace(&said_of(&error.message), stack);
        let frame = frames.into_iter().next();
        if let Some(frame) = &frame {
            let Frame { file, position, .. } = frame;
            let _ = write!(text, " (at {file}:{position})");
        }
        Self { text, frame, error }
    }

    /// The fault that it is, in a hook of this name.
    pub(super) fn fault(&self, hook: &str) -> Fault {
        let message = format!("threw in {hook}: {}", self.text);
        let Error { code, r#type, status, retryable, .. } = &self.error;
        let (code, class) = (code.as_str().unwrap_or_default(), r#type.as_str());
        if let Some((class, by_type)) = class.and_then(|it| TYPES.into_iter().find(|t| t.0 == it)) {
            return Fault::from_failure(v1::Failure {
                r#type: class.into(),
                code: if code.is_empty() { "middleware_threw" } else { code }.into(),
                message,
                retryable: retryable.unwrap_or(by_type),
                ..v1::Failure::default()
            });
        }
        if let Some(status @ 400..=599) = status.as_u64() {
            return Fault::http_status(u16::try_from(status).unwrap_or_default(), message);
        }
        if let Some((_, class)) = CODES.into_iter().find(|known| known.0 == code) {
            return Fault::from_failure(v1::Failure {
                r#type: class.into(),
                code: code.into(),
                message,
                retryable: true,
                counts_toward_breaker: true,
                ..v1::Failure::default()
            });
        }
        Fault::threw(message)
    }
}

/// The tripwire that a script raised.
pub(super) fn tripwire(json: &str) -> v1::Tripwire {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Raised {
        reason: String,
        info: Option<Box<serde_json::value::RawValue>>,
    }
    let raised: Raised = serde_json::from_str(json).unwrap_or_default();
    v1::Tripwire {
        reason: raised.reason,
        info_json: raised.info.map(|info| info.get().to_owned()).unwrap_or_default(),
        ..v1::Tripwire::default()
    }
}

/// A text as one line of bounded length, which a log can hold.
fn line(text: &str) -> String {
    // Before the cut, behind which half of a secret would be none.
    let text = redacted(text.to_owned());
    let mut characters = text.chars();
    let shown = characters.by_ref().take(MAX_TEXT);
    let mut line: String = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
    if characters.next().is_some() {
        line.push('…');
    }
    line
}

fn said_of(message: &serde_json::Value) -> String {
    match message {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
