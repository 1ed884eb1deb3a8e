//! The laws of chains, as properties.

use super::{
    asked::{Told, ask, ask_named, has_field, unary},
    nested::Nested,
    scripted::{Cause, Effect, FIVE_SECONDS, Says, Scripted, links as chain_links},
};
use crate::{
    engine::{Chains, Link, OnFault},
    hooks::{
        AfterModel, BeforeCompaction, BeforeModelSwitch, BeforeRun, BeforeStop, BeforeToolCall,
        CompanionSpeech, DecideApproval, Hook, Transform, UserMessageInbound,
    },
};
use proptest::{prelude::*, sample::Index};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn an_empty_chain_has_no_opinion() {
    for hook in unary() {
        let told = ask_named(hook, &Chains::new(Vec::new(), FIVE_SECONDS)).await;
        assert_eq!((told.said, told.request), (json!({}), json!({})), "{hook}");
    }
}

/// A request in which every hook of these laws finds what it looks at.
fn request() -> Value {
    json!({"text": "t", "response": {"text": "t"}, "tool_call": {"name": "t"}, "request": {}})
}

/// The part of [`request`] that `H` has.
fn request_of<H: Hook>() -> Value {
    let Value::Object(mut fields) = request() else { unreachable!() };
    fields.retain(|name, _| has_field::<H::Request>(name));
    Value::Object(fields)
}

fn told<H: Hook>(links: Vec<Link>) -> Told {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(ask::<H>(&Chains::new(links, FIVE_SECONDS), request_of::<H>()))
}

/// What a link does: says something, fails under a policy, and asks the run to
/// stop or not.
#[derive(Debug, Clone)]
struct Plan {
    says: Says,
    policy: Option<OnFault>,
    stops: bool,
}

fn links(plans: &[Plan]) -> Vec<Link> {
    let names = ('a'..='z').map(String::from);
    plans.iter().zip(names).map(|(plan, name)| plan.link(&name)).collect()
}

impl Plan {
    fn link(&self, name: &str) -> Link {
        let mut scripted = Scripted::new(self.says.clone());
        if self.stops {
            let (context, stop) = (Effect::AddsContext("c"), Effect::Stops("s"));
            scripted.effects = vec![context, stop];
        }
        let mut link = scripted.link(name);
        link.on_fault.every = self.policy;
        link
    }
}

fn plan(says: impl Strategy<Value = Says>) -> impl Strategy<Value = Plan> {
    let ends = prop_oneof![
        Just(Says::Vetoes("no".into())),
        Just(Says::Trips("no")),
        proptest::sample::select(&Cause::ALL[..]).prop_map(Says::Faults),
    ];
    let policy = prop_oneof![Just(None), Just(Some(OnFault::Skip)), Just(Some(OnFault::Block))];
    (prop_oneof![9 => says, 2 => ends], policy, proptest::bool::weighted(0.3))
        .prop_map(|(says, policy, stops)| Plan { says, policy, stops })
}

fn appends(from: &'static str, field: &'static str) -> impl Strategy<Value = Plan> {
    let append = move |more: String| Says::Appends { from, field, more };
    plan(prop_oneof![1 => Just(json!({}).into()), 4 => "[a-z]{0,3}".prop_map(append)])
}

fn says(choices: Vec<Value>) -> impl Strategy<Value = Plan> {
    plan(proptest::sample::select(choices).prop_map(Says::Fields))
}

fn verdicts() -> Vec<Value> {
    let decision = |decision: &str| json!({"decision": decision, "reason": decision});
    vec![
        json!({}),
        decision("TOOL_DECISION_ALLOW"),
        decision("TOOL_DECISION_ASK"),
        decision("TOOL_DECISION_DEFER"),
        decision("TOOL_DECISION_DENY"),
        json!({"updated_arguments_json": "{\"n\":1}"}),
        json!({"decision": "TOOL_DECISION_ASK", "updated_arguments_json": "{\"n\":2}"}),
    ]
}

fn patches() -> Vec<Value> {
    vec![
        json!({}),
        json!({"add_messages": [{"text": "a"}], "temperature": 0.5}),
        json!({"messages": {"messages": [{"text": "b"}]}}),
        json!({"messages": {}, "add_messages": [{"text": "c"}]}),
        json!({"add_tools": [{"name": "x"}]}),
        json!({"tools": {"tools": [{"name": "y"}]}, "stop": {}}),
        json!({"tools": {}, "add_tools": [{"name": "z"}], "extra_json": "{}"}),
    ]
}

/// What was decided, without the names that a nested chain adds to failures.
fn decided(told: &Told) -> Value {
    let class = |failed: &Value| {
        failed.as_str().and_then(|text| text.split_once(": ")?.1.into()).map(str::to_owned)
    };
    match class(&told.said["failed"]) {
        Some(class) => json!({"failed": class}),
        None => told.said.clone(),
    }
}

/// `[a, b, c]` equals `[chain[a, b], c]`, wherever the inner chain begins and
/// ends.
fn composes<H: Hook>(plans: &[Plan], from: Index, to: Index) -> Result<(), TestCaseError> {
    let (from, to) = (from.index(plans.len() + 1), to.index(plans.len() + 1));
    let (from, to) = (from.min(to), from.max(to));
    let flat = told::<H>(links(plans));
    let mut outer = links(plans);
    let inner: Vec<Link> = outer.splice(from..to, []).collect();
    let mut chain = Link::new("chain", "nested", Nested::of(inner));
    // Its links have policies and limits of their own; what they let through counts.
    (chain.on_fault.every, chain.timeout) = (Some(OnFault::Fail), Some(Duration::ZERO));
    outer.insert(from, chain);
    let nested = told::<H>(outer);
    prop_assert_eq!(decided(&flat), decided(&nested));
    // A link that failed has no effects, and so has a chain that ended with a
    // failure when it is a link.
    let has = |end: &str| flat.said.get(end).is_some();
    if !has("failed") {
        prop_assert_eq!(flat.effects, nested.effects);
    }
    if !["failed", "vetoed", "tripped"].into_iter().any(has) {
        prop_assert_eq!(flat.request, nested.request);
    }
    Ok(())
}

fn plans(plan: impl Strategy<Value = Plan>) -> impl Strategy<Value = Vec<Plan>> {
    proptest::collection::vec(plan, 0..6)
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_chain_in_a_chain_rewrites_like_its_links(
        inbound in plans(appends("/text", "text")), speech in plans(appends("/text", "text")),
        after in plans(appends("/response/text", "content")), patches in plans(says(patches())),
        from: Index, to: Index,
    ) {
        composes::<UserMessageInbound>(&inbound, from, to)?;
        composes::<CompanionSpeech>(&speech, from, to)?;
        composes::<AfterModel>(&after, from, to)?;
        composes::<Transform>(&patches, from, to)?;
    }

    #[test]
    fn a_chain_in_a_chain_decides_like_its_links(
        tools in plans(says(verdicts())),
        approvals in plans(says(vec![json!({}), json!({"decision": 1}), json!({"decision": 2})])),
        skips in plans(says(vec![json!({}), json!({"skip": true})])),
        blocks in plans(says(vec![json!({}), json!({"block": "1"}), json!({"block": "2"})])),
        stops in plans(says(vec![json!({}), json!({"continue_with": "1"})])),
        adds in plans(says(vec![json!({}), json!({"added_context": ["1", "2"]})])),
        from: Index, to: Index,
    ) {
        composes::<BeforeToolCall>(&tools, from, to)?;
        composes::<DecideApproval>(&approvals, from, to)?;
        composes::<BeforeCompaction>(&skips, from, to)?;
        composes::<BeforeModelSwitch>(&blocks, from, to)?;
        composes::<BeforeStop>(&stops, from, to)?;
        composes::<BeforeRun>(&adds, from, to)?;
    }

    #[test]
    fn forward_and_reverse_mirror_each_other(texts in proptest::collection::vec("[a-z]{0,3}", 0..6)) {
        let append = |from, field| move |more: &String| Says::Appends { from, field, more: more.clone() };
        let reverse = chain_links(texts.iter().map(append("/response/text", "content")));
        let forward = chain_links(texts.iter().rev().map(append("/text", "text")));
        let (reverse, forward) = (told::<AfterModel>(reverse), told::<UserMessageInbound>(forward));
        prop_assert_eq!(&reverse.said["content"], &forward.said["text"]);
    }

    #[test]
    fn a_skipped_link_changes_nothing_but_the_report(
        plans in plans(says(verdicts())), cause in proptest::sample::select(&Cause::ALL[..]), at: Index,
    ) {
        let without = told::<BeforeToolCall>(links(&plans));
        let skipped = Plan { says: Says::Faults(cause), policy: Some(OnFault::Skip), stops: true };
        let mut with = links(&plans);
        with.insert(at.index(plans.len() + 1), skipped.link("skipped"));
        let with = told::<BeforeToolCall>(with);
        prop_assert_eq!((with.said, with.request), (without.said, without.request));
        prop_assert_eq!(with.effects, without.effects);
        prop_assert!(with.steps.len() >= without.steps.len());
    }

    #[test]
    fn the_merge_of_verdicts_does_not_depend_on_the_order(
        (plain, shuffled) in proptest::collection::vec(proptest::sample::select(verdicts()), 0..6)
            .prop_flat_map(|verdicts| (Just(verdicts.clone()), Just(verdicts).prop_shuffle())),
    ) {
        let decision = |verdicts: &[Value]| {
            let said = told::<BeforeToolCall>(chain_links(verdicts.iter().cloned())).said;
            (said["decision"].clone(), said.get("updated_arguments_json").is_some())
        };
        prop_assert_eq!(decision(&plain), decision(&shuffled));
    }
}
