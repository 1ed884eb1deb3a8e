//! What a broken request gets: a code, a reason, the field, and a connection that lives on.

use crate::support::{Runtime, Sidecar, answer, guard, method, pool, refusal, run, unary_requests};
use prost_reflect::Kind;
use serde_json::{Value, json};
use sidehook_server::hooks::HookId;
use std::collections::BTreeSet;

/// Checks how a request is refused, and that its connection answers the next one.
async fn check(runtime: &Runtime, rpc: &str, request: Value, expected: &str) {
    let refused = runtime.ask(rpc, request).await.expect_err("it is refused");
    assert_eq!(refusal(&refused), expected, "{refused:?}");
    assert_still_good(runtime).await;
}

async fn assert_still_good(runtime: &Runtime) {
    assert_eq!(runtime.ask("before_run", json!({})).await.unwrap(), json!({"answer": {}}));
    assert_eq!(runtime.connections(), 1);
}

#[tokio::test]
async fn a_hook_without_a_run_is_refused_at_every_hook() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    for (hook, mut request) in unary_requests() {
        let hook = hook.name();
        request["context"] = Value::Null;
        check(&runtime, hook, request.clone(), "InvalidArgument INVALID_FIELD context").await;
        request["context"] = json!({});
        check(&runtime, hook, request, "InvalidArgument INVALID_FIELD context.run_id").await;
    }
}

#[tokio::test]
async fn what_a_hook_needs_is_asked_for_by_name() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    for (hook, field) in [
        ("after_model", "response"),
        ("before_tool_call", "tool_call"),
        ("decide_approval", "tool_call"),
        ("after_run", "status"),
        ("transform", "request"),
        ("on_event", "event"),
    ] {
        let expected = format!("InvalidArgument INVALID_FIELD {field}");
        check(&runtime, hook, json!({}), &expected).await;
    }
    let event = json!({"event": {}});
    check(&runtime, "on_event", event, "InvalidArgument INVALID_FIELD event.kind").await;
}

#[tokio::test]
async fn an_unknown_value_of_an_enum_is_refused() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    let initiator = json!({"context": {"run_id": "r", "initiator": {"kind": 99}}});
    for (hook, request, field) in [
        ("before_run", initiator, "context.initiator.kind"),
        ("start_run", json!({"source": 99}), "source"),
        ("after_run", json!({"status": 99}), "status"),
        ("on_notification", json!({"kind": 99}), "kind"),
        ("ssh_command_sending", json!({"kind": 99}), "kind"),
        ("ssh_connection_opening", json!({"connection_type": 99}), "connection_type"),
        ("before_compaction", json!({"scope": 99}), "scope"),
        (
            "on_event",
            json!({"event": {"circuit_state": {"state": 9}}}),
            "event.circuit_state.state",
        ),
    ] {
        let expected = format!("InvalidArgument INVALID_FIELD {field}");
        check(&runtime, hook, request, &expected).await;
    }
}

#[tokio::test]
async fn an_id_is_at_most_256_bytes_long() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    for id in ["run_id", "request_id", "hook_call_id"] {
        let mut context = run("r");
        context[id] = json!("é".repeat(128));
        runtime.ask("before_run", json!({"context": context})).await.unwrap();
        context[id] = json!(format!("{}x", "é".repeat(128)));
        let expected = format!("InvalidArgument INVALID_FIELD context.{id}");
        check(&runtime, "before_run", json!({"context": context}), &expected).await;
    }
}

/// Every JSON field of a unary request that is checked, by its path, with a request that holds
/// `text` there.
fn json_fields(text: &str) -> Vec<(&'static str, &'static str, Value)> {
    let value = |path: &'static str| {
        path.rsplit('.').fold(json!(text), |inner, field| json!({ field: inner }))
    };
    let mut rows = Vec::new();
    for (hook, path) in [
        ("before_tool_call", "context.deps_json"),
        ("before_tool_call", "tool_call.arguments_json"),
        ("before_tool_call", "tool_call.extra_json"),
        ("before_tool_call", "tool.parameters_json"),
        ("before_tool_call", "tool.extra_json"),
        ("after_run", "result.extra_json"),
        ("after_run", "result.usage.extra_json"),
        ("on_event", "event.details_json"),
    ] {
        let mut request = match hook {
            "before_tool_call" => json!({"tool_call": {}}),
            "after_run" => json!({"status": "RUN_STATUS_COMPLETED"}),
            _ => json!({"event": {"retry": {}}}),
        };
        for (field, inner) in value(path).as_object().unwrap() {
            let place = request.as_object_mut().unwrap().entry(field).or_insert(json!({}));
            place.as_object_mut().unwrap().extend(inner.as_object().unwrap().clone());
        }
        if path.starts_with("context") {
            request["context"]["run_id"] = json!("run");
        }
        rows.push((hook, path, request));
    }
    rows
}

#[tokio::test]
async fn what_is_not_json_is_refused_in_every_json_field() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    for text in ["{", "{\"a\":1}}", "nope", "{'a': 1}", "\u{feff}{}"] {
        for (hook, path, request) in json_fields(text) {
            let expected = format!("InvalidArgument INVALID_FIELD {path}");
            check(&runtime, hook, request, &expected).await;
        }
    }
}

#[tokio::test]
async fn deep_json_is_refused_before_it_hurts() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    for text in [deep.clone(), format!("{{\"a\":{deep}}}"), "[".repeat(10_000)] {
        for (hook, path, request) in json_fields(&text) {
            let expected = format!("InvalidArgument INVALID_FIELD {path}");
            check(&runtime, hook, request, &expected).await;
        }
    }
}

#[tokio::test]
async fn what_is_not_json_in_a_frame_is_refused_too() {
    let sidecar = Sidecar::with("builtin: { pii: { answers: true } }").start().await;
    let runtime = sidecar.runtime();
    let tool = json!({"tool_call": {}});
    let failed = json!({"invocation": 1, "tripwire": {"info_json": "{"}});
    let result = json!({"invocation": 1, "result": {"result_json": "{"}});
    let deltas = json!({"invocation": 1, "extra_json": "{"});
    let arguments = json!({"call": {"tool_call": {"arguments_json": "["}}});
    let tools = [
        (json!({"open": arguments}), "open.call.tool_call.arguments_json"),
        (json!({"open": {"call": {"tool_call": {}, "args_json": "{"}}}), "open.call.args_json"),
        (json!({"end": result}), "end.result.result_json"),
        (json!({"failed": failed}), "failed.tripwire.info_json"),
        (json!({"delta": deltas}), "delta.extra_json"),
    ];
    for (frame, field) in tools {
        let mut call = runtime.open("wrap_tool_call").await;
        if frame.get("open").is_none() {
            call.send(json!({"open": {"call": tool}}));
        }
        call.send(frame);
        let expected = format!("InvalidArgument INVALID_FIELD {field}");
        assert_eq!(refusal(&call.error().await), expected);
    }
    assert_still_good(&runtime).await;
}

/// So that a JSON field which is new cannot go unchecked.
#[test]
fn every_checked_json_field_is_tried() {
    let unchecked = ["Message", "ChatRequest", "ChatResponse", "ToolOutcome"];
    let mut open: Vec<_> = unary_requests()
        .into_iter()
        .map(|(hook, _)| (method(hook.name()).input(), String::new()))
        .collect();
    let mut paths = BTreeSet::new();
    while let Some((message, path)) = open.pop() {
        for field in message.fields() {
            let path = format!("{path}{}", field.name());
            match field.kind() {
                Kind::Message(inner) if !unchecked.contains(&inner.name()) => {
                    open.push((inner, format!("{path}.")));
                }
                _ if field.name().ends_with("_json") => drop(paths.insert(path)),
                _ => {}
            }
        }
    }
    let tried: BTreeSet<_> =
        json_fields("").into_iter().map(|(_, path, _)| path.to_owned()).collect();
    assert_eq!(paths, tried);
    assert!(pool().get_message_by_name("sidehook.v1.Message").is_some());
}

#[tokio::test]
async fn what_the_provider_sends_is_passed_on_however_broken() {
    let sidecar = Sidecar::with("builtin: { pii: {} }").start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    let broken = json!({"role": "assistant", "extra_json": "{", "tool_calls": [{"arguments_json": "{\"a\":"}]});
    call.send(json!({"open": {"call": {"request": {"messages": [broken]}}}}));
    assert_eq!(call.play("response", json!({"extra_json": "nope"})).await["answer"], json!({}));
}

#[tokio::test]
async fn bytes_that_are_no_message_are_refused() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    let invalid_utf8 = vec![0x0a, 0x03, 0x0a, 0x01, 0xff];
    for bytes in [invalid_utf8, vec![0xff; 8], vec![0x0a, 0x7f]] {
        for hook in
            HookId::ALL.into_iter().filter(|hook| !method(hook.name()).is_client_streaming())
        {
            let refused = runtime.send(&hook.path(), bytes.clone()).await.unwrap_err();
            assert_eq!(refusal(&refused), "InvalidArgument UNDECODABLE", "{hook} {bytes:?}");
        }
    }
    assert_still_good(&runtime).await;
}

#[tokio::test]
async fn bytes_that_are_no_frame_end_the_call_and_not_the_connection() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    for opened in [false, true] {
        let mut call = runtime.open("wrap_model_call").await;
        if opened {
            call.send(json!({"open": {"call": {}}}));
        }
        call.send_bytes(vec![0xff; 8]);
        assert_eq!(refusal(&call.error().await), "InvalidArgument UNDECODABLE");
    }
    assert_still_good(&runtime).await;
}

const LIMIT: usize = 64 << 10;

/// A `BeforeRun` request with so many bytes in all.
fn sized(bytes: usize) -> Value {
    let request = |text: usize| json!({"context": {"run_id": "run"}, "input": "x".repeat(text)});
    let overhead = {
        use prost::Message;
        let input = method("before_run").input();
        let fields = request(bytes - 100);
        prost_reflect::DynamicMessage::deserialize(input, fields).unwrap().encoded_len()
            - (bytes - 100)
    };
    request(bytes - overhead)
}

#[tokio::test]
async fn a_request_may_be_as_long_as_the_limit() {
    let sidecar = Sidecar::with("limits: { message_size: 64KiB }").start().await;
    let runtime = sidecar.runtime();
    for fits in [LIMIT - 1, LIMIT] {
        runtime.ask("before_run", sized(fits)).await.unwrap();
    }
    let expected = "ResourceExhausted MESSAGE_TOO_LARGE";
    check(&runtime, "before_run", sized(LIMIT + 1), expected).await;
}

#[tokio::test]
async fn an_answer_may_be_as_long_as_the_limit() {
    // A short message becomes a long one, so that only the answer is over the limit.
    let link = guard("longer", &[HookId::CronJobFiring], |_, fields| {
        let bytes: usize = fields["prompt"].as_str().unwrap().parse().unwrap();
        // Two tags and two lengths of three bytes each.
        answer(json!({ "prompt": "x".repeat(bytes - 8) }))
    });
    let sidecar = Sidecar::with("limits: { message_size: 64KiB }").links(vec![link]).start().await;
    let runtime = sidecar.runtime();
    for fits in [LIMIT - 1, LIMIT] {
        runtime.ask("cron_job_firing", json!({"prompt": fits.to_string()})).await.unwrap();
    }
    let over = json!({"prompt": (LIMIT + 1).to_string()});
    check(&runtime, "cron_job_firing", over, "ResourceExhausted MESSAGE_TOO_LARGE").await;
}

#[tokio::test]
async fn a_frame_may_be_as_long_as_the_limit_in_both_directions() {
    let sidecar = Sidecar::with("limits: { message_size: 64KiB }").start().await;
    let runtime = sidecar.runtime();
    for (text, fits) in [(LIMIT - 200, true), (LIMIT, false)] {
        let mut call = runtime.open("wrap_model_call").await;
        call.send(json!({"open": {"call": {"model": "x".repeat(text)}}}));
        if fits {
            call.play("response", json!({})).await;
        } else {
            assert_eq!(refusal(&call.error().await), "ResourceExhausted MESSAGE_TOO_LARGE");
        }
    }
    assert_still_good(&runtime).await;
}

#[tokio::test]
async fn a_large_number_passes_bit_for_bit() {
    let text = r#"{"id":9007199254740993,"price":0.10,"large":1234567890123456789012345678901}"#;
    let link = guard("echo", &[HookId::BeforeToolCall], |_, fields| {
        answer(json!({"updated_arguments_json": fields["tool_call"]["arguments"].to_string()}))
    });
    let sidecar = Sidecar::of(vec![link]).start().await;
    let request = json!({"tool_call": {"arguments_json": text}});
    let response = sidecar.runtime().ask("before_tool_call", request).await.unwrap();
    assert_eq!(response["answer"]["updated_arguments_json"], json!(text));
}
