//! A script that misbehaves is a fault of its link, and of nothing else.

use super::Scripted;
use crate::support::soon;
use serde_json::{Value, json};

/// Two scripts side by side: one that misbehaves at `before_run`, and one that does not.
async fn beside(code: &str, more: &str) -> Scripted {
    let yaml = format!(
        "middleware:
           - {{name: bad, kind: script, file: bad.ts, on_fault: skip, {more}}}
           - {{name: good, kind: script, file: good.ts}}"
    );
    let good = "export default { beforeRun: () => ({ context: 'good' }), beforeStop: () => ({ continueWith: 'good' }) };";
    Scripted::with(&[("bad.ts", code), ("good.ts", good)], &yaml).await
}

/// Asks `before_run` and returns the fault of the bad script. The good one must have answered.
async fn fault(script: &Scripted, input: &str) -> Value {
    let request = json!({"context": {"run_id": "r", "explain": true}, "input": input});
    let response = soon(script.ask("before_run", request)).await;
    assert_eq!(response["answer"]["added_context"], json!(["good"]), "{response}");
    let step = response["report"]["steps"][0].clone();
    assert_eq!(step["middleware"], "bad");
    step
}

#[tokio::test]
async fn what_misbehaves_is_a_fault_that_says_what_happened() {
    let cases = [
        ("while (true) {}", "limits: {time: 200ms}", "timed out"),
        ("return new Promise(() => {});", "timeout: 100ms", "timed out"),
        (
            "for (const all = [];;) all.push(new Array(1000).fill(1));",
            "limits: {memory: 8MiB}",
            "memory",
        ),
        ("const f = () => f() + 1; f();", "", "stack"),
        ("/^(a+)+$/.test('a'.repeat(40) + '!');", "limits: {time: 200ms}", "timed out"),
        (
            "return { get context() { throw new RangeError('from a getter'); } };",
            "",
            "from a getter",
        ),
        (
            "return { context: 'x'.repeat(100_000) };",
            "limits: {output: 10KiB}",
            "100014 characters",
        ),
        ("const o: any = {}; o.context = o; return o;", "", "circular"),
        ("throw null;", "", "null"),
        ("throw { toString() { throw 1; } };", "", "threw"),
        ("return { context: 10n };", "", "BigInt"),
        (
            "return { then(resolve: any, reject: any) { reject(new Error('thenable')); } };",
            "",
            "thenable",
        ),
        ("return Promise.reject(undefined);", "", "undefined"),
    ];
    for (body, more, expected) in cases {
        let code =
            format!("export default {{ beforeRun(event: any, context: any): any {{ {body} }} }};");
        let script = beside(&code, more).await;
        let step = fault(&script, "x").await;
        assert_eq!(step["outcome"], "STEP_OUTCOME_FAULT_SKIPPED", "{body}: {step}");
        let message = step["fault"]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{body}: {message}");
    }
}

#[tokio::test]
async fn a_script_answers_again_after_each_misfortune() {
    let script = beside(
        "const kept: unknown[] = [];
         export default { async beforeRun({ input }) {
           if (input === 'loop') for (;;);
           if (input === 'memory') for (;;) kept.push(new Array(1000).fill(1));
           if (input === 'jobs') for (;;) await null;
           if (input === 'later') { await new Promise((done) => setTimeout(done, 1)); for (;;); }
         } };",
        "limits: {time: 200ms, memory: 8MiB}",
    )
    .await;
    for misfortune in ["loop", "memory", "jobs", "later"] {
        let step = fault(&script, misfortune).await;
        assert_eq!(step["outcome"], "STEP_OUTCOME_FAULT_SKIPPED", "{misfortune}: {step}");
        let step = fault(&script, "fine").await;
        assert_eq!(step["outcome"], "STEP_OUTCOME_NO_OPINION", "after {misfortune}: {step}");
    }
}

#[tokio::test]
async fn others_are_served_while_a_script_runs_on() {
    let script =
        beside("export default { beforeRun() { for (;;); } };", "timeout: 0, limits: {time: 1h}")
            .await;
    let runtime = script.runtime();
    let stuck = tokio::spawn(async move { runtime.ask("before_run", json!({})).await });
    let reached = async {
        while script.sidecar.inner.runs().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    soon(reached).await;
    for _ in 0..100 {
        let answer = soon(script.answer("before_stop", json!({"context": {"run_id": "r"}}))).await;
        assert_eq!(answer["continue_with"], "good");
    }
    // The caller goes away, and the loop with it.
    stuck.abort();
    let code = "export default { beforeRun() {} };";
    drop(beside(code, "").await);
}

#[tokio::test]
async fn a_loop_ends_when_its_caller_goes_away() {
    let script = Scripted::new(
        "export default { beforeRun() { for (;;); }, beforeStop: () => ({ continueWith: 'free' }) };",
    )
    .await;
    let runtime = script.runtime();
    let stuck = tokio::spawn(async move {
        runtime.ask("before_run", json!({"context": {"run_id": "stuck"}})).await
    });
    let reached = async {
        while script.sidecar.inner.runs().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    soon(reached).await;
    stuck.abort();
    // Well before the script's own limit of five seconds for one stretch, or this would fail: the
    // link's timeout is five seconds too.
    let answer = script.answer("before_stop", json!({"context": {"run_id": "r"}})).await;
    assert_eq!(answer["continue_with"], "free");
}

#[tokio::test]
async fn on_fault_block_refuses_in_the_authors_name() {
    let yaml = "middleware: [{name: guard, kind: script, file: guard.ts, on_fault: {ssh_command_sending: block}, limits: {time: 100ms}}]";
    let code = "globalThis.middleware.sshCommandSending = () => { for (;;); };";
    let script = Scripted::with(&[("guard.ts", code)], yaml).await;
    let response = script.ask("ssh_command_sending", json!({"command": "ls"})).await;
    assert_eq!(response["veto"]["middleware"], "guard");
}

#[tokio::test]
async fn nothing_of_the_machine_is_there() {
    let script = Scripted::new(
        "const names = ['process', 'require', 'Deno', 'Bun', 'std', 'os', 'XMLHttpRequest', 'WebSocket', 'Worker', 'navigator'];
         export default { async beforeStop() {
           const there = names.filter((name) => name in globalThis);
           let said = '';
           try { await fetch('http://example.com'); } catch (error) { said += error.message; }
           try { await host.agents.list(); } catch (error) { said += ' / ' + error.message; }
           return { continueWith: there.join() + said };
         } };",
    )
    .await;
    let answer = script.answer("before_stop", json!({})).await;
    assert_eq!(
        answer["continue_with"],
        "fetch is not there: no runtime is attached that serves it / \
         host.agents.list is not there: no runtime is attached that serves it"
    );
}

#[tokio::test]
async fn one_script_does_not_see_the_globals_of_another() {
    let files = [
        (
            "a.ts",
            "globalThis.secret = 'a'; String.prototype.trim = () => 'broken'; export default { beforeRun() {} };",
        ),
        (
            "b.ts",
            "export default { beforeStop: () => ({ continueWith: `${typeof globalThis.secret} ${' 1 '.trim()}` }) };",
        ),
    ];
    let yaml =
        "middleware: [{name: a, kind: script, file: a.ts}, {name: b, kind: script, file: b.ts}]";
    let script = Scripted::with(&files, yaml).await;
    assert_eq!(script.answer("before_stop", json!({})).await["continue_with"], "undefined 1");
}
