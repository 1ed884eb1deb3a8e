//! A recorded run in the form of a chat-completions log: one JSON object a
//! line, with `run_id` and `messages`.

use serde::Deserialize;
use serde_json::{Map, Value};
use sidehook_proto::v1::{
    ChatResponse, ContentPart, ContentParts, Message, ToolCall, chat_response, content_part,
    message,
};

/// A recorded run.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Its id.
    pub id: String,
    /// What the run starts from: the system prompt and the first input.
    pub start: Vec<Message>,
    /// What happened then.
    pub turns: Vec<Turn>,
}

/// One step of a recorded run.
#[derive(Debug, Clone)]
pub enum Turn {
    /// The model answered.
    Model(Box<ChatResponse>),
    /// A tool returned, for the call of this id.
    Tool(Box<Message>),
    /// A person wrote again.
    User(Box<Message>),
}

/// Why a line is no recorded run.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is no recorded run: {problem}")]
pub struct NotRecorded {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

#[derive(Deserialize)]
struct Line {
    run_id: String,
    messages: Vec<Map<String, Value>>,
}

impl Recorded {
    /// Reads every line of `text`.
    ///
    /// # Errors
    ///
    /// The first line that is no recorded run.
    pub fn read_all(text: &str) -> Result<Vec<Self>, NotRecorded> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let read = |(index, line): (usize, &str)| {
            serde_json::from_str::<Line>(line)
                .map_err(|error| error.to_string())
                .map(Self::of)
                .map_err(|problem| NotRecorded { line: index + 1, problem })
        };
        lines.map(read).collect()
    }

    fn of(line: Line) -> Self {
        let mut messages = line.messages.into_iter().map(message_of).peekable();
        let mut start = Vec::new();
        while let Some(opening) = messages.next_if(|it| it.role != "assistant" && it.role != "tool")
        {
            start.push(opening);
        }
        let turns = messages.map(|message| match &*message.role {
            "assistant" => Turn::Model(Box::new(response_of(message))),
            "tool" => Turn::Tool(Box::new(message)),
            _ => Turn::User(Box::new(message)),
        });
        Self { id: line.run_id, start, turns: turns.collect() }
    }

    /// The text of the first input.
    #[must_use]
    pub fn input(&self) -> &str {
        self.start.iter().rev().find(|it| it.role == "user").map_or("", text_of)
    }
}

/// The plain text of a message, or nothing.
#[must_use]
pub(super) fn text_of(message: &Message) -> &str {
    match &message.content {
        Some(message::Content::Text(text)) => text,
        _ => "",
    }
}

/// A message of a chat-completions log. What has no field of its own goes into
/// `extra_json`.
fn message_of(mut fields: Map<String, Value>) -> Message {
    let mut text = |name: &str| match fields.remove(name) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let (role, tool_call_id, name) = (text("role"), text("tool_call_id"), text("name"));
    let content = match fields.remove("content") {
        Some(Value::String(text)) => Some(message::Content::Text(text)),
        Some(Value::Array(parts)) => Some(message::Content::Parts(ContentParts {
            parts: parts.iter().map(part_of).collect(),
        })),
        _ => None,
    };
    let calls = match fields.remove("tool_calls") {
        Some(Value::Array(calls)) => calls,
        _ => Vec::new(),
    };
    Message {
        role,
        content,
        tool_calls: calls.iter().map(tool_call_of).collect(),
        tool_call_id,
        name,
        extra_json: rest(fields),
    }
}

fn part_of(part: &Value) -> ContentPart {
    let kind = match part.get("text").and_then(Value::as_str) {
        Some(text) if part.get("type").is_some_and(|kind| kind == "text") => {
            content_part::Kind::Text(text.into())
        }
        _ => content_part::Kind::OtherJson(part.to_string()),
    };
    ContentPart { kind: Some(kind), extra_json: String::new() }
}

fn tool_call_of(call: &Value) -> ToolCall {
    let function =
        |field: &str| call.pointer(&format!("/function/{field}")).and_then(Value::as_str);
    ToolCall {
        id: call.get("id").and_then(Value::as_str).unwrap_or_default().into(),
        name: function("name").unwrap_or_default().into(),
        arguments_json: function("arguments").unwrap_or_default().into(),
        extra_json: String::new(),
    }
}

fn response_of(message: Message) -> ChatResponse {
    let content = message.content.map(|content| match content {
        message::Content::Text(text) => chat_response::Content::Text(text),
        message::Content::Parts(parts) => chat_response::Content::Parts(parts),
    });
    let finish_reason = if message.tool_calls.is_empty() { "stop" } else { "tool_calls" };
    ChatResponse {
        content,
        tool_calls: message.tool_calls,
        finish_reason: finish_reason.into(),
        extra_json: message.extra_json,
        ..ChatResponse::default()
    }
}

fn rest(fields: Map<String, Value>) -> String {
    let fields: Map<_, _> = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
    if fields.is_empty() { String::new() } else { Value::Object(fields).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_a_start_and_turns() {
        let text = concat!(
            r#"{"run_id":"r","messages":[{"role":"system","content":"Be kind."},"#,
            r#"{"role":"user","content":"Hi"},"#,
            r#"{"role":"assistant","content":null,"refusal":"no","tool_calls":[{"id":"c1","type":"function","#,
            r#""function":{"name":"look","arguments":"{\"id\": 9007199254740993}"}}]},"#,
            r#"{"role":"tool","tool_call_id":"c1","name":"look","content":"7"}]}"#
        );
        let runs = Recorded::read_all(text).unwrap();
        assert_eq!((runs.len(), runs[0].input(), runs[0].start.len()), (1, "Hi", 2));
        let Turn::Model(answer) = &runs[0].turns[0] else { panic!() };
        assert_eq!(answer.tool_calls[0].arguments_json, r#"{"id": 9007199254740993}"#);
        assert_eq!(
            (answer.extra_json.as_str(), answer.finish_reason.as_str()),
            (r#"{"refusal":"no"}"#, "tool_calls")
        );
        assert!(matches!(&runs[0].turns[1], Turn::Tool(result) if result.tool_call_id == "c1"));
    }

    #[test]
    fn a_line_that_is_no_run_is_named() {
        let error = Recorded::read_all("\n{\"run_id\":\"r\"}").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.to_string().contains("messages"), "{error}");
    }
}
