//! What came of a tool call: a text, a JSON value or content parts.

use super::{Misread, ScriptForm, ScriptReader, ScriptValue, ScriptWriter, payloads::Origin};
use crate::v1::{ContentParts, ToolResult, tool_result::Output};
use serde_json::Value;

/// A script may name the call that the result is for. Sidehook knows it anyway.
const IGNORED: [&str; 2] = ["callId", "name"];

impl ScriptForm for ToolResult {
    const MEMBERS: &'static [&'static str] = &["result", "error", "content", "extra"];

    fn write_members(&self, out: &mut ScriptWriter) {
        match &self.output {
            Some(Output::Text(text)) => out.member("result").text(text),
            Some(Output::ResultJson(json)) if !json.is_empty() => {
                out.member("result").payload_value(json, Origin::Result, "");
            }
            Some(Output::ResultJson(_) | Output::Parts(_)) | None => {}
        }
        if let Some(error) = &self.error {
            out.member("error").text(error);
        }
        if let Some(Output::Parts(parts)) = &self.output {
            out.member("content");
            parts.write(out);
        }
        out.payload("extra", &self.extra_json);
    }

    fn read(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {
        let mut members = reader.members(value, Self::MEMBERS)?;
        for name in IGNORED {
            members.take(name);
        }
        let result = members.take("result").map(|result| read_result(result, reader));
        let result = result.transpose().map_err(|error| error.inside("result"))?;
        let error = members.value("error")?;
        let parts = members.value::<ContentParts>("content")?.map(Output::Parts);
        Ok(Self {
            // One that came as parts has no `result`, so that it is the new one.
            output: result.or(parts),
            error,
            extra_json: members.rest()?,
        })
    }
}

fn read_result(value: Value, reader: &ScriptReader<'_>) -> Result<Output, Misread> {
    if let Some(payload) = reader.find(&value, Origin::Result)? {
        return Ok(Output::ResultJson(payload.text.to_string()));
    }
    match value {
        Value::String(text) => Ok(Output::Text(text)),
        other => reader.payload(&other, Origin::Field).map(Output::ResultJson),
    }
}
