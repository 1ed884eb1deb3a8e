//! What a script gets beside its event: state, scratch space, effects, the
//! signal.

use super::Scripted;
use crate::support::soon;
use serde_json::json;
use tokio_stream::{StreamExt, wrappers::UnboundedReceiverStream};

#[tokio::test]
async fn the_state_is_shared_by_the_middleware_of_a_run_and_by_nobody_else() {
    let files = [
        ("write.ts", "export default { beforeRun(_, context) { context.state.set('seen', { n: 1 }); } };"),
        (
            "read.ts",
            "export default { beforeStop(_, context) {
               const { state } = context;
               return { continueWith: JSON.stringify([state.get('seen'), state.has('seen'), state.has('other'), state.delete('seen'), state.get('seen')]) };
             } };",
        ),
    ];
    let yaml = "middleware: [{name: write, kind: script, file: write.ts}, {name: read, kind: script, file: read.ts}]";
    let script = Scripted::with(&files, yaml).await;
    let context = |run: &str| json!({"context": {"run_id": run}});
    script.ask("before_run", context("r")).await;
    let answer = script.answer("before_stop", context("r")).await;
    assert_eq!(answer["continue_with"], r#"[{"n":1},true,false,true,null]"#);
    let answer = script.answer("before_stop", context("other")).await;
    assert_eq!(answer["continue_with"], "[null,false,false,false,null]");
}

#[tokio::test]
async fn sixty_four_parallel_calls_that_add_one_give_sixty_four() {
    let script = Scripted::new(
        "export default {
           async beforeToolCall(_, context) {
             await null;
             const before = context.state.get('count') ?? 0;
             context.state.add('count', 1);
             while (!context.state.compareAndSet('swapped', context.state.get('swapped'), (context.state.get('swapped') ?? 0) + 1)) {}
           },
           beforeStop(_, { state }) { return { continueWith: `${state.get('count')} ${state.get('swapped')}` }; },
         };",
    )
    .await;
    let (runtime, (done, all)) = (script.runtime(), tokio::sync::mpsc::unbounded_channel());
    for _ in 0..64 {
        let (runtime, done) = (runtime.clone(), done.clone());
        tokio::spawn(async move {
            let request = json!({"tool_call": {"name": "t"}});
            done.send(runtime.ask("before_tool_call", request).await.unwrap()).unwrap();
        });
    }
    drop(done);
    assert_eq!(soon(UnboundedReceiverStream::new(all).count_all()).await, 64);
    let answer = script.answer("before_stop", json!({})).await;
    assert_eq!(answer["continue_with"], "64 64");
}

trait Counted {
    async fn count_all(self) -> usize;
}

impl<S: StreamExt + Unpin> Counted for S {
    async fn count_all(mut self) -> usize {
        let mut count = 0;
        while self.next().await.is_some() {
            count += 1;
        }
        count
    }
}

#[tokio::test]
async fn a_state_key_is_that_of_the_module_that_defines_it() {
    let reader = "import { createStateKey } from 'vern-llm';
         import { spanId } from './keys.js';
         const mine = createStateKey<string>('span');
         export default { wrap: (_, next, ctx) => {
           return { value: [ctx.state.get(spanId) ?? null, ctx.state.get(mine) ?? null, ctx.state.get('span') ?? null] };
         } };";
    let files = [
        ("keys.ts", "import { createStateKey } from 'vern-llm';\nexport const spanId = createStateKey<string>('span');"),
        (
            "write.ts",
            "import { spanId } from './keys.js';
             export default { transform: (_, ctx) => { ctx.state.set(spanId, 's-1'); return {}; } };",
        ),
        ("read.ts", reader),
    ];
    let yaml = "middleware: [{name: write, kind: script, file: write.ts}, {name: read, kind: script, file: read.ts}]";
    let script = Scripted::with(&files, yaml).await;
    let context = json!({"run_id": "r", "request_id": "call"});
    script.ask("transform", json!({"context": context, "request": {"model": "m"}})).await;
    let mut exchange = script.runtime().open("wrap").await;
    exchange.send(json!({"open": {"context": context, "request": {"model": "m"}}}));
    let (_, finished) = exchange.finish().await;
    assert_eq!(finished["answer"]["value_json"], r#"["s-1",null,null]"#);
}

#[tokio::test]
async fn own_is_a_plain_object_that_lives_as_long_as_the_run() {
    let script = Scripted::new(
        "export default {
           beforeToolCall(_, { own }) { (own.calls ??= []).push(own.calls.length); own.again = () => own.calls.length; },
           beforeStop(_, { own }) { return { continueWith: JSON.stringify([own.calls, own.again?.()]) }; },
         };",
    )
    .await;
    let of = |run: &str| json!({"context": {"run_id": run}, "tool_call": {"name": "t"}});
    script.ask("before_tool_call", of("r")).await;
    script.ask("before_tool_call", of("r")).await;
    let stop = |run: &str| json!({"context": {"run_id": run}});
    let answer = script.answer("before_stop", stop("r")).await;
    assert_eq!(answer["continue_with"], "[[0,1],2]");
    script
        .ask("after_run", json!({"context": {"run_id": "r"}, "status": "RUN_STATUS_COMPLETED"}))
        .await;
    script.ask("start_run", json!({"context": {"run_id": "r"}, "resumed": true})).await;
    assert_eq!(script.answer("before_stop", stop("r")).await["continue_with"], "[null,null]");
}

#[tokio::test]
async fn effects_are_in_the_name_of_the_middleware() {
    let script = Scripted::new(
        "export default {
           async afterToolBatch({ calls }, { addContext, stop, logEvent }) {
             addContext(`${calls.length} calls`);
             await null;
             stop('enough');
             stop('too late');
             logEvent('batch', { first: calls[0].toolCall.name });
           },
           afterRun(_, context) { if (context.logEvent) throw new Error('there is no thread'); },
         };",
    )
    .await;
    let context = json!({"run_id": "r", "thread_id": "t"});
    let calls = json!([{"tool_call": {"name": "search"}, "result": {"text": "x"}}]);
    let response =
        script.ask("after_tool_batch", json!({"context": context, "calls": calls})).await;
    assert_eq!(
        response["effects"],
        json!({
            "added_context": [{"text": "1 calls", "middleware": "guard"}],
            "stop": {"reason": "enough", "middleware": "guard"},
            "log_events": [{"event": "batch", "note_json": r#"{"first":"search"}"#, "middleware": "guard"}],
        })
    );
    let ended = json!({"context": {"run_id": "r", "explain": true}, "status": "RUN_STATUS_FAILED"});
    let response = script.ask("after_run", ended).await;
    assert_eq!(response["report"]["steps"][0]["outcome"], "STEP_OUTCOME_NO_OPINION");
}

#[tokio::test]
async fn a_tripwire_carries_its_reason_and_info_and_can_be_told_apart() {
    let script = Scripted::new(
        "import { tripwire, isTripwire } from 'sidehook';
         export default {
           beforeRun({ input }) {
             try { tripwire('Refunds go to a person', { queue: 'billing' }); }
             catch (error) {
               if (!isTripwire(error) || isTripwire(new Error('x'))) return;
               if (error.details.info.queue === input) throw error;
             }
           },
         };",
    )
    .await;
    let response = script.ask("before_run", json!({"input": "billing"})).await;
    assert_eq!(
        response["tripwire"],
        json!({
            "code": "GUARDRAIL_TRIPPED", "http_status": 400, "reason": "Refunds go to a person",
            "info_json": r#"{"queue":"billing"}"#, "middleware": "guard",
        })
    );
    assert_eq!(script.answer("before_run", json!({"input": "other"})).await, json!({}));
}

#[tokio::test]
async fn the_signal_aborts_when_the_caller_goes_away() {
    let script = Scripted::new(
        "let seen = 'nothing';
         export default {
           beforeRun(_, { signal }) {
             seen = 'waiting';
             signal.addEventListener('abort', () => { seen = signal.reason.name + ' ' + signal.aborted; });
             return new Promise(() => {});
           },
           beforeStop() { return { continueWith: seen }; },
         };",
    )
    .await;
    let until = async |seen: &str| {
        let request = || json!({"context": {"run_id": "r"}});
        while script.answer("before_stop", request()).await["continue_with"] != seen {}
    };
    let runtime = script.runtime();
    let waiting = tokio::spawn(async move { runtime.ask("before_run", json!({})).await });
    soon(until("waiting")).await;
    waiting.abort();
    soon(until("AbortError true")).await;
}

#[tokio::test]
async fn enabled_is_asked_with_the_stage_and_what_is_known_of_the_attempt() {
    let script = Scripted::new(
        "export default {
           name: 'primary-only',
           enabled: (ctx) => ctx.stage === 'pre-dispatch' || !ctx.isFallbackAttempt,
           transform: (_, ctx) => ({ addMessages: [{ role: 'user', content: `${ctx.stage} ${ctx.attempt} ${ctx.requestedModel}` }] }),
         };",
    )
    .await;
    let request = |fallback: bool| {
        json!({
            "request": {"model": "m"},
            "attempt": {"attempt": 2, "is_fallback_attempt": fallback, "requested_model": "gpt"},
        })
    };
    let answer = script.answer("transform", request(false)).await;
    assert_eq!(answer["add_messages"][0]["text"], "attempt 2 gpt");
    assert_eq!(script.answer("transform", request(true)).await, json!({}));
}
