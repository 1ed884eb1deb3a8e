//! Vetoes and tripwires: where they count, where they are ignored, what they
//! say.

use super::{
    asked::{ask, ask_named, unary},
    scripted::{FIVE_SECONDS, Says, chain, chain_at, links},
};
use crate::{
    engine::Chains,
    hooks::{AfterModel, HookId, UserMessageInbound, VetoUse},
};
use serde_json::{Value, json};

fn vetoes(reason: &str) -> Says {
    Says::Vetoes(reason.into())
}

#[tokio::test(start_paused = true)]
async fn a_veto_ends_the_chain_wherever_the_operation_can_be_refused() {
    for hook in unary().filter(|hook| hook.info().veto == VetoUse::Cancels) {
        let told = ask_named(hook, &chain([vetoes("no"), json!({}).into()])).await;
        told.check(&json!({"vetoed": "a: no"}), "a vetoed");
    }
}

#[tokio::test(start_paused = true)]
async fn an_ignored_veto_is_reported_and_the_value_goes_on() {
    for hook in unary().filter(|hook| hook.info().veto == VetoUse::Ignored) {
        let told = ask_named(hook, &chain([vetoes("no"), json!({}).into()])).await;
        told.check(&json!({}), "a veto_ignored, b no_opinion");
    }
}

#[tokio::test(start_paused = true)]
async fn a_veto_where_there_is_none_is_a_malformed_answer() {
    for hook in unary().filter(|hook| hook.info().veto == VetoUse::None) {
        let told = ask_named(hook, &chain([vetoes("no")])).await;
        let fault = told.steps[0].fault.as_ref().unwrap().to_failure("a");
        assert_eq!(fault.code, "malformed_answer", "{hook}");
    }
}

#[test]
fn the_hooks_that_can_be_vetoed_are_those_of_the_table() {
    let cancels: Vec<&str> = HookId::ALL
        .into_iter()
        .filter(|hook| hook.info().veto == VetoUse::Cancels)
        .map(HookId::name)
        .collect();
    let table = "user_message_inbound inter_agent_message assistant_message_outbound todo_added \
                 notify_scheduled notify_delivered ssh_connection_opening ssh_command_sending \
                 ssh_command_completed cron_job_firing";
    assert_eq!(cancels.join(" "), table);
}

#[tokio::test(start_paused = true)]
async fn a_veto_drops_the_rewrites_before_it() {
    let says = [json!({"text": "new"}).into(), vetoes("no"), json!({"text": "newer"}).into()];
    let told = ask::<UserMessageInbound>(&chain(says), json!({"text": "old"})).await;
    assert_eq!(told.said, json!({"vetoed": "b: no"}));
}

/// Compares the length of the reason that is left of `reason`.
async fn check_reason(reason: &str, characters: usize) {
    let told = ask::<UserMessageInbound>(&chain([vetoes(reason)]), json!({})).await;
    let Value::String(said) = &told.said["vetoed"] else { panic!("{}", told.said) };
    let left = said.strip_prefix("a: ").unwrap();
    assert!(reason.starts_with(left));
    assert_eq!(left.chars().count(), characters);
}

#[tokio::test(start_paused = true)]
async fn a_reason_is_cut_at_500_characters_on_a_character_boundary() {
    check_reason("", 0).await;
    check_reason(&"x".repeat(500), 500).await;
    check_reason(&"x".repeat(501), 500).await;
    check_reason(&"é".repeat(501), 500).await;
    check_reason(&"🦀".repeat(600), 500).await;
    check_reason(&("x".to_owned() + &"漢".repeat(499)), 500).await;
}

#[tokio::test(start_paused = true)]
async fn any_link_may_trip_and_that_ends_the_chain_and_is_no_fault() {
    for hook in unary() {
        let chains = chain_at(hook, links([Says::Trips("no"), json!({}).into()]));
        let told = ask_named(hook, &chains).await;
        told.check(&json!({"tripped": "a: no"}), "a tripped");
        assert!(chains.links().iter().all(|link| link.counters.fault_count() == 0), "{hook}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_tripwire_counts_whatever_the_fault_policy() {
    use crate::engine::OnFault::{Block, Fail, Skip};
    for policy in [Fail, Skip, Block] {
        let mut links = links([Says::Trips("no")]);
        links[0].on_fault.every = Some(policy);
        let chains = Chains::new(links, FIVE_SECONDS);
        let told = ask::<AfterModel>(&chains, json!({})).await;
        assert_eq!(told.said, json!({"tripped": "a: no"}), "{policy:?}");
    }
}
