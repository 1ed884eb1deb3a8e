//! Messages of a conversation, whose content is a text or a list of parts.

use super::{
    Misread, ScriptForm, ScriptReader, ScriptValue, ScriptWriter, members::Members,
    payloads::Origin,
};
use crate::v1::{ContentPart, ContentParts, Media, Message, content_part::Kind, message::Content};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

impl ScriptForm for Message {
    const MEMBERS: &'static [&'static str] =
        &["role", "content", "toolCalls", "toolCallId", "name", "extra"];

    fn write_members(&self, out: &mut ScriptWriter) {
        out.member("role").text(&self.role);
        out.member("content");
        match &self.content {
            Some(Content::Text(text)) => out.text(text),
            Some(Content::Parts(parts)) => parts.write(out),
            None => out.text(""),
        }
        if !self.tool_calls.is_empty() {
            out.list("toolCalls", &self.tool_calls);
        }
        out.text_if_any("toolCallId", &self.tool_call_id);
        out.text_if_any("name", &self.name);
        out.payload("extra", &self.extra_json);
    }

    fn read(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {
        let mut members = reader.members(value, Self::MEMBERS)?;
        let role = members.some_text("role")?;
        let content = members.take_some("content").map(|content| reader.bare(content));
        let content = match content.transpose().map_err(|error| error.inside("content"))? {
            None => None,
            Some(Value::String(text)) => Some(Content::Text(text)),
            Some(parts @ Value::Array(_)) => {
                let parts = ContentParts::read_value(parts, reader);
                Some(Content::Parts(parts.map_err(|error| error.inside("content"))?))
            }
            Some(other) => {
                return Err(Misread::expected("a string or an array", &other).inside("content"));
            }
        };
        let tool_calls = members.list("toolCalls")?;
        let is_nothing = content == Some(Content::Text(String::new())) && !tool_calls.is_empty();
        Ok(Self {
            role,
            content: if is_nothing { None } else { content },
            tool_calls,
            tool_call_id: members.text("toolCallId")?,
            name: members.text("name")?,
            extra_json: members.rest()?,
        })
    }
}

impl ScriptValue for ContentParts {
    fn write(&self, out: &mut ScriptWriter) {
        self.parts.write(out);
    }

    fn read_value(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {
        Ok(Self { parts: Vec::read_value(value, reader)? })
    }
}

impl ScriptValue for ContentPart {
    fn write(&self, out: &mut ScriptWriter) {
        match &self.kind {
            Some(Kind::OtherJson(json)) if !json.is_empty() => {
                out.payload_value(json, Origin::Part, &self.extra_json);
            }
            _ => out.object(|out| {
                write_kind(self.kind.as_ref(), out);
                out.payload("extra", &self.extra_json);
            }),
        }
    }

    fn read_value(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {
        if reader.knows_any(Origin::Part)
            && let Some(part) = reader.find(&value, Origin::Part)?
        {
            let kind = Some(Kind::OtherJson(part.text.to_string()));
            return Ok(Self { kind, extra_json: part.extra.to_string() });
        }
        let Some(is_known) = has_known_type(&value)? else {
            let kind = Some(Kind::OtherJson(reader.payload(&value, Origin::Field)?));
            return Ok(Self { kind, extra_json: String::new() });
        };
        let mut members = reader.members(value, &["type", "extra"])?;
        let kind = if is_known { Some(read_kind(&mut members)?) } else { None };
        Ok(Self { kind, extra_json: members.rest()? })
    }
}

/// Whether a part has a type that has a field; `None` for a part that goes on
/// as it is. A part without a type may be empty, but for `extra`.
fn has_known_type(value: &Value) -> Result<Option<bool>, Misread> {
    let (_, bare) = super::reader::split_mark(value);
    let Value::Object(members) = bare else {
        return Err(Misread::expected("an object", bare));
    };
    Ok(match members.get("type") {
        Some(Value::String(it)) => {
            matches!(it.as_str(), "text" | "reasoning" | "image" | "audio" | "file").then_some(true)
        }
        Some(other) => return Err(Misread::expected("a string", other).inside("type")),
        None => members.keys().all(|key| key == "extra").then_some(false),
    })
}

fn write_kind(kind: Option<&Kind>, out: &mut ScriptWriter) {
    match kind {
        Some(Kind::Text(text)) => write_text("text", text, out),
        Some(Kind::Reasoning(text)) => write_text("reasoning", text, out),
        Some(Kind::Image(media)) => write_media("image", media, out),
        Some(Kind::Audio(media)) => write_media("audio", media, out),
        Some(Kind::File(media)) => write_media("file", media, out),
        Some(Kind::OtherJson(_)) | None => {}
    }
}

fn write_text(kind: &str, text: &str, out: &mut ScriptWriter) {
    out.member("type").text(kind);
    out.member("text").text(text);
}

fn write_media(kind: &str, media: &Media, out: &mut ScriptWriter) {
    out.member("type").text(kind);
    out.text_if_any("url", &media.url);
    out.text_if_any("data", &STANDARD.encode(&media.data));
    out.text_if_any("mediaType", &media.media_type);
    out.text_if_any("name", &media.name);
}

fn read_kind(members: &mut Members<'_, '_>) -> Result<Kind, Misread> {
    let kind = members.text("type")?;
    Ok(match kind.as_str() {
        "text" => Kind::Text(members.some_text("text")?),
        "reasoning" => Kind::Reasoning(members.some_text("text")?),
        "image" => Kind::Image(read_media(members)?),
        "audio" => Kind::Audio(read_media(members)?),
        _ => Kind::File(read_media(members)?),
    })
}

fn read_media(members: &mut Members<'_, '_>) -> Result<Media, Misread> {
    let url = members.text("url")?;
    let data = STANDARD.decode(members.text("data")?);
    Ok(Media {
        url,
        data: data
            .map_err(|error| Misread::new(format!("must be base64: {error}")).inside("data"))?,
        media_type: members.text("mediaType")?,
        name: members.text("name")?,
    })
}
