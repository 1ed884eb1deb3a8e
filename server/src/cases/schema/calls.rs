//! What a call of one hook may give and expect.

use super::{
    merged,
    messages::{Messages, Side},
    object,
};
use crate::cases::{
    contract::{Contract, Frames, NotInContract, Shape, message_of},
    read::{FAILURES, OUTCOMES},
    run::DURATION,
};
use serde_json::{Map, Value, json};

/// The schemas of the keys of a call that depend on its hook.
pub(super) fn keys(
    contract: &Contract,
    shape: &Shape,
    messages: &mut Messages,
) -> Result<Value, NotInContract> {
    let mut expect = Map::new();
    for said in OUTCOMES.into_iter().chain(["effects"]) {
        if let Some(message) = shape.outcome(said) {
            expect.insert(said.into(), messages.refer(Side::Expected, &message));
        }
    }
    let step = messages.object(Side::Expected, &contract.message("Step")?, &[DURATION]);
    expect.insert("report".into(), list(&step));
    expect.insert("exact".into(), json!({ "type": "boolean" }));
    let replies = match &shape.frames {
        // For editors; the reader says it in words.
        None => json!({ "not": {} }),
        Some(frames) => {
            let next = messages.refer(Side::Expected, &frames.next);
            expect.insert("next".into(), list(&next));
            let text = json!([{ "type": "string" }, { "$ref": "#/$defs/Matcher" }]);
            expect.insert("emitted".into(), json!({ "anyOf": text }));
            list(&reply(frames, messages))
        }
    };
    Ok(json!({
        "request": messages.object(Side::Given, &shape.request, &["context"]),
        "replies": replies,
        "expect": object(&Value::Object(expect), &[]),
    }))
}

/// What the runtime may answer to a `next`.
fn reply(frames: &Frames, messages: &mut Messages) -> Value {
    let mut ends = Map::new();
    let failures = FAILURES.iter().filter_map(|name| frames.failed.get_field_by_name(name));
    for field in [frames.output.clone()].into_iter().chain(failures) {
        if let Some(message) = message_of(&field) {
            ends.insert(field.name().into(), messages.refer(Side::Given, &message));
        }
    }
    let delta = messages.object(Side::Given, &frames.delta, &["invocation", "sequence"]);
    let delta = json!({ "anyOf": [{ "type": "string" }, delta] });
    object(&merged(&json!({ "deltas": list(&delta) }), &Value::Object(ends)), &[])
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}
