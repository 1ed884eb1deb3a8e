//! An event of an LLM client: one flat object, whatever its kind.

use super::{Misread, ScriptForm, ScriptReader, ScriptWriter, members::Shape};
use crate::v1::{CallEvent, call_event::Kind};
use serde_json::Value;

impl ScriptForm for CallEvent {
    const MEMBERS: &'static [&'static str] = &[
        "kind",
        "attempt",
        "delaySeconds",
        "error",
        "provider",
        "retryAfterSeconds",
        "fromProvider",
        "fromModel",
        "toProvider",
        "toModel",
        "fallbackIndex",
        "state",
        "requestId",
        "middleware",
        "hook",
        "patchedFields",
        "details",
    ];

    fn write_members(&self, out: &mut ScriptWriter) {
        match &self.kind {
            Some(Kind::Retry(event)) => write_event("retry", event, out),
            Some(Kind::RateLimited(event)) => write_event("rate_limited", event, out),
            Some(Kind::Fallback(event)) => write_event("fallback", event, out),
            Some(Kind::CircuitState(event)) => write_event("circuit_state", event, out),
            Some(Kind::Middleware(event)) => write_event("middleware", event, out),
            None => {}
        }
        out.payload("details", &self.details_json);
    }

    fn read(value: Value, reader: &ScriptReader<'_>) -> Result<Self, Misread> {
        let mut members = reader.members(value, Self::MEMBERS)?;
        let kind = members.value::<String>("kind")?;
        let details_json = members.payload("details", Shape::Object)?;
        let Some(kind) = kind else {
            members.end()?;
            return Ok(Self { kind: None, details_json });
        };
        let event = members.into_value();
        let kind = match kind.as_str() {
            "retry" => Kind::Retry(ScriptForm::read(event, reader)?),
            "rate_limited" => Kind::RateLimited(ScriptForm::read(event, reader)?),
            "fallback" => Kind::Fallback(ScriptForm::read(event, reader)?),
            "circuit_state" => Kind::CircuitState(ScriptForm::read(event, reader)?),
            "middleware" => Kind::Middleware(ScriptForm::read(event, reader)?),
            other => {
                let kinds = "'retry', 'rate_limited', 'fallback', 'circuit_state', 'middleware'";
                let problem = format!("must be one of {kinds}, got '{other}'");
                return Err(Misread::new(problem).inside("kind"));
            }
        };
        Ok(Self { kind: Some(kind), details_json })
    }
}

fn write_event<M: ScriptForm>(kind: &str, event: &M, out: &mut ScriptWriter) {
    out.member("kind").text(kind);
    event.write_members(out);
}
