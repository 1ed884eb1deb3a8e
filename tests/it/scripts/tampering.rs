//! Scripts that change the objects that they share with Sidehook's own half, and payloads that
//! look like tampering.

use super::Scripted;
use crate::support::soon;
use serde_json::{Value, json};

/// What every hook below does, with timers, promises, state and the context's own space.
const WORK: &str = "
    const Later = Promise;
    const sleep = (ms) => new Later((done) => setTimeout(done, ms));
    export default {
      async beforeStop(event, context) {
        await sleep(1);
        context.state.set('seen', 1);
        context.own.count = 1;
        return { continueWith: `ok ${context.state.get('seen')} ${context.own.count}` };
      },
      async wrapModelCall(call, next) {
        const response = await next({ ...call, stream: { write: (delta) => call.stream.write(delta) } });
        return { ...response, content: 'mine' };
      },
    };";

#[tokio::test]
async fn a_script_that_replaces_built_in_objects_works_all_the_same() {
    let cases = [
        "Map.prototype.get = Map.prototype.set = Map.prototype.has = Map.prototype.delete = () => undefined;",
        "WeakMap.prototype.get = WeakMap.prototype.set = WeakSet.prototype.has = () => true;",
        "Promise.prototype.then = () => {};",
        "Promise.resolve = () => { throw new Error('gone'); };",
        "JSON.stringify = JSON.parse = () => 'x';",
        "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => {};",
        "Math.min = Math.max = () => NaN;",
        "Number = (() => NaN) as any; Reflect.apply = () => undefined as any;",
        "Object.keys = () => []; Object.assign = () => ({}); Object.defineProperty = () => ({}) as any;",
        "Array.prototype[Symbol.iterator] = function* () {} as any;",
        "String.prototype.slice = String.prototype.split = () => '' as any;",
        "globalThis.JSON = globalThis.Promise = globalThis.Map = globalThis.Reflect = undefined as any;",
        "delete (globalThis as any).Object; delete (globalThis as any).Array;",
        "Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(Promise.prototype);",
    ];
    for tampering in cases {
        let script = Scripted::new(&format!("{WORK}\n{tampering}")).await;
        let answer = soon(script.answer("before_stop", json!({}))).await;
        assert_eq!(answer["continue_with"], "ok 1 1", "{tampering}");
        let mut exchange = script.runtime().open("wrap_model_call").await;
        exchange.send(json!({"open": {"call": {"model": "m"}, "streaming": true}}));
        exchange.expect("next").await;
        exchange.send(json!({"delta": {"invocation": 1, "sequence": 0, "text": "piece"}}));
        let emit = exchange.expect("emit").await;
        assert_eq!(emit["delta"]["text"], "piece", "{tampering}");
        exchange.send(json!({"end": {"invocation": 1, "response": {"text": "x"}}}));
        let (_, finished) = exchange.finish().await;
        assert_eq!(finished["answer"]["response"]["text"], "mine", "{tampering}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_a_fault_at_once() {
    let cases = [
        "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;",
        "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy;",
        "class Odd extends Error { get message(): string { throw 1; } } throw new Odd();",
        "throw Object.freeze(new TypeError('frozen'));",
        "throw Symbol('s');",
        "throw undefined;",
        "throw { toString() { for (;;); } };",
        "Object.defineProperty(Promise, Symbol.species, { value: function () { throw 1; } });",
        "return Object.assign(() => {}, { a: 1 });",
        "return Symbol('s');",
        "(Object.prototype as any).toJSON = () => undefined; throw new Error('x');",
        "(Object.prototype as any).toJSON = () => { throw 1; }; return {};",
        "return { context: 'x', toJSON: () => undefined };",
        "let deep: any = []; for (let i = 0; i < 100_000; i++) deep = [deep]; return { context: deep };",
        "let deep: any = []; for (let i = 0; i < 200; i++) deep = [deep]; return { context: deep };",
    ];
    for body in cases {
        let code = format!("export default {{ async beforeRun(): Promise<any> {{ {body} }} }};");
        let script = Scripted::new(&code).await;
        let message = soon(script.failure("before_run", json!({"input": "x"}))).await;
        assert!(!message.contains("timed out"), "{body}: {message}");
    }
}

#[tokio::test]
async fn a_tripwire_ends_the_run_whatever_its_info_is() {
    let cases = [
        "const info: any = {}; info.self = info; tripwire('stop', info);",
        "tripwire('stop', 10n);",
        "tripwire('stop', { get a() { throw 1; } });",
        "tripwire('stop', 'x'.repeat(5_000_000));",
        "try { tripwire('stop'); } catch (error) { Object.defineProperty(error, 'details', { get() { throw 1; } }); throw error; }",
        "try { tripwire('stop'); } catch (error) { throw Object.freeze(error); }",
    ];
    for body in cases {
        let yaml = "middleware: [{name: guard, kind: script, file: guard.ts, on_fault: skip}]";
        let code = format!(
            "import {{ tripwire }} from 'sidehook'; export default {{ beforeRun() {{ {body} }} }};"
        );
        let script = Scripted::with(&[("guard.ts", &code)], yaml).await;
        let response = script.ask("before_run", json!({"input": "x"})).await;
        assert_eq!(response["tripwire"]["reason"], "stop", "{body}: {response}");
    }
}

#[tokio::test]
async fn keys_that_mean_something_to_javascript_are_only_keys() {
    let script = Scripted::new(
        "export default {
           beforeToolCall({ toolCall }) {
             return { updatedArguments: { ...toolCall.arguments, more: ({} as any).polluted === undefined } };
           },
           wrapToolCall: async (call, next) => ({ result: { ...(await next(call)).result as any, more: ({} as any).polluted === undefined } }),
         };",
    )
    .await;
    // A number that JavaScript cannot hold makes every object pass through an envelope.
    let text = r#"{"__proto__":{"polluted":9007199254740993},"constructor":{"prototype":1},"toJSON":1,"then":2}"#;
    let expected: Value =
        serde_json::from_str(&text.replace("\"then\":2", "\"then\":2,\"more\":true")).unwrap();
    let call = json!({"id": "c", "name": "t", "arguments_json": text});
    let answer = script.answer("before_tool_call", json!({"tool_call": call})).await;
    let updated = answer["updated_arguments_json"].as_str().unwrap();
    assert!(updated.contains("9007199254740993"), "{updated}");
    assert_eq!(serde_json::from_str::<Value>(updated).unwrap(), expected);

    let mut exchange = script.runtime().open("wrap_tool_call").await;
    exchange.send(json!({"open": {"call": {"tool_call": call, "args_json": text}}}));
    let finished = exchange.play("result", json!({"result_json": text})).await;
    let result = finished["answer"]["result"]["result_json"].as_str().unwrap();
    assert!(result.contains("9007199254740993"), "{result}");
    assert_eq!(serde_json::from_str::<Value>(result).unwrap(), expected);
}

#[tokio::test]
async fn odd_characters_pass_everywhere_and_half_a_pair_is_replaced() {
    let script = Scripted::new(
        r"export default {
           beforeRun(event, context) {
             const odd = event.input + '\0\u2028\ud800';
             context.addContext(odd);
             context.state.set(odd, odd);
             context.logEvent(odd, { note: odd });
             return { context: String(context.state.get(odd) === event.input + '\0\u2028\ufffd') };
           },
           beforeModel(event, context) { context.stop('\udc00'); },
           beforeStop() { throw new Error('\ud800'); },
         };",
    )
    .await;
    let request =
        json!({"context": {"run_id": "r", "thread_id": "t"}, "input": "\u{0}\u{2028}\u{1f600}"});
    let response = script.ask("before_run", request).await;
    let odd = "\u{0}\u{2028}\u{1f600}\u{0}\u{2028}\u{fffd}";
    assert_eq!(response["answer"]["added_context"], json!(["true"]), "{response}");
    let effects = &response["effects"];
    assert_eq!(effects["added_context"][0]["text"], odd);
    assert_eq!(effects["log_events"][0]["event"], odd);
    let response = script.ask("before_model", json!({})).await;
    assert_eq!(response["effects"]["stop"]["reason"], "\u{fffd}");
    assert!(script.failure("before_stop", json!({})).await.contains("Error: "));
}
