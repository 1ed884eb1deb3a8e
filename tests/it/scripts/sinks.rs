//! Sinks that misbehave, and sinks of several scripts around one call.

use super::Scripted;
use crate::support::{Exchange, soon};
use serde_json::{Value, json};

async fn open(script: &Scripted) -> Exchange {
    let exchange = script.runtime().open("wrap_model_call").await;
    exchange.send(json!({"open": {"call": {"model": "m"}, "streaming": true}}));
    exchange
}

/// Streams `pieces` through the first real call, and returns what was emitted and how it ended.
async fn play(mut exchange: Exchange, pieces: &[&str]) -> (String, Value) {
    let mut frames = Vec::new();
    while frames.last().is_none_or(|frame: &Value| frame.get("next").is_none()) {
        frames.extend(exchange.read().await.unwrap());
    }
    for (sequence, piece) in pieces.iter().enumerate() {
        exchange.send(json!({"delta": {"invocation": 1, "sequence": sequence, "text": piece}}));
    }
    exchange.send(json!({"end": {"invocation": 1, "response": {"text": pieces.concat()}}}));
    let (rest, finished) = exchange.finish().await;
    assert!(rest.iter().all(|frame| frame.get("next").is_none()), "a second real call");
    frames.extend(rest);
    let text =
        |frame: &Value| frame["emit"]["delta"]["text"].as_str().unwrap_or_default().to_owned();
    (frames.iter().map(text).collect(), finished)
}

/// A script whose sink has this `write`, and on whose faults the rest passes.
async fn skipped(write: &str) -> Scripted {
    let code = format!(
        "import {{ tripwire }} from 'sidehook';
         export default {{ wrapModelCall: (call, next) => next({{ ...call, stream: {{ write: {write} }} }}) }};"
    );
    let yaml = "middleware: [{name: guard, kind: script, file: guard.ts, on_fault: skip, timeout: 2s, limits: {time: 100ms}}]";
    Scripted::with(&[("guard.ts", &code)], yaml).await
}

#[tokio::test]
async fn a_sink_that_fails_in_any_way_lets_the_rest_pass_under_skip() {
    let cases = [
        "() => { throw new Error('no'); }",
        "() => { throw undefined; }",
        "async () => { await null; throw new Error('no'); }",
        "() => { for (;;); }",
        "async () => { await null; for (;;); }",
        "() => new Promise(() => {})",
        "() => ({ then() { throw 1; } })",
    ];
    for write in cases {
        let script = skipped(write).await;
        let (text, finished) = soon(play(open(&script).await, &["a", "b", "c"])).await;
        assert_eq!(text, "abc", "{write}");
        assert_eq!(finished["answered_by"], json!({"invocation": 1}), "{write}: {finished}");
    }
}

#[tokio::test]
async fn a_tripwire_of_a_sink_wins_over_what_the_hook_answers() {
    let cases = [
        "(delta) => { call.stream.write('seen'); tripwire('stop'); }",
        "async (delta) => { call.stream.write('seen'); await null; tripwire('stop'); }",
        "(delta) => { call.stream.write('seen'); done({ content: 'hook' }); tripwire('stop'); }",
    ];
    for write in cases {
        let code = format!(
            "import {{ tripwire }} from 'sidehook';
             export default {{ wrapModelCall: (call, next) => new Promise((done) => {{
               next({{ ...call, stream: {{ write: {write} }} }}).then(done);
             }}) }};"
        );
        let script = Scripted::new(&code).await;
        let (text, finished) = soon(play(open(&script).await, &["a"])).await;
        assert_eq!(text, "seen", "{write}");
        assert_eq!(finished["tripwire"]["reason"], "stop", "{write}: {finished}");
    }
}

#[tokio::test]
async fn an_answer_before_the_sink_is_done_is_the_answer() {
    let script = Scripted::new(
        "export default { wrapModelCall: (call, next) => new Promise((done) => {
           next({ ...call, stream: { write: () => { done({ content: 'early' }); return new Promise(() => {}); } } });
         }) };",
    )
    .await;
    let (_, finished) = soon(play(open(&script).await, &["a"])).await;
    assert_eq!(finished["answer"]["response"]["text"], "early");
}

#[tokio::test]
async fn what_is_written_after_the_end_goes_nowhere() {
    let script = Scripted::new(
        "let late: any;
         export default {
           wrapModelCall(call) { late = call.stream; return { content: 'x' }; },
           beforeStop() { late.write('late'); return { continueWith: 'fine' }; },
         };",
    )
    .await;
    let (frames, _) = open(&script).await.finish().await;
    assert_eq!(frames, Vec::<Value>::new());
    assert_eq!(script.answer("before_stop", json!({})).await["continue_with"], "fine");
}

#[tokio::test]
async fn text_of_an_inner_script_passes_the_sink_of_an_outer_one() {
    let outer = "export default { wrapModelCall: (call, next) => next({ ...call, stream: {
         async write(delta) { await null; call.stream.write(delta.text.toUpperCase()); },
         end() { call.stream.write('.'); },
       } }) };";
    let inner = "export default { async wrapModelCall(call, next) {
         for (let i = 0; i < 100; i++) call.stream.write('a');
         const response = await next({ ...call, stream: { write: (delta) => call.stream.write(delta) } });
         call.stream.write('c');
         return response;
       } };";
    let one = format!(
        "{}\n{}",
        outer.replace("export default", "export const a ="),
        inner.replace("export default", "export const b =")
    );
    let two = "middleware: [{name: outer, kind: script, file: outer.ts}, {name: inner, kind: script, file: inner.ts}]";
    let apart = Scripted::with(&[("outer.ts", outer), ("inner.ts", inner)], two).await;
    // In one file they share a thread.
    let together = Scripted::new(&one).await;
    for script in [apart, together] {
        let (text, _) = soon(play(open(&script).await, &["b", "b"])).await;
        assert_eq!(text, format!("{}BBC.", "A".repeat(100)));
    }
}

#[tokio::test]
async fn a_script_in_audit_mode_changes_nothing_around_a_call() {
    let code = "import { tripwire } from 'sidehook';
        export default { async wrapModelCall(call, next, context) {
          context.addContext('no');
          context.stop('no');
          call.stream?.write('no');
          await next({ ...call, model: 'other', stream: { write: () => tripwire('no') } });
          await next(call);
          return { content: 'no' };
        } };";
    let other = "export default { wrapModelCall: (call, next) => next({ ...call, stream: { write: (delta) => call.stream.write(delta) } }) };";
    let yaml = "middleware: [{name: other, kind: script, file: other.ts}, {name: guard, kind: script, file: guard.ts, mode: audit}]";
    let script = Scripted::with(&[("guard.ts", code), ("other.ts", other)], yaml).await;
    let (text, finished) = play(open(&script).await, &["a", "b"]).await;
    assert_eq!(text, "ab");
    assert_eq!(finished["answered_by"], json!({"invocation": 1}));
    assert_eq!((&finished["answer"], &finished["effects"]), (&json!({}), &Value::Null));
}
