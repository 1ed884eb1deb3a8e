//! What a script finds on its global object.

use super::Scripted;
use serde_json::json;

#[tokio::test]
async fn the_standard_objects_are_there() {
    let script = Scripted::new(
        "const hex = (buffer: ArrayBuffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, '0')).join('');
         export default { async beforeStop() {
           const url = new URL('/a?b=1', 'https://example.com');
           url.searchParams.set('c', '2 3');
           const bytes = new TextEncoder().encode('héllo');
           const order: string[] = [];
           const cleared = setTimeout(() => order.push('cleared'), 1);
           clearTimeout(cleared);
           await new Promise<void>((done) => { setTimeout(() => { order.push('late'); done(); }, 2); setTimeout((text) => order.push(text), 0, 'soon'); });
           console.log('a line', { with: ['parts'] });
           return { continueWith: JSON.stringify([
             url.href, new TextDecoder().decode(bytes), btoa('hi'), atob('aGk='),
             structuredClone(new Map([['k', { deep: [1] }]])).get('k'),
             hex(await crypto.subtle.digest('SHA-256', bytes)).slice(0, 8),
             /^[0-9a-f-]{36}$/.test(crypto.randomUUID()), order, typeof performance.now(),
           ]) };
         } };",
    )
    .await;
    let answer = script.answer("before_stop", json!({})).await;
    let said: serde_json::Value =
        serde_json::from_str(answer["continue_with"].as_str().unwrap()).unwrap();
    assert_eq!(
        said,
        json!([
            "https://example.com/a?b=1&c=2+3", "héllo", "aGk=", "hi", {"deep": [1]},
            "3c48591d", true, ["soon", "late"], "number",
        ])
    );
}

#[tokio::test]
async fn the_timers_of_a_call_go_away_with_it() {
    let script = Scripted::new(
        "let fired = 0;
         export default {
           beforeRun() { setInterval(() => { fired++; }, 1); return new Promise(() => {}); },
           async beforeStop() {
             const before = fired;
             await new Promise((done) => setTimeout(done, 20));
             return { continueWith: String(fired - before) };
           },
         };",
    )
    .await;
    let runtime = script.runtime();
    let mut exchange = tokio::spawn(async move {
        let request = json!({"context": {"run_id": "gone"}});
        runtime.ask("before_run", request).await
    });
    let reached = async {
        while script.sidecar.inner.runs().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    crate::support::soon(reached).await;
    exchange.abort();
    let _cancelled = (&mut exchange).await;
    let quiet =
        async { while script.answer("before_stop", json!({})).await["continue_with"] != "0" {} };
    crate::support::soon(quiet).await;
}
