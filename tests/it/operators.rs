//! What an operator sees through `Admin`.

use crate::support::{Runtime, Sidecar, guard, no_opinion, refusal, run};
use serde_json::{Value, json};
use sidehook_server::{
    engine::{Fault, Mode},
    hooks::HookId,
};

#[tokio::test]
async fn describe_tells_of_the_sidecar_and_every_hook() {
    let sidecar = Sidecar::with("builtin: { pii: {} }").start().await;
    let runtime = sidecar.runtime();
    runtime.ask("before_run", json!({})).await.unwrap();
    let described = runtime.ask("Describe", json!({})).await.unwrap();
    assert_eq!(described["config_generation"], json!(1));
    assert_eq!(described["config_hash"], json!(sidecar.inner.generation().hash));
    assert_eq!(described["open_run_count"], json!(1));
    assert_eq!(described.get("draining"), None);
    let hooks = described["hooks"].as_array().unwrap();
    let names: Vec<_> = hooks.iter().map(|hook| hook["name"].as_str().unwrap()).collect();
    assert_eq!(names, HookId::ALL.map(HookId::name));
    let wrap = hooks.iter().find(|hook| hook["method"] == "WrapModelCall").unwrap();
    let expected = json!({
        "name": "wrap_model_call", "service": "sidehook.v1.RunHooks", "method": "WrapModelCall",
        "rule": "onion", "fault_default": "fail", "link_count": 1,
    });
    assert_eq!(wrap, &expected);
    sidecar.inner.drain();
    assert_eq!(runtime.ask("Describe", json!({})).await.unwrap()["draining"], json!(true));
}

#[tokio::test]
async fn middleware_is_listed_in_chain_order_with_what_it_did() {
    let mut broken = guard("broken", &[HookId::UserMessageInbound], |_, _| Err(Fault::threw("x")));
    broken.priority = 7;
    let mut quiet = guard("quiet", &[HookId::UserMessageInbound], |_, _| no_opinion());
    quiet.mode = Mode::Off;
    let sidecar = Sidecar::of(vec![broken, quiet]).start().await;
    let runtime = sidecar.runtime();
    for _ in 0..3 {
        runtime.ask("user_message_inbound", json!({})).await.unwrap();
    }
    let listed = runtime.ask("ListMiddleware", json!({})).await.unwrap();
    let hooks = json!(["user_message_inbound"]);
    let expected = json!([
        {"name": "quiet", "kind": "test", "layer": "LAYER_GLOBAL", "mode": "off", "hooks": hooks},
        {"name": "broken", "kind": "test", "layer": "LAYER_GLOBAL", "priority": 7,
         "mode": "enforce", "hooks": hooks, "call_count": 3, "fault_count": 3},
    ]);
    assert_eq!(listed["middleware"], expected);
}

const SCOPES: &str = r#"
sets: { extra: [{ name: of-a-set, kind: rules, rules: [{ hook: before_run, then: { trip: no } }] }] }
agents: { support: { middleware: [
  { name: of-support, kind: rules, rules: [{ hook: before_run, then: { trip: no } }] }] } }
middleware:
  - { name: always, kind: rules, rules: [{ hook: before_run, then: { trip: no } }] }
  - { name: early, kind: rules, when: "iteration < 5", rules: [{ hook: before_run, then: { trip: no } }] }
  - { name: broken, kind: rules, when: "hop_count / 0 > 1", rules: [{ hook: before_run, then: { trip: no } }] }
  - { name: other-hook, kind: rules, rules: [{ hook: before_stop, then: { trip: no } }] }
  - { name: switched-off, kind: rules, mode: off, rules: [{ hook: before_run, then: { trip: no } }] }
"#;

/// Checks whether a link would run at `before_run` in a context, and why.
async fn check(runtime: &Runtime, link: &str, context: Value, applies: bool, why: &str) {
    let request = json!({"context": context, "hook": "beforeRun"});
    let explained = runtime.ask("ExplainChain", request).await.unwrap();
    assert_eq!((&explained["hook"], &explained["rule"]), (&json!("before_run"), &json!("gather")));
    let links = explained["links"].as_array().unwrap();
    let link = links.iter().find(|it| it["middleware"] == link).unwrap();
    assert_eq!(link.get("applies").is_some(), applies, "{link}");
    let said = link["why"].as_str().unwrap();
    assert!(said.contains(why), "{said}");
}

#[tokio::test]
async fn a_chain_is_explained_link_by_link() {
    let sidecar = Sidecar::with(SCOPES).start().await;
    let runtime = sidecar.runtime();
    let here = json!({"run_id": "r", "agent_name": "support", "middleware": ["extra"]});
    let elsewhere = json!({"run_id": "r", "agent_name": "sales", "iteration": 9});
    check(&runtime, "always", here.clone(), true, "it applies to every call").await;
    check(&runtime, "early", here.clone(), true, "`iteration < 5` holds").await;
    check(&runtime, "early", elsewhere.clone(), false, "`iteration < 5` does not hold").await;
    check(&runtime, "broken", here.clone(), false, "fails: ").await;
    check(&runtime, "other-hook", here.clone(), false, "it does not listen to this hook").await;
    check(&runtime, "switched-off", here.clone(), false, "its mode is off").await;
    check(&runtime, "of-support", here.clone(), true, "it applies to every call").await;
    check(&runtime, "of-support", elsewhere.clone(), false, "it applies to other agents").await;
    check(&runtime, "of-a-set", here, true, "it applies to every call").await;
    check(&runtime, "of-a-set", elsewhere, false, "the run does not attach its set").await;
    assert!(sidecar.inner.runs().is_empty(), "explaining opens no run");
}

#[tokio::test]
async fn a_caller_can_add_middleware_and_take_none_away() {
    let sidecar = Sidecar::with(SCOPES).start().await;
    let runtime = sidecar.runtime();
    for names in [json!([]), json!(["extra"]), json!(["extra", "extra"])] {
        let context = json!({"run_id": "r", "iteration": 9, "middleware": names});
        let response = runtime.ask("before_run", json!({"context": context})).await.unwrap();
        assert_eq!(response["tripwire"]["middleware"], json!("always"), "{names}");
    }
}

#[tokio::test]
async fn a_set_that_does_not_exist_is_refused() {
    let sidecar = Sidecar::with(SCOPES).start().await;
    let context = json!({"run_id": "r", "middleware": ["extr"]});
    let refused =
        sidecar.runtime().ask("before_run", json!({"context": context})).await.unwrap_err();
    assert_eq!(refusal(&refused), "InvalidArgument INVALID_FIELD context.middleware");
    assert!(refused.message().contains("did you mean `extra`?"), "{refused}");
}

#[tokio::test]
async fn a_hook_that_does_not_exist_is_refused() {
    let sidecar = Sidecar::with("").start().await;
    let request = json!({"context": run("r"), "hook": "before_lunch"});
    let refused = sidecar.runtime().ask("ExplainChain", request).await.unwrap_err();
    assert_eq!(refusal(&refused), "InvalidArgument INVALID_FIELD hook");
}

/// The ids of all runs, page by page.
async fn listed(runtime: &Runtime, page_size: usize) -> (Vec<String>, usize) {
    let (mut ids, mut pages, mut token) = (Vec::new(), 0, json!(""));
    loop {
        let request = json!({"page_size": page_size, "page_token": token});
        let page = runtime.ask("ListRuns", request).await.unwrap();
        let runs = page.get("runs").and_then(Value::as_array).cloned().unwrap_or_default();
        ids.extend(runs.iter().map(|run| run["run_id"].as_str().unwrap().to_owned()));
        pages += 1;
        match page.get("next_page_token") {
            Some(next) => token = next.clone(),
            None => return (ids, pages),
        }
    }
}

#[tokio::test]
async fn runs_are_listed_page_by_page_in_the_order_of_their_ids() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    let ids: Vec<_> = (0..7).map(|id| format!("run-{id}")).collect();
    for id in ids.iter().rev() {
        runtime.ask("before_run", json!({"context": run(id)})).await.unwrap();
    }
    for (page_size, pages) in [(3, 3), (0, 1), (1000, 1), (4, 2)] {
        assert_eq!(listed(&runtime, page_size).await, (ids.clone(), pages), "{page_size}");
    }
    for wrong in [-1, 1001] {
        let refused = runtime.ask("ListRuns", json!({"page_size": wrong})).await.unwrap_err();
        assert_eq!(refusal(&refused), "InvalidArgument INVALID_FIELD page_size");
    }
}

#[tokio::test]
async fn a_run_is_described_while_it_is_open_and_after() {
    let sidecar = Sidecar::with("runs: { max_runs: 1 }").start().await;
    let runtime = sidecar.runtime();
    let described = async |id| {
        let found = runtime.ask("GetRun", json!({"run_id": id})).await;
        found.map(|found| found["run"].clone()).map_err(|status| refusal(&status))
    };
    assert_eq!(described("a").await, Err("NotFound UNKNOWN_RUN".into()));
    for _ in 0..3 {
        runtime.ask("before_run", json!({"context": run("a")})).await.unwrap();
    }
    let open = described("a").await.unwrap();
    assert_eq!((&open["state"], &open["hook_count"]), (&json!("RUN_STATE_OPEN"), &json!(3)));
    assert_eq!(open["config_generation"], json!(1));
    assert!(open["open_time"].is_string() && open["last_hook_time"].is_string(), "{open}");
    runtime.ask("before_run", json!({"context": run("b")})).await.unwrap();
    let evicted = json!({"run_id": "a", "state": "RUN_STATE_EVICTED"});
    assert_eq!(described("a").await, Ok(evicted));
    let ended = runtime.ask("EndRun", json!({"run_id": "b"})).await.unwrap();
    assert_eq!(ended, json!({"ended": true}));
    assert_eq!(described("b").await, Ok(json!({"run_id": "b", "state": "RUN_STATE_ENDED"})));
}

#[tokio::test]
async fn an_operator_ends_a_run_without_telling_its_middleware() {
    let link = guard("told", &[HookId::AfterRun], |_, _| panic!("nobody is told"));
    let sidecar = Sidecar::of(vec![link]).start().await;
    let runtime = sidecar.runtime();
    runtime.ask("before_run", json!({})).await.unwrap();
    assert_eq!(runtime.ask("EndRun", run("run")).await.unwrap(), json!({"ended": true}));
    assert_eq!(runtime.ask("EndRun", run("run")).await.unwrap(), json!({}));
    let refused = runtime.ask("before_run", json!({})).await.unwrap_err();
    assert_eq!(refusal(&refused), "FailedPrecondition RUN_ENDED");
    let listed = runtime.ask("ListMiddleware", json!({})).await.unwrap();
    assert_eq!(listed["middleware"][0].get("call_count"), None);
}
