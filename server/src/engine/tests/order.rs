//! Which links are asked, and in which order.

use super::{
    asked::ask,
    scripted::{FIVE_SECONDS, Scripted, chain},
};
use crate::{
    engine::{AgentScope, Chains, Layer, Link, Mode},
    hooks::{BeforeModel, HookId, HookSet},
};
use serde_json::json;
use sidehook_proto::v1::HookContext;

/// Writes links, each `name:layer:priority`, and compares the order in which
/// `hook` asks them. A name in capitals must be innermost.
#[track_caller]
fn check(hook: HookId, written: &str, expected: &str) {
    let chains = Chains::new(written.split(' ').map(link).collect(), FIVE_SECONDS);
    assert_eq!(asked(&chains, hook, &HookContext::default()), expected, "{hook}: {written}");
}

fn link(written: &str) -> Link {
    let parts: Vec<&str> = written.split(':').collect();
    let innermost = parts[0].chars().all(char::is_uppercase);
    let mut link = Scripted { innermost, ..Scripted::new(json!({})) }.link(parts[0]);
    link.layer = match parts[1] {
        "hooks" => Layer::Hooks,
        "global" => Layer::Global,
        "agent" => Layer::Agent,
        "run" => Layer::Run,
        "builtin" => Layer::Builtin,
        other => panic!("no layer is named {other}"),
    };
    link.priority = parts[2].parse().unwrap();
    link
}

fn asked(chains: &Chains, hook: HookId, context: &HookContext) -> String {
    let names: Vec<&str> = chains.select(hook, context).iter().map(|link| &*link.name).collect();
    names.join(" ")
}

const LAYERS: &str = "e:builtin:0 d:run:0 c:agent:0 b:global:0 a:hooks:0";

#[test]
fn layers_stand_outermost_first() {
    check(HookId::BeforeModel, LAYERS, "a b c d e");
    check(HookId::AfterRun, LAYERS, "a b c d e");
    check(HookId::SystemPrompt, LAYERS, "a b c d e");
}

#[test]
fn lower_priority_comes_first_and_ties_stand_as_written() {
    let written = "b:global:0 c:global:0 a:global:-1 d:global:10 e:global:10";
    check(HookId::Transform, written, "a b c d e");
    check(HookId::Wrap, written, "a b c d e");
}

#[test]
fn priority_orders_within_a_layer_only() {
    check(HookId::BeforeRun, "a:hooks:99 b:builtin:-99", "a b");
}

#[test]
fn after_model_asks_the_link_nearest_the_model_first() {
    check(HookId::AfterModel, LAYERS, "e d c b a");
    check(HookId::AfterModel, "a:global:0 b:global:0 c:global:-1", "b a c");
}

#[test]
fn a_link_that_masks_is_innermost_of_all_around_a_call_and_only_there() {
    let written = "PII:hooks:-5 a:builtin:9 SECRETS:global:0 b:global:0";
    check(HookId::WrapModelCall, written, "b a PII SECRETS");
    check(HookId::WrapToolCall, written, "b a PII SECRETS");
    check(HookId::BeforeModel, written, "PII SECRETS b a");
}

/// Compares whether a link for the agents in `patterns` applies to an agent.
#[track_caller]
fn check_scope(patterns: &[&str], id: &str, name: &str, expected: bool) {
    let mut links = vec![link("a:global:0")];
    links[0].agents =
        AgentScope::new(patterns.iter().map(|&p| p.into()).collect(), Vec::new()).unwrap();
    let context =
        HookContext { agent_id: id.into(), agent_name: name.into(), ..HookContext::default() };
    let chains = Chains::new(links, FIVE_SECONDS);
    let expected = if expected { "a" } else { "" };
    assert_eq!(asked(&chains, HookId::BeforeRun, &context), expected, "{patterns:?} {id} {name}");
}

#[test]
fn an_agent_is_in_scope_by_its_id_its_name_or_a_glob() {
    check_scope(&[], "7", "support", true);
    check_scope(&[], "", "", true);
    check_scope(&["support"], "7", "support", true);
    check_scope(&["support"], "support", "other", true);
    check_scope(&["support"], "7", "support-eu", false);
    check_scope(&["support-*"], "7", "support-eu", true);
    check_scope(&["team/*"], "7", "team/a/b", true);
    check_scope(&["a", "b"], "", "b", true);
}

#[test]
fn a_scope_never_matches_an_agent_that_is_not_named() {
    check_scope(&["*"], "", "", false);
    check_scope(&["*"], "", "x", true);
}

#[test]
fn a_link_listed_for_agents_applies_only_to_those_of_its_own_that_are_listed() {
    let own = |agent: &str| HookContext { agent_name: agent.into(), ..HookContext::default() };
    let scope = AgentScope::new(vec!["support-*".into()], vec!["*-eu".into()]).unwrap();
    assert!(scope.contains(&own("support-eu")));
    assert!(!scope.contains(&own("support-us")) && !scope.contains(&own("sales-eu")));
}

#[test]
fn a_scope_that_is_no_glob_is_refused() {
    assert!(AgentScope::new(Vec::new(), vec!["[".into()]).is_err());
}

#[test]
fn a_set_applies_only_to_runs_that_attach_it() {
    let mut set = link("s:run:0");
    set.set = Some("audit".into());
    let chains = Chains::new(vec![set, link("g:global:0")], FIVE_SECONDS);
    let attached = HookContext { middleware: vec!["audit".into()], ..HookContext::default() };
    let other = HookContext { middleware: vec!["billing".into()], ..HookContext::default() };
    assert_eq!(asked(&chains, HookId::BeforeRun, &attached), "g s");
    assert_eq!(asked(&chains, HookId::BeforeRun, &other), "g");
}

#[test]
fn a_link_that_is_off_is_never_asked() {
    let mut links = vec![link("a:global:0"), link("b:global:0")];
    links[0].mode = Mode::Off;
    let chains = Chains::new(links, FIVE_SECONDS);
    assert_eq!(asked(&chains, HookId::BeforeRun, &HookContext::default()), "b");
}

#[test]
fn a_link_listens_only_to_its_hooks() {
    let mut links = vec![link("a:global:0"), link("b:global:0")];
    links[0].hooks = HookSet::of(&[HookId::BeforeRun]);
    let chains = Chains::new(links, FIVE_SECONDS);
    assert_eq!(asked(&chains, HookId::BeforeRun, &HookContext::default()), "a b");
    assert_eq!(asked(&chains, HookId::AfterRun, &HookContext::default()), "b");
}

#[test]
fn an_observer_is_told_and_never_asked() {
    let observer = Scripted { observes: true, ..Scripted::new(json!({})) }.link("o");
    let chains = Chains::new(vec![observer, link("a:global:0")], FIVE_SECONDS);
    let context = HookContext::default();
    assert_eq!(asked(&chains, HookId::BeforeRun, &context), "a");
    let told: Vec<&str> =
        chains.observers(HookId::BeforeRun, &context).map(|link| &*link.name).collect();
    assert_eq!(told, ["o"]);
}

#[test]
fn the_plan_names_the_hooks_that_somebody_listens_to() {
    let mut links = vec![link("a:global:0"), link("b:global:0")];
    links[0].hooks = HookSet::of(&[HookId::AfterModel, HookId::BeforeRun]);
    links[0].holds_stream = true;
    links[1].hooks = HookSet::of(&[HookId::AfterRun]);
    links[1].agents = AgentScope::new(Vec::new(), vec!["other".into()]).unwrap();
    let plan = Chains::new(links, FIVE_SECONDS).plan(&HookContext::default());
    assert_eq!(plan.active_hooks, ["before_run", "after_model"]);
    assert!(plan.holds_stream);
}

#[tokio::test(start_paused = true)]
async fn the_report_lists_links_in_the_order_in_which_they_were_asked() {
    let told = ask::<BeforeModel>(&chain([json!({}), json!({}), json!({})]), json!({})).await;
    assert_eq!(told.steps(), "a no_opinion, b no_opinion, c no_opinion");
}
