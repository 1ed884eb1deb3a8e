//! Several messages and other members in one value.

use crate::{
    ScriptForm, ScriptWriter,
    v1::{HookContext, TodoAddedRequest, ToolCall},
};
use serde_json::{Value, json};

fn context() -> HookContext {
    HookContext { run_id: "r".into(), iteration: 2, ..HookContext::default() }
}

#[test]
fn messages_and_other_members_stand_in_one_object() {
    let mut out = ScriptWriter::new();
    out.object(|out| {
        out.member("event").message(&ToolCall { id: "c".into(), ..ToolCall::default() });
        out.member("context").object(|out| {
            context().write_members(out);
            out.member("stage").text("attempt");
        });
    });
    let written = out.finish();
    assert_eq!(
        written.text,
        r#"{"event":{"id":"c","name":"","arguments":{}},"context":{"runId":"r","iteration":2,"hopCount":0,"middleware":[],"explain":false,"stage":"attempt"}}"#
    );
    assert!(!written.marked);
}

#[test]
fn a_platforms_hook_has_its_context_among_its_members() {
    let request = TodoAddedRequest { context: Some(context()), texts: vec!["a".into()] };
    let mut out = ScriptWriter::new();
    out.object(|out| {
        request.write_members(out);
        context().write_members(out);
    });
    let seen: Value = serde_json::from_str(&out.finish().text).unwrap();
    assert_eq!((&seen["texts"], &seen["runId"]), (&json!(["a"]), &json!("r")));
}

#[test]
fn every_kind_of_value_can_be_written() {
    let mut out = ScriptWriter::new();
    out.array(|out| {
        out.text("ä\"");
        out.integer(i64::MIN);
        for number in [0.5, 1e300, 3.0, f64::NAN, f64::NEG_INFINITY] {
            out.double(number);
        }
        out.boolean(true);
        out.null();
        out.array(|_| ());
        out.object(|_| ());
    });
    let text = out.finish().text;
    assert_eq!(text, r#"["ä\"",-9223372036854775808,0.5,1e300,3.0,null,null,true,null,[],{}]"#);
}
