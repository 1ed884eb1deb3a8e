//! Wrapped calls: what the runtime is asked to do, and what it gets in the end.

use crate::support::{Around, Sidecar, around};
use async_trait::async_trait;
use serde_json::{Value, json};
use sidehook_proto::v1;
use sidehook_server::{
    engine::{Context, Link, Next, WrapError},
    hooks::{HookId, HookSet, WrapToolCall},
    middleware::{Middleware, Wrapped},
};
use std::sync::Arc;

/// Personal data at the start, in the middle and at the end, beside letters of several bytes.
const TEXT: &str =
    "bob@example.com: ça va? 🙂 Pay with 4111 1111 1111 1111, or ask ada@example.org";

const MASKS_ANSWERS: &str = "builtin: { pii: { answers: true } }";

/// Checks the relay and whether the answer is needed, by a configuration and whether the
/// runtime streams.
async fn check_relay(yaml: &str, streaming: bool, relay: &str, answer_needed: bool) {
    let sidecar = Sidecar::with(yaml).start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    call.send(json!({"open": {"call": {}, "streaming": streaming}}));
    let next = call.expect("next").await;
    let needed = next.get("answer_needed").is_some_and(|needed| needed == &json!(true));
    assert_eq!((&next["relay"], needed), (&json!(relay), answer_needed), "{yaml}");
}

#[tokio::test]
async fn the_strictest_need_of_the_chain_decides_the_relay() {
    check_relay("", true, "RELAY_DIRECT", false).await;
    check_relay("builtin: { pii: {} }", true, "RELAY_DIRECT", false).await;
    check_relay(MASKS_ANSWERS, true, "RELAY_RELAYED", true).await;
    check_relay(MASKS_ANSWERS, false, "RELAY_DIRECT", true).await;
    let blocks = "builtin: { pii: { answers: true, mode: block } }";
    check_relay(blocks, true, "RELAY_HELD", true).await;
}

#[tokio::test]
async fn an_audited_link_needs_nothing_of_the_stream() {
    let yaml =
        "middleware: [{ name: pii, kind: pii, answers: true, mode: audit }]\nlog: { level: warn }";
    check_relay(yaml, true, "RELAY_DIRECT", true).await;
}

/// Plays one streamed call whose answer comes in `pieces`, and returns what is shown and what
/// the answer is in the end.
async fn streamed(sidecar: &Sidecar, pieces: &[&str]) -> (String, Value) {
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    call.send(json!({"open": {"call": {}, "streaming": true}}));
    call.expect("next").await;
    for (sequence, text) in pieces.iter().enumerate() {
        call.send(json!({"delta": {"invocation": 1, "sequence": sequence, "text": text}}));
    }
    call.send(json!({"end": {"invocation": 1, "response": {"text": pieces.concat()}}}));
    let (emitted, finished) = call.finish().await;
    let shown = emitted.iter().filter_map(|frame| frame["emit"]["delta"]["text"].as_str());
    (shown.collect(), finished["answer"]["response"]["text"].clone())
}

#[tokio::test]
async fn a_streamed_answer_is_the_masked_whole_wherever_it_is_cut() {
    let sidecar = Sidecar::with(MASKS_ANSWERS).start().await;
    let mut whole = sidecar.runtime().open("wrap_model_call").await;
    whole.send(json!({"open": {"call": {}}}));
    let unstreamed = whole.play("response", json!({ "text": TEXT })).await;
    let masked = unstreamed["answer"]["response"]["text"].clone();
    assert!(!masked.as_str().unwrap().contains("bob@"), "{masked}");

    let at = |(at, _): (usize, char)| <[&str; 2]>::from(TEXT.split_at(at)).to_vec();
    let mut cuts: Vec<Vec<&str>> = TEXT.char_indices().map(at).collect();
    cuts.push(TEXT.split_inclusive(|_| true).collect());
    cuts.push(TEXT.split_inclusive(' ').collect());
    for pieces in cuts {
        let (shown, answer) = streamed(&sidecar, &pieces).await;
        assert_eq!((json!(shown), &answer), (masked.clone(), &masked), "{pieces:?}");
    }
}

#[tokio::test]
async fn personal_data_in_a_tool_call_is_masked_and_still_json() {
    let sidecar = Sidecar::with(MASKS_ANSWERS).start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    call.send(json!({"open": {"call": {}, "streaming": true}}));
    call.expect("next").await;
    let piece = r#"{"tool_calls":[{"index":0,"arguments":"{\"to\":\"bob@example.com\"}"}]}"#;
    call.send(json!({"delta": {"invocation": 1, "extra_json": piece}}));
    let arguments = r#"{"to":"bob@example.com","id":9007199254740993}"#;
    let calls = json!([{"id": "c1", "arguments_json": arguments}]);
    call.send(json!({"end": {"invocation": 1, "response": {"tool_calls": calls}}}));
    let (emitted, finished) = call.finish().await;
    let masked = &finished["answer"]["response"]["tool_calls"][0]["arguments_json"];
    let (shown, masked) = (emitted[0].to_string(), masked.as_str().unwrap());
    assert!(!shown.contains("bob@example.com") && !masked.contains("bob@"), "{shown} {masked}");
    let parsed: Value = serde_json::from_str(masked).unwrap();
    assert_eq!(parsed["id"].to_string(), "9007199254740993");
}

/// Sends a history with a tool call that has an address, and returns what the model reads.
async fn read_by_the_model(sidecar: &Sidecar) -> String {
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    let calls = json!([{"id": "c1", "arguments_json": r#"{"to":"bob@example.com"}"#}]);
    let messages = json!([{"role": "assistant", "tool_calls": calls}]);
    call.send(json!({"open": {"call": {"request": {"messages": messages}}, "streaming": true}}));
    let next = call.expect("next").await;
    call.send(json!({"delta": {"invocation": 1, "text": "Wrote to <EMA"}}));
    call.send(json!({"delta": {"invocation": 1, "sequence": 1, "text": "IL_1>."}}));
    let response = json!({"text": "Wrote to <EMAIL_1>."});
    call.send(json!({"end": {"invocation": 1, "response": response}}));
    let (emitted, finished) = call.finish().await;
    let shown = emitted.iter().filter_map(|frame| frame["emit"]["delta"]["text"].as_str());
    assert_eq!(shown.collect::<String>(), "Wrote to bob@example.com.");
    assert_eq!(finished["answer"]["response"]["text"], json!("Wrote to bob@example.com."));
    next["call"]["request"]["messages"].to_string()
}

#[tokio::test]
async fn the_model_reads_tokens_and_people_and_tools_get_the_values() {
    let sidecar = Sidecar::with("builtin: { pii: { mode: token } }").start().await;
    let read = read_by_the_model(&sidecar).await;
    assert!(read.contains("<EMAIL_1>") && !read.contains("bob@"), "{read}");
}

#[tokio::test]
async fn a_tool_that_is_called_with_a_token_gets_the_value() {
    let sidecar = Sidecar::with("builtin: { pii: {} }").start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    let calls = json!([{"id": "c1", "arguments_json": r#"{"to":"bob@example.com"}"#}]);
    let messages = json!([{"role": "assistant", "tool_calls": calls}]);
    call.send(json!({"open": {"call": {"request": {"messages": messages}}}}));
    let read = call.play("response", json!({})).await;
    assert!(read.get("tripwire").is_none(), "{read}");
    let mut call = sidecar.runtime().open("wrap_tool_call").await;
    let invocation = json!({"tool_call": {"id": "c2"}, "args_json": r#"{"to":"<EMAIL_1>"}"#});
    call.send(json!({"open": {"call": invocation}}));
    let next = call.expect("next").await;
    assert_eq!(next["call"]["args_json"], json!(r#"{"to":"bob@example.com"}"#), "{next}");
}

#[tokio::test]
async fn a_guard_sees_a_streamed_answer_like_an_unstreamed_one() {
    let sidecar = Sidecar::with("builtin: { pii: { answers: true, mode: block } }").start().await;
    for streaming in [false, true] {
        let mut call = sidecar.runtime().open("wrap_model_call").await;
        call.send(json!({"open": {"call": {}, "streaming": streaming}}));
        let finished = call.play("response", json!({ "text": TEXT })).await;
        assert_eq!(finished["tripwire"]["middleware"], json!("pii"), "{streaming}: {finished}");
    }
}

/// Checks that a call and its result which nobody touches are not sent back.
async fn check_untouched(hook: &str, open: Value, result: &str) {
    let sidecar = Sidecar::with("").start().await;
    let mut call = sidecar.runtime().open(hook).await;
    call.send(json!({ "open": open }));
    let next = call.expect("next").await;
    assert_eq!(next, json!({"invocation": 1, "relay": "RELAY_DIRECT"}), "{hook}");
    call.send(json!({"end": {"invocation": 1, result: {}}}));
    let (_, finished) = call.finish().await;
    let expected = json!({"answer": {}, "answered_by": {"invocation": 1}});
    assert_eq!(finished, expected, "{hook}");
}

#[tokio::test]
async fn what_nobody_touches_is_not_sent_back() {
    check_untouched("wrap_model_call", json!({"call": {"model": "m"}}), "response").await;
    let tool = json!({"call": {"tool_call": {"id": "c1"}, "args_json": "{}"}});
    check_untouched("wrap_tool_call", tool, "result").await;
    check_untouched("wrap", json!({"request": {"model": "m"}}), "result").await;
}

fn said(text: &str) -> Arc<v1::ChatResponse> {
    let content = Some(v1::chat_response::Content::Text(text.into()));
    Arc::new(v1::ChatResponse { content, ..v1::ChatResponse::default() })
}

/// Plays a model call: each real call gets the next of `replies`, as the runtime's frame
/// without its invocation. Returns how many there were, and what `finished` says.
async fn played(links: Vec<Link>, replies: &[Value]) -> (usize, Value) {
    let sidecar = Sidecar::of(links).start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    call.send(json!({"open": {"call": {"model": "m"}}}));
    for (made, reply) in replies.iter().enumerate() {
        match call.read().await.unwrap().unwrap() {
            frame if frame.get("finished").is_some() => {
                return (made, frame["finished"].clone());
            }
            frame => {
                let mut reply = reply.clone();
                for frame_kind in reply.as_object_mut().unwrap().values_mut() {
                    frame_kind["invocation"] = frame["next"]["invocation"].clone();
                }
                call.send(reply);
            }
        }
    }
    (replies.len(), call.finish().await.1)
}

fn retry<'a>(
    call: Arc<v1::ModelCall>,
    next: &'a Next<'_, sidehook_server::hooks::WrapModelCall>,
) -> Around<'a> {
    Box::pin(async move {
        match next.run(Arc::clone(&call)).await {
            Err(WrapError::Inner(inner)) if inner.as_failure().is_some() => next.run(call).await,
            done => done,
        }
    })
}

#[tokio::test]
async fn a_link_may_answer_without_a_real_call() {
    let canned = around("canned", |_, _| Box::pin(async { Ok(said("canned")) }));
    let (made, finished) = played(vec![canned], &[json!({"end": {}})]).await;
    assert_eq!((made, &finished["answer"]["response"]["text"]), (0, &json!("canned")));
    assert_eq!(finished["answered_by"], json!({"middleware": "canned"}));
}

#[tokio::test]
async fn a_failed_call_may_be_made_again() {
    let failed = json!({"failed": {"error": {"type": "rate_limited", "retryable": true}}});
    let fine = json!({"end": {"response": {"text": "fine"}}});
    let (made, finished) = played(vec![around("retry", retry)], &[failed, fine]).await;
    assert_eq!((made, &finished["answered_by"]["invocation"]), (2, &json!(2)), "{finished}");
}

#[tokio::test]
async fn a_providers_error_keeps_its_type() {
    let error = json!({"type": "unavailable", "code": "LLM_UNAVAILABLE", "retryable": true});
    let (_, finished) = played(vec![], &[json!({"failed": {"error": error}})]).await;
    let failure = &finished["failure"];
    assert_eq!((&failure["type"], &failure["code"]), (&json!("unavailable"), &error["code"]));
    assert_eq!((failure["retryable"] == json!(true), failure.get("middleware")), (true, None));
}

#[tokio::test]
async fn a_nested_tripwire_passes_outward_and_is_never_retried() {
    let tripwire = json!({"reason": "nested", "middleware": "inner"});
    let failed = json!({"failed": {"tripwire": tripwire}});
    let links = vec![around("retry", retry), around("pass", |call, next| Box::pin(next.run(call)))];
    let (made, finished) = played(links, &[failed.clone(), failed]).await;
    let outward = json!({"reason": "nested", "middleware": "inner", "code": "GUARDRAIL_TRIPPED",
        "http_status": 400});
    assert_eq!((made, &finished["tripwire"]), (1, &outward));
}

#[tokio::test]
async fn the_faster_of_two_hedged_calls_answers() {
    let hedge = around("hedge", |call, next| {
        Box::pin(async move {
            tokio::select! {
                first = next.run(Arc::clone(&call)) => first,
                second = next.run(call) => second,
            }
        })
    });
    let sidecar = Sidecar::of(vec![hedge]).start().await;
    let mut call = sidecar.runtime().open("wrap_model_call").await;
    call.send(json!({"open": {"call": {}}}));
    let mut asked = vec![call.expect("next").await["invocation"].clone()];
    asked.push(call.expect("next").await["invocation"].clone());
    call.send(json!({"end": {"invocation": asked[1], "response": {"text": "fast"}}}));
    let finished = call.expect("finished").await;
    assert_eq!(finished["answered_by"]["invocation"], asked[1], "{finished}");
    // The other one comes too late, which is nobody's fault.
    call.send(json!({"end": {"invocation": asked[0], "response": {"text": "slow"}}}));
    call.half_close();
    assert_eq!(call.read().await.unwrap(), None);
}

/// Hands on other arguments.
#[derive(Debug)]
struct NewArguments;

#[async_trait]
impl Middleware for NewArguments {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::WrapToolCall])
    }

    async fn wrap_tool_call(
        &self,
        _: &Context<'_>,
        call: Arc<v1::ToolInvocation>,
        next: &Next<'_, WrapToolCall>,
    ) -> Wrapped<v1::ToolResult> {
        let mut call = (*call).clone();
        call.tool_call.as_mut().unwrap().arguments_json = r#"{"id":"B"}"#.into();
        next.run(Arc::new(call)).await
    }
}

#[tokio::test]
async fn new_arguments_lose_the_approval() {
    let link = Link::new("new", "test", Arc::new(NewArguments));
    let sidecar = Sidecar::of(vec![link]).start().await;
    let mut call = sidecar.runtime().open("wrap_tool_call").await;
    let tool_call = json!({"id": "c1", "name": "t", "arguments_json": r#"{"id":"A"}"#});
    let opened = json!({"tool_call": tool_call, "args_json": r#"{"id":"A"}"#, "approved": true});
    call.send(json!({"open": {"call": opened}}));
    let next = call.expect("next").await;
    assert_eq!(next["approval_needed"], json!(true), "{next}");
    assert_eq!(next["call"].get("approved"), None, "{next}");
    assert_eq!(next["call"]["tool_call"]["arguments_json"], json!(r#"{"id":"B"}"#));
}
