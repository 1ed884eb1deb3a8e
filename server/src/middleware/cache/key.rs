//! What makes two requests the same.

use super::canonical;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use sidehook_proto::v1;
use std::collections::HashMap;

/// A digest of everything that an answer depends on.
pub(super) type Key = [u8; 32];

/// Keys of a request's other settings that do not reach the model.
const NOT_SETTINGS: [&str; 10] = [
    "metadata",
    "prompt_cache_key",
    "prompt_cache_retention",
    "request_id",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "stream_options",
    "user",
];

/// What messages and their parts, calls and tools carry beside what the model reads.
const NOT_CONTENT: [&str; 3] = ["cache_control", "id", "metadata"];

/// The key of something whose canonical form counts.
pub(super) fn digest(of: &Value) -> Key {
    let mut hash = Sha256::new();
    // Writing to a digest cannot fail.
    let _never = canonical::write(of, &mut hash);
    hash.finalize().into()
}

/// What counts of a request. `ignored` are further keys of its other settings that do not reach the
/// model.
pub(super) fn request(request: &v1::ChatRequest, ignored: &[String]) -> Value {
    let mut ids = Ids::default();
    let mut out = Fields::default();
    out.text("model", &request.model);
    out.list("messages", request.messages.iter().map(|message| ids.message(message)));
    out.list("tools", request.tools.iter().map(tool));
    out.json("tool_choice", &request.tool_choice_json);
    out.set("temperature", request.temperature.map(Value::from));
    out.set("top_p", request.top_p.map(Value::from));
    out.set("max_tokens", request.max_tokens.map(Value::from));
    out.list("stop", request.stop.iter().map(|stop| Value::from(stop.as_str())));
    out.json("response_format", &request.response_format_json);
    let settings = |key: &str| !NOT_SETTINGS.contains(&key) && !ignored.iter().any(|it| it == key);
    out.extra(&request.extra_json, settings);
    out.done()
}

/// The ids of tool calls by the order in which they come. They only say which result belongs to
/// which call, and differ from run to run.
#[derive(Default)]
struct Ids<'a>(HashMap<&'a str, usize>);

impl<'a> Ids<'a> {
    fn of(&mut self, id: &'a str) -> Option<Value> {
        let next = self.0.len() + 1;
        (!id.is_empty()).then(|| (*self.0.entry(id).or_insert(next)).into())
    }

    fn message(&mut self, message: &'a v1::Message) -> Value {
        let mut out = Fields::default();
        out.text("role", &message.role);
        out.set("content", message.content.as_ref().map(content));
        out.list("tool_calls", message.tool_calls.iter().map(|call| self.call(call)));
        out.set("answers", self.of(&message.tool_call_id));
        out.text("name", &message.name);
        out.extra(&message.extra_json, is_content);
        out.done()
    }

    fn call(&mut self, call: &'a v1::ToolCall) -> Value {
        let mut out = Fields::default();
        out.set("id", self.of(&call.id));
        out.text("name", &call.name);
        out.json("arguments", &call.arguments_json);
        out.extra(&call.extra_json, is_content);
        out.done()
    }
}

fn content(content: &v1::message::Content) -> Value {
    match content {
        v1::message::Content::Text(text) => json!({ "text": text }),
        v1::message::Content::Parts(parts) => {
            json!({ "parts": parts.parts.iter().map(part).collect::<Vec<_>>() })
        }
    }
}

fn part(part: &v1::ContentPart) -> Value {
    use v1::content_part::Kind;
    let mut out = Fields::default();
    match &part.kind {
        Some(Kind::Text(text)) => out.set("text", Some(text.as_str().into())),
        Some(Kind::Reasoning(text)) => out.set("reasoning", Some(text.as_str().into())),
        Some(Kind::Image(of)) => out.set("image", Some(media(of))),
        Some(Kind::Audio(of)) => out.set("audio", Some(media(of))),
        Some(Kind::File(of)) => out.set("file", Some(media(of))),
        Some(Kind::OtherJson(other)) => out.set("other", Some(of_json(other))),
        None => {}
    }
    out.extra(&part.extra_json, is_content);
    out.done()
}

fn media(media: &v1::Media) -> Value {
    let mut out = Fields::default();
    out.text("url", &media.url);
    let digest = || Sha256::digest(&media.data).iter().map(|byte| Value::from(*byte)).collect();
    out.set("data", (!media.data.is_empty()).then(digest));
    out.text("media_type", &media.media_type);
    out.text("name", &media.name);
    out.done()
}

fn tool(tool: &v1::ToolDefinition) -> Value {
    let mut out = Fields::default();
    out.text("name", &tool.name);
    out.text("description", &tool.description);
    out.json("parameters", &tool.parameters_json);
    out.extra(&tool.extra_json, is_content);
    out.done()
}

fn is_content(key: &str) -> bool {
    !NOT_CONTENT.contains(&key)
}

/// What a text that should be JSON means. One that is none counts as it is.
fn of_json(text: &str) -> Value {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => json!({ "json": value }),
        Err(_) => json!({ "text": text }),
    }
}

/// The fields that are set.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Fields {
    fn set(&mut self, name: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.0.insert(name.into(), value);
        }
    }

    fn text(&mut self, name: &str, text: &str) {
        self.set(name, (!text.is_empty()).then(|| text.into()));
    }

    fn json(&mut self, name: &str, text: &str) {
        self.set(name, (!text.is_empty()).then(|| of_json(text)));
    }

    fn list(&mut self, name: &str, values: impl Iterator<Item = Value>) {
        let values: Vec<Value> = values.collect();
        self.set(name, (!values.is_empty()).then(|| values.into()));
    }

    fn extra(&mut self, text: &str, counts: impl Fn(&str) -> bool) {
        if let Ok(Value::Object(mut members)) = serde_json::from_str(text) {
            members.retain(|key, _| counts(key));
            self.set("extra", (!members.is_empty()).then(|| json!({ "json": members })));
        } else {
            self.json("extra", text);
        }
    }

    fn done(self) -> Value {
        Value::Object(self.0)
    }
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
