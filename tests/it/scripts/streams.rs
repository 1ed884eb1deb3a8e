//! Scripts that see and rewrite streamed text.

use super::Scripted;
use crate::support::Exchange;
use serde_json::{Value, json};

async fn open(script: &Scripted) -> Exchange {
    let exchange = script.runtime().open("wrap_model_call").await;
    exchange.send(json!({"open": {"call": {"model": "m"}, "streaming": true}}));
    exchange
}

/// The text of the frames that were emitted.
fn emitted(frames: &[Value]) -> String {
    let text =
        |frame: &Value| frame["emit"]["delta"]["text"].as_str().unwrap_or_default().to_owned();
    frames.iter().map(text).collect()
}

/// Plays a call that streams `pieces`, and returns what was emitted and how it ended.
async fn play(mut exchange: Exchange, pieces: &[&str]) -> (String, Value) {
    let next = exchange.expect("next").await;
    assert_eq!(next["relay"], "RELAY_RELAYED");
    for (sequence, piece) in pieces.iter().enumerate() {
        exchange.send(json!({"delta": {"invocation": 1, "sequence": sequence, "text": piece}}));
    }
    exchange.send(json!({"end": {"invocation": 1, "response": {"text": pieces.concat()}}}));
    let (frames, finished) = exchange.finish().await;
    (emitted(&frames), finished)
}

#[tokio::test]
async fn a_sink_rewrites_what_passes() {
    let script = Scripted::new(
        "export default { async wrapModelCall(call, next) {
           const stream = { write: async (delta) => { await null; call.stream.write({ ...delta, text: delta.text.toUpperCase() }); } };
           const response = await next({ ...call, stream });
           return { ...response, content: response.content.toUpperCase() };
         } };",
    )
    .await;
    let (text, finished) = play(open(&script).await, &["hel", "lo", " you"]).await;
    assert_eq!(text, "HELLO YOU");
    assert_eq!(finished["answer"]["response"]["text"], "HELLO YOU");
}

#[tokio::test]
async fn a_sink_may_hold_text_back_until_the_end() {
    let script = Scripted::new(
        "export default { async wrapModelCall(call, next) {
           let held = '';
           const stream = {
             write(delta) { held += delta.text; const cut = held.lastIndexOf(' ') + 1; if (cut) { call.stream.write(held.slice(0, cut)); held = held.slice(cut); } },
             end() { call.stream.write(held + '.'); },
           };
           return await next({ ...call, stream });
         } };",
    )
    .await;
    let (text, _) = play(open(&script).await, &["one t", "wo th", "ree"]).await;
    assert_eq!(text, "one two three.");
}

#[tokio::test]
async fn without_a_sink_of_its_own_text_passes_as_it_is() {
    let script = Scripted::new(
        "export default { wrapModelCall: (call, next) => { if (!call.stream) throw new Error('no stream'); return next({ ...call }); } };",
    )
    .await;
    let (text, finished) = play(open(&script).await, &["as ", "it is"]).await;
    assert_eq!(text, "as it is");
    assert_eq!(finished["answered_by"], json!({"invocation": 1}));
}

#[tokio::test]
async fn a_script_that_does_not_care_for_streams_costs_no_relay() {
    let script = Scripted::new(
        "export default { name: 'timing', async wrapModelCall(call, next) { return await next(call); } };",
    )
    .await;
    let mut exchange = open(&script).await;
    assert_eq!(exchange.expect("next").await["relay"], "RELAY_DIRECT");
}

#[tokio::test]
async fn holds_stream_holds_it() {
    let script = Scripted::new(
        "export default { holdsStream: true, wrapModelCall: async (call, next) => ({ ...(await next(call)), content: 'blocked' }) };",
    )
    .await;
    let mut exchange = open(&script).await;
    assert_eq!(exchange.expect("next").await["relay"], "RELAY_HELD");
    exchange.send(json!({"end": {"invocation": 1, "response": {"text": "secret"}}}));
    let (frames, finished) = exchange.finish().await;
    assert_eq!(
        (emitted(&frames), &finished["answer"]["response"]["text"]),
        (String::new(), &json!("blocked"))
    );
}

#[tokio::test]
async fn a_tripwire_in_a_sink_ends_the_call() {
    let script = Scripted::new(
        "import { tripwire } from 'sidehook';
         export default { wrapModelCall: (call, next) => next({ ...call, stream: { write(delta) {
           if (delta.text.includes('bomb')) tripwire('dangerous', { text: delta.text });
           call.stream.write(delta);
         } } }) };",
    )
    .await;
    let (text, finished) = play(open(&script).await, &["how to ", "build a bomb"]).await;
    assert_eq!(text, "how to ");
    assert_eq!(finished["tripwire"]["reason"], "dangerous");
    assert_eq!(finished["tripwire"]["middleware"], "guard");
}

#[tokio::test]
async fn a_sink_that_throws_is_a_fault_of_its_link() {
    let script = Scripted::new(
        "export default { wrapModelCall: (call, next) => next({ ...call, stream: { write() { throw new Error('broken sink'); } } }) };",
    )
    .await;
    let (_, finished) = play(open(&script).await, &["a"]).await;
    let message = finished["failure"]["message"].as_str().unwrap();
    assert!(message.contains("broken sink") && message.contains("guard.ts:1:"), "{message}");
}

#[tokio::test]
async fn the_stream_of_an_llm_client_passes_a_sink_too() {
    let script = Scripted::new(
        "export default { wrap: (request, next, ctx) => next({ stream: { write: (delta) => ctx.stream.write(delta.text + '~') } }) };",
    )
    .await;
    let exchange = script.runtime().open("wrap").await;
    exchange.send(json!({"open": {"request": {"model": "m"}, "streaming": true}}));
    let mut exchange = exchange;
    exchange.expect("next").await;
    exchange.send(json!({"delta": {"invocation": 1, "sequence": 0, "text": "a"}}));
    exchange.send(json!({"delta": {"invocation": 1, "sequence": 1, "text": "b"}}));
    exchange.send(json!({"end": {"invocation": 1, "result": {"value_json": "\"ab\""}}}));
    let (frames, _) = exchange.finish().await;
    assert_eq!(emitted(&frames), "a~b~");
}
