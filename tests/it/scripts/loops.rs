//! Scripts that never come to an end by themselves, each in its own way.

use super::Scripted;
use crate::support::soon;
use futures::{StreamExt, stream::FuturesUnordered};
use serde_json::json;

const FREE: &str = "beforeStop: () => ({ continueWith: 'free' }),";

/// A script whose `before_run` does not end, and whose `before_stop` always answers.
async fn endless(body: &str) -> Scripted {
    let code = format!(
        "const f = () => {{}};
         export default {{ {FREE} async beforeRun(event: any, context: any): Promise<any> {{ {body} }} }};"
    );
    let entry = "{name: guard, kind: script, file: guard.ts, limits: {time: 200ms, memory: 8MiB}}";
    Scripted::with(&[("guard.ts", &code)], &format!("middleware: [{entry}]")).await
}

async fn is_free(script: &Scripted, after: &str) {
    let answer = soon(script.answer("before_stop", json!({}))).await;
    assert_eq!(answer["continue_with"], "free", "{after}");
}

#[tokio::test]
async fn an_endless_loop_is_interrupted_wherever_it_runs() {
    let bodies = [
        "for (;;) try { for (;;); } catch {} finally { for (;;); }",
        "try { for (;;); } finally { return { context: 'x' }; }",
        "[3, 1, 2].sort(() => { for (;;); });",
        "'abc'.replace(/b/, () => { for (;;); });",
        "JSON.stringify({ toJSON() { for (;;); } });",
        "JSON.stringify({ get a() { for (;;); } });",
        "JSON.parse('[1]', () => { for (;;); });",
        "return new Proxy({}, { ownKeys() { for (;;); } });",
        "return { then() { for (;;); } };",
        "return { get then() { for (;;); } };",
        "+{ valueOf() { for (;;); } };",
        "const g = async function* () { for (;;) yield 1; }; for await (const _ of g());",
        "const g = function* () { try { for (;;) yield; } finally { for (;;); } }; for (const _ of g()) for (;;);",
        "await null; for (;;);",
        "await Promise.all([1, 2, 3].map(async () => { await null; for (;;); }));",
        "new Promise(() => { for (;;); }); for (;;);",
        "await new Promise((done) => setTimeout(done, 1)); for (;;);",
        "await new Promise(() => setTimeout(() => { for (;;); }, 1));",
        "structuredClone({ get a() { for (;;); } });",
        "for (;;) await null;",
        "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);",
        "throw { get message() { for (;;); } };",
        "(function again(): any { try { return again(); } finally { again(); } })();",
    ];
    for body in bodies {
        let script = endless(body).await;
        let message = soon(script.failure("before_run", json!({"input": "x"}))).await;
        let clear = ["timed out after 200ms", "was started anew, for it never came to rest"];
        assert!(clear.iter().any(|it| message.contains(it)), "{body}\n{message}");
        is_free(&script, body).await;
    }
}

#[tokio::test]
async fn a_script_that_catches_everything_is_interrupted_without_memory_too() {
    let script = endless(
        "const all: unknown[] = [];
         const fill = () => { for (;;) all.push({}); };
         for (;;) try { for (;;) try { for (;;) try { for (;;) try { fill(); } catch {} } catch {} } catch {} } catch {}",
    )
    .await;
    let message = soon(script.failure("before_run", json!({"input": "x"}))).await;
    assert!(message.contains("timed out after 200ms"), "{message}");
    is_free(&script, "memory").await;
}

#[tokio::test]
async fn what_cannot_be_interrupted_loses_its_place_to_a_new_thread() {
    // One call of a function of the engine that does not look at the clock.
    let code = "const born = crypto.randomUUID();
        export default {
          beforeRun() { const all: any = []; all.length = 2 ** 32 - 1; all.reverse(); },
          beforeStop: () => ({ continueWith: born }),
        };";
    let yaml = "middleware: [{name: guard, kind: script, file: guard.ts, timeout: 300ms, limits: {time: 100ms}}]";
    let script = Scripted::with(&[("guard.ts", code)], yaml).await;
    let first = script.answer("before_stop", json!({})).await["continue_with"].clone();
    let message = script.failure("before_run", json!({"input": "x"})).await;
    assert!(message.contains("timed out after 300ms"), "{message}");
    let free = async {
        loop {
            let response = script.ask("before_stop", json!({})).await;
            if let Some(answer) = response.get("answer") {
                break answer["continue_with"].clone();
            }
        }
    };
    assert_ne!(soon(free).await, first);
}

#[tokio::test]
async fn a_call_that_waits_for_next_survives_the_loop_of_another() {
    let script = Scripted::with(
        &[(
            "guard.ts",
            "export default {
               async wrapModelCall(call, next) { return { ...(await next(call)), content: 'mine' }; },
               beforeRun() { for (;;); },
             };",
        )],
        "middleware: [{name: guard, kind: script, file: guard.ts, limits: {time: 200ms}}]",
    )
    .await;
    let mut exchange = script.runtime().open("wrap_model_call").await;
    exchange.send(json!({"open": {"call": {"model": "m"}}}));
    exchange.expect("next").await;
    let message = soon(script.failure("before_run", json!({"input": "x"}))).await;
    assert!(message.contains("timed out"), "{message}");
    exchange.send(json!({"end": {"invocation": 1, "response": {"text": "x"}}}));
    let (_, finished) = exchange.finish().await;
    assert_eq!(finished["answer"]["response"]["text"], "mine");
}

#[tokio::test]
async fn a_script_started_anew_says_so_to_every_call_and_then_works() {
    let script = Scripted::with(
        &[(
            "guard.ts",
            "export default {
               async wrapModelCall(call, next) { return { ...(await next(call)), content: 'mine' }; },
               async beforeRun() { for (;;) await null; },
             };",
        )],
        "middleware: [{name: guard, kind: script, file: guard.ts, limits: {time: 200ms}}]",
    )
    .await;
    for _ in 0..2 {
        let mut exchange = script.runtime().open("wrap_model_call").await;
        exchange.send(json!({"open": {"call": {"model": "m"}}}));
        exchange.expect("next").await;
        let message = soon(script.failure("before_run", json!({"input": "x"}))).await;
        assert!(message.contains("never came to rest"), "{message}");
        let (_, finished) = exchange.finish().await;
        let message = finished["failure"]["message"].as_str().unwrap();
        assert!(message.contains("was started anew"), "{message}");
    }
}

#[tokio::test]
async fn a_script_that_does_not_load_anew_gets_another_chance() {
    // Loads half of the time.
    let code = "if (crypto.randomUUID() < '8') throw new Error('not now');
        export default {
          async beforeRun() { for (;;) await null; },
          beforeStop: () => ({ continueWith: 'free' }),
        };";
    let yaml = "middleware: [{name: guard, kind: script, file: guard.ts, limits: {time: 50ms}}]";
    let loads = async || {
        loop {
            let script = async move { Scripted::with(&[("guard.ts", code)], yaml).await };
            if let Ok(script) = tokio::spawn(script).await {
                break script;
            }
        }
    };
    let script = soon(loads()).await;
    for _ in 0..10 {
        script.failure("before_run", json!({"input": "x"})).await;
        let free =
            async { while script.ask("before_stop", json!({})).await.get("answer").is_none() {} };
        soon(free).await;
    }
}

#[tokio::test]
async fn timers_without_an_end_leave_time_for_calls() {
    let script = endless("const again = () => setTimeout(again, 0); again(); again();").await;
    script.ask("before_run", json!({"input": "x"})).await;
    for _ in 0..10 {
        is_free(&script, "timers").await;
    }
}

#[tokio::test]
async fn calls_without_an_end_leave_time_for_timers() {
    let script = Scripted::new(
        "export default {
           async beforeRun() { await new Promise((done) => setTimeout(done, 1)); return { context: 'fired' }; },
           beforeStop() { const until = performance.now() + 2; while (performance.now() < until); },
         };",
    )
    .await;
    let runtime = script.runtime();
    let busy = || runtime.ask("before_stop", json!({}));
    let mut calls: FuturesUnordered<_> = (0..64).map(|_| busy()).collect();
    let fired = script.answer("before_run", json!({"input": "x"}));
    let mut fired = std::pin::pin!(soon(fired));
    let answer = loop {
        tokio::select! {
            answer = &mut fired => break answer,
            _ = calls.next() => calls.push(busy()),
        }
    };
    assert_eq!(answer["added_context"], json!(["fired"]));
}
