//! A model's answer, whose content is always a text for scripts, beside the
//! parts that it may consist of.

use super::{Misread, ScriptForm, ScriptReader, ScriptValue, ScriptWriter};
use crate::v1::{ChatResponse, ContentParts, chat_response::Content, content_part::Kind};
use serde_json::Value;

impl ScriptForm for ChatResponse {
    const MEMBERS: &'static [&'static str] =
        &["id", "model", "content", "parts", "toolCalls", "finishReason", "usage", "extra"];

    fn write_members(&self, out: &mut ScriptWriter) {
        out.member("id").text(&self.id);
        out.member("model").text(&self.model);
        out.member("content");
        match &self.content {
            Some(Content::Text(text)) => out.text(text),
            Some(Content::Parts(parts)) => {
                out.joined_text(texts(parts));
                out.member("parts");
                parts.write(out);
            }
            None => out.text(""),
        }
        out.list("toolCalls", &self.tool_calls);
        out.member("finishReason").text(&self.finish_reason);
        if let Some(usage) = &self.usage {
            out.member("usage").message(usage);
        }
        out.payload("extra", &self.extra_json);
    }

    fn read(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {
        let mut members = reader.members(value, Self::MEMBERS)?;
        let id = members.text("id")?;
        let model = members.text("model")?;
        let content = members.value::<String>("content")?;
        let parts = members.value::<ContentParts>("parts")?;
        Ok(Self {
            id,
            model,
            content: content_of(content, parts),
            tool_calls: members.list("toolCalls")?,
            finish_reason: members.text("finishReason")?,
            usage: members.value("usage")?,
            extra_json: members.rest()?,
        })
    }
}

/// A script that changes the text need not know of the parts.
fn content_of(text: Option<String>, parts: Option<ContentParts>) -> Option<Content> {
    match (text, parts) {
        (None, Some(parts)) => Some(Content::Parts(parts)),
        (Some(text), Some(parts)) if texts(&parts).collect::<String>() == text => {
            Some(Content::Parts(parts))
        }
        (Some(text), None) if text.is_empty() => None,
        (text, _) => text.map(Content::Text),
    }
}

fn texts(parts: &ContentParts) -> impl Iterator<Item = &str> {
    parts.parts.iter().filter_map(|part| match &part.kind {
        Some(Kind::Text(text)) => Some(text.as_str()),
        _ => None,
    })
}
