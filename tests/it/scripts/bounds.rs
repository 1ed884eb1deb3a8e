//! What a script asks of the sidecar is bounded, not only what it keeps for itself.

use super::Scripted;
use crate::support::{Exchange, soon};
use futures::{StreamExt, stream::FuturesUnordered};
use serde_json::json;

/// A script whose output may have 10 KiB.
async fn small(code: &str) -> Scripted {
    let yaml = "middleware: [{name: guard, kind: script, file: guard.ts, limits: {output: 10KiB}}]";
    Scripted::with(&[("guard.ts", code)], yaml).await
}

async fn open(script: &Scripted) -> Exchange {
    let exchange = script.runtime().open("wrap_model_call").await;
    exchange.send(json!({"open": {"call": {"model": "m"}, "streaming": true}}));
    exchange
}

#[tokio::test]
async fn a_hook_call_uses_next_so_often_and_not_more() {
    let script = Scripted::new(
        "export default { async wrapModelCall(call, next) {
           const uses = Array.from({ length: 300 }, () => next(call));
           try { return await uses[299]; } catch (error) { return { content: error.message }; }
         } };",
    )
    .await;
    let (_, finished) = open(&script).await.finish().await;
    let text = &finished["answer"]["response"]["text"];
    assert_eq!(text, "next was called more than 256 times");
}

#[tokio::test]
async fn what_a_script_asks_for_faster_than_it_is_done_is_refused() {
    let cases = [
        "for (;;) call.stream.write('x'.repeat(1000));",
        "await Promise.all(Array.from({ length: 200 }, (_, i) => next({ ...call, model: `${i}`.repeat(3000) })));",
    ];
    for body in cases {
        let code = format!(
            "export default {{ async wrapModelCall(call, next): Promise<any> {{ {body} }} }};"
        );
        let script = small(&code).await;
        let (_, finished) = open(&script).await.finish().await;
        let message = finished["failure"]["message"].as_str().unwrap();
        let expected = "more than 40960 characters wait for what is outside the call";
        assert!(message.contains(expected), "{body}\n{message}");
    }
}

#[tokio::test]
async fn a_script_that_keeps_pace_streams_and_calls_without_an_end() {
    let script = small(
        "export default { async wrapModelCall(call, next) {
           const stream = { write: (delta) => call.stream.write(delta.text.repeat(3)) };
           return await next({ ...call, model: 'x'.repeat(9000), stream });
         } };",
    )
    .await;
    let mut exchange = open(&script).await;
    exchange.expect("next").await;
    for sequence in 0..200 {
        let text = "y".repeat(1000);
        exchange.send(json!({"delta": {"invocation": 1, "sequence": sequence, "text": text}}));
    }
    exchange.send(json!({"end": {"invocation": 1, "response": {"text": "done"}}}));
    let (frames, finished) = exchange.finish().await;
    let length = |frame: &serde_json::Value| frame["emit"]["delta"]["text"].as_str().unwrap().len();
    assert_eq!(frames.iter().map(length).sum::<usize>(), 200 * 3000);
    assert_eq!(finished["answered_by"], json!({"invocation": 1}));
}

#[tokio::test]
async fn effects_of_one_call_are_bounded() {
    let long = "'x'.repeat(1000)";
    let cases = [
        format!("context.addContext({long})"),
        format!("context.stop({long})"),
        format!("context.logEvent({long}, 1)"),
        format!("context.logEvent('e', {long})"),
        "context.addContext('')".into(),
    ];
    for effect in cases {
        let script =
            small(&format!("export default {{ beforeRun(_, context) {{ for (;;) {effect}; }} }};"))
                .await;
        let request = json!({"context": {"run_id": "r", "thread_id": "t"}, "input": "x"});
        let message = script.failure("before_run", request).await;
        assert!(message.contains("more than 10240 characters are added"), "{effect}\n{message}");
    }
}

#[tokio::test]
async fn the_bytes_that_wait_for_a_busy_script_are_bounded() {
    let yaml =
        "middleware: [{name: guard, kind: script, file: guard.ts, timeout: 0, limits: {time: 1h}}]";
    let code = "export default { beforeRun() { for (;;); } };";
    let script = Scripted::with(&[("guard.ts", code)], yaml).await;
    let (runtime, input) = (script.runtime(), "x".repeat(8 << 20));
    let mut calls: FuturesUnordered<_> =
        (0..12).map(|_| runtime.ask("before_run", json!({"input": input}))).collect();
    // Those that found room wait; the first to be answered is one that found none.
    let first = soon(calls.next()).await.unwrap().unwrap();
    let message = first["failure"]["message"].as_str().unwrap();
    assert!(message.contains("is busy: 1,024 calls, or 64 MiB of them,"), "{message}");
}

#[tokio::test]
async fn what_an_error_says_is_one_line_of_bounded_length() {
    let cases = [
        "throw new Error('x'.repeat(5_000_000));",
        "const error = new Error('y'); error.stack = 'z'.repeat(5_000_000); throw error;",
        "throw Object.assign(new Error('y'), { name: 'n'.repeat(5_000_000), code: 'c'.repeat(5_000_000) });",
        "throw 'x'.repeat(5_000_000);",
        "throw { message: Array.from({ length: 100_000 }, () => 'x') };",
        r"throw new Error('one\ntwo\r\u001b[31mred\u0000');",
    ];
    for body in cases {
        let code = format!("export default {{ beforeRun(): any {{ {body} }} }};");
        let message = Scripted::new(&code).await.failure("before_run", json!({"input": "x"})).await;
        assert!(message.len() < 10_000, "{body}: {}", message.len());
        assert!(!message.contains(char::is_control), "{body}: {message:?}");
    }
}
