//! Scripts around a call: `next` not at all, once, again, and side by side.

use super::Scripted;
use serde_json::{Value, json};

/// Opens a model call around a script.
async fn open(script: &Scripted) -> crate::support::Exchange {
    let exchange = script.runtime().open("wrap_model_call").await;
    let messages = json!([{"role": "user", "text": "hi"}]);
    exchange
        .send(json!({"open": {"call": {"model": "openai/m", "request": {"messages": messages}}}}));
    exchange
}

fn text(finished: &Value) -> &Value {
    &finished["answer"]["response"]["text"]
}

#[tokio::test]
async fn a_script_that_only_looks_leaves_the_answer_as_it_came() {
    let script = Scripted::new(
        "export default { async wrapModelCall(call, next) { const r = await next(call); r.content.length; return r; } };",
    )
    .await;
    let mut exchange = open(&script).await;
    let response = json!({"text": "hello", "extra_json": "{ \"a\": 1.0 }"});
    let next = exchange.expect("next").await;
    assert_eq!(next["call"], Value::Null);
    exchange.send(json!({"end": {"invocation": 1, "response": response}}));
    let (_, finished) = exchange.finish().await;
    assert_eq!(finished["answer"], json!({}));
    assert_eq!(finished["answered_by"], json!({"invocation": 1}));
}

#[tokio::test]
async fn a_script_changes_the_call_and_the_answer() {
    let script = Scripted::new(
        "export default { async wrapModelCall(call, next) {
           const request = { ...call.request, messages: [...call.request.messages, { role: 'user', content: 'please' }] };
           const response = await next({ ...call, request });
           return { ...response, content: response.content + '!' };
         } };",
    )
    .await;
    let mut exchange = open(&script).await;
    let next = exchange.expect("next").await;
    let sent = &next["call"]["request"]["messages"];
    assert_eq!((&sent[0]["text"], &sent[1]["text"]), (&json!("hi"), &json!("please")));
    exchange.send(
        json!({"end": {"invocation": 1, "response": {"text": "yes", "finish_reason": "stop"}}}),
    );
    let (_, finished) = exchange.finish().await;
    let response = &finished["answer"]["response"];
    assert_eq!((&response["text"], &response["finish_reason"]), (&json!("yes!"), &json!("stop")));
}

#[tokio::test]
async fn a_script_answers_without_the_model() {
    let script =
        Scripted::new("export default { wrapModelCall: () => ({ content: 'canned' }) };").await;
    let mut exchange = open(&script).await;
    let (before, finished) = exchange.finish().await;
    assert_eq!((before.len(), text(&finished)), (0, &json!("canned")));
    assert_eq!(finished["answered_by"], json!({"middleware": "guard"}));
}

#[tokio::test]
async fn a_script_tries_again_and_sees_the_type_of_the_failure() {
    let script = Scripted::new(
        "export default { async wrapModelCall(call, next) {
           for (let attempt = 1; ; attempt++) {
             try { return await next(call); }
             catch (error) { if (attempt === 3 || !error.retryable) throw error; }
           }
         } };",
    )
    .await;
    let failed = |n: i32, kind: &str, retryable: bool| json!({"failed": {"invocation": n, "error": {"type": kind, "message": "m", "retryable": retryable}}});
    let mut exchange = open(&script).await;
    exchange.expect("next").await;
    exchange.send(failed(1, "rate_limited", true));
    assert_eq!(exchange.expect("next").await["invocation"], 2);
    exchange.send(json!({"end": {"invocation": 2, "response": {"text": "ok"}}}));
    let (_, finished) = exchange.finish().await;
    assert_eq!(finished["answered_by"], json!({"invocation": 2}));

    let mut exchange = open(&script).await;
    exchange.expect("next").await;
    exchange.send(failed(1, "auth", false));
    let (_, finished) = exchange.finish().await;
    // The provider's error, not one of the middleware.
    assert_eq!(finished["failure"]["type"], "auth");
    assert_eq!(finished["failure"]["middleware"], Value::Null);
}

#[tokio::test]
async fn a_script_asks_several_models_at_once_and_takes_the_first() {
    let script = Scripted::new(
        "export default { wrapModelCall: (call, next) => Promise.any(['a', 'b', 'c'].map((model) => next({ ...call, model }))) };",
    )
    .await;
    let mut exchange = open(&script).await;
    let mut models = Vec::new();
    for _ in 0..3 {
        models.push(exchange.expect("next").await["call"]["model"].clone());
    }
    assert_eq!(models, ["a", "b", "c"]);
    exchange.send(json!({"end": {"invocation": 2, "response": {"text": "from b"}}}));
    let (_, finished) = exchange.finish().await;
    assert_eq!(finished["answered_by"], json!({"invocation": 2}));
}

#[tokio::test]
async fn what_a_script_throws_is_its_own_fault_before_and_after_next() {
    let script = Scripted::new(
        "export default { async wrapModelCall(call, next) {
           if (call.model === 'before') throw new TypeError('early');
           await next(call);
           throw Object.assign(new Error('late'), { status: 503 });
         } };",
    )
    .await;
    let mut exchange = script.runtime().open("wrap_model_call").await;
    exchange.send(json!({"open": {"call": {"model": "before"}}}));
    let (_, finished) = exchange.finish().await;
    let failure = &finished["failure"];
    assert_eq!(
        (&failure["type"], &failure["code"]),
        (&json!("invalid_params"), &json!("middleware_threw"))
    );
    assert_eq!(failure["middleware"], "guard");

    let mut exchange = open(&script).await;
    let finished = exchange.play("response", json!({"text": "x"})).await;
    let failure = &finished["failure"];
    assert_eq!((&failure["type"], &failure["retryable"]), (&json!("unavailable"), &json!(true)));
}

#[tokio::test]
async fn an_error_of_wrap_after_next_succeeded_leaves_the_result() {
    let script = Scripted::new(
        "export default { wrap: async (request, next, ctx) => {
           const result = await next();
           if (ctx.stage !== 'pre-dispatch' || ctx.primaryModel !== 'gpt') return { value: 'wrong' };
           throw new Error('metrics are down ' + result.meta.attemptCount);
         } };",
    )
    .await;
    let mut exchange = script.runtime().open("wrap").await;
    let dispatch = json!({"primary_provider": "openai", "primary_model": "gpt"});
    exchange.send(json!({"open": {"request": {"model": "gpt"}, "dispatch": dispatch}}));
    let finished =
        exchange.play("result", json!({"value_json": "\"v\"", "meta": {"attempt_count": 2}})).await;
    assert_eq!(finished["answer"], json!({}));
    assert_eq!(finished["answered_by"], json!({"invocation": 1}));
}

#[tokio::test]
async fn a_tripwire_from_inside_passes_a_script_that_catches_everything() {
    let script = Scripted::new(
        "import { isTripwire } from 'sidehook';
         export default { async wrapToolCall(call, next) {
           try { return await next(call); } catch (error) { return { result: isTripwire(error) ? 'hidden' : 'other' }; }
         } };",
    )
    .await;
    let mut exchange = script.runtime().open("wrap_tool_call").await;
    exchange.send(json!({"open": {"call": {"tool_call": {"id": "c", "name": "agent"}}}}));
    exchange.expect("next").await;
    exchange.send(json!({"failed": {"invocation": 1, "tripwire": {"reason": "inner"}}}));
    let (_, finished) = exchange.finish().await;
    assert_eq!(finished["tripwire"]["reason"], "inner");
}

#[tokio::test]
async fn new_arguments_of_a_tool_call_lose_the_approval() {
    let script = Scripted::new(
        "export default { wrapToolCall: (call, next) =>
           next({ ...call, toolCall: { ...call.toolCall, arguments: { id: String(call.args.id).trim().toUpperCase() } } }) };",
    )
    .await;
    let mut exchange = script.runtime().open("wrap_tool_call").await;
    let call = json!({"id": "c", "name": "order", "arguments_json": "{\"id\":\" ab \"}"});
    exchange.send(json!({"open": {"call": {"tool_call": call, "args_json": "{\"id\":\" ab \"}", "approved": true}}}));
    let next = exchange.expect("next").await;
    assert_eq!(next["call"]["tool_call"]["arguments_json"], r#"{"id":"AB"}"#);
    assert_eq!((&next["approval_needed"], &next["call"]["approved"]), (&json!(true), &Value::Null));
    exchange.send(json!({"end": {"invocation": 1, "result": {"text": "done"}}}));
    exchange.finish().await;
}

#[tokio::test]
async fn next_after_the_answer_makes_no_call() {
    let script = Scripted::new(
        "let late: unknown;
         export default {
           wrapModelCall(call, next) { queueMicrotask(() => next(call).catch((error) => { late = error.message; })); return { content: 'c' }; },
           beforeStop: () => ({ continueWith: String(late) }),
         };",
    )
    .await;
    let mut exchange = open(&script).await;
    let (before, _) = exchange.finish().await;
    assert_eq!(before.len(), 0);
    let answer = script.answer("before_stop", json!({})).await;
    assert_eq!(answer["continue_with"], "next was called after the hook had answered");
}
