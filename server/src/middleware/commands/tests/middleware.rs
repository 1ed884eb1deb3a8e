use crate::{
    engine::{Call, Detail, Link, Ran, run},
    hooks::{BeforeToolCall, Hook, HookId, SshCommandSending},
    middleware::commands::{Action, Commands, CommandsConfig, Reasons, Rewrite, Unasked},
    runs::{MemoryStore, StateBounds, StateStore},
};
use serde_json::json;
use sidehook_proto::{
    Outcome,
    v1::{self, ToolDecision},
};
use std::{sync::Arc, time::Duration};

/// Asks `commands` with `config` at a unary hook.
async fn ask<H: Hook>(config: CommandsConfig, mut request: H::Request) -> Ran<H::Answer> {
    let link = Link::new("commands", "commands", Arc::new(Commands::new(config).unwrap()));
    let state = MemoryStore::new(StateBounds { value_bytes: 64, run_bytes: 640 }).open("r");
    let call = Call {
        hook: H::ID,
        context: v1::HookContext::default(),
        state,
        deadline: None,
        variables: Vec::new(),
    };
    run::<H>(&vec![&link], &call, &mut request, Duration::from_secs(5), Detail::Steps).await
}

fn tool_call(tool: &str, command: &str) -> v1::BeforeToolCallRequest {
    v1::BeforeToolCallRequest {
        tool_call: Some(v1::ToolCall {
            id: "c1".into(),
            name: tool.into(),
            arguments_json: json!({ "command": command }).to_string(),
            ..v1::ToolCall::default()
        }),
        ..v1::BeforeToolCallRequest::default()
    }
}

async fn answer(config: CommandsConfig, tool: &str, command: &str) -> v1::BeforeToolCallAnswer {
    match ask::<BeforeToolCall>(config, tool_call(tool, command)).await.outcome {
        Outcome::Answer(answer) => answer,
        other => panic!("{other:?}"),
    }
}

async fn sent(config: CommandsConfig, command: &str) -> Outcome<v1::SshCommandSendingAnswer> {
    let request = v1::SshCommandSendingRequest {
        command: Some(command.into()),
        ..v1::SshCommandSendingRequest::default()
    };
    ask::<SshCommandSending>(config, request).await.outcome
}

fn vetoed(outcome: &Outcome<v1::SshCommandSendingAnswer>) -> bool {
    matches!(outcome, Outcome::Veto(_))
}

#[tokio::test]
async fn each_tier_has_its_action() {
    let config = CommandsConfig::default;
    let decision = async |config, command| answer(config, "shell", command).await.decision();
    assert_eq!(decision(config(), "rm -rf /").await, ToolDecision::Deny);
    assert_eq!(decision(config(), "git reset --hard").await, ToolDecision::Ask);
    assert_eq!(decision(config(), "docker volume rm data").await, ToolDecision::Ask);
    assert_eq!(decision(config(), "ls -la").await, ToolDecision::Unspecified);
    let stricter = CommandsConfig { git: Action::Deny, ..config() };
    assert_eq!(decision(stricter, "git reset --hard").await, ToolDecision::Deny);
    let milder = CommandsConfig { host: Action::Allow, ..config() };
    assert_eq!(decision(milder, "rm -rf /").await, ToolDecision::Unspecified);
}

#[tokio::test]
async fn a_caution_is_never_treated_more_strictly_than_its_tier() {
    let decision = async |config| answer(config, "shell", "rm -rf build").await.decision();
    let config = CommandsConfig::default;
    assert_eq!(decision(config()).await, ToolDecision::Ask);
    let strict = CommandsConfig { caution: Action::Deny, ..config() };
    assert_eq!(decision(strict).await, ToolDecision::Deny);
    let mild = CommandsConfig { caution: Action::Allow, ..config() };
    assert_eq!(decision(mild).await, ToolDecision::Unspecified);
    let off = CommandsConfig { host: Action::Allow, caution: Action::Deny, ..config() };
    assert_eq!(decision(off).await, ToolDecision::Unspecified);
}

#[tokio::test]
async fn the_strictest_of_several_findings_decides() {
    let answer = answer(CommandsConfig::default(), "shell", "git reset --hard; rm -rf /").await;
    assert_eq!(answer.decision(), ToolDecision::Deny);
    assert_eq!(answer.reason, "It deletes the root of the file system (delete-root)");
}

#[tokio::test]
async fn a_reason_of_ones_own_is_said_and_none_quotes_the_command() {
    let reasons = Reasons { host: Some("No".into()), ..Reasons::default() };
    let config = CommandsConfig { reasons, ..CommandsConfig::default() };
    assert_eq!(answer(config, "shell", "rm -rf /").await.reason, "No");
    let secret =
        answer(CommandsConfig::default(), "shell", "mysql -psesame -e 'DROP TABLE t'").await;
    assert!(!secret.reason.is_empty() && !secret.reason.contains("sesame"));
}

#[tokio::test]
async fn only_the_tools_that_are_named_are_looked_at() {
    let config = || CommandsConfig { tools: Some(vec!["sh*".into()]), ..CommandsConfig::default() };
    assert_eq!(answer(config(), "shell", "rm -rf /").await.decision(), ToolDecision::Deny);
    assert_eq!(answer(config(), "notes", "rm -rf /").await.decision(), ToolDecision::Unspecified);
}

#[tokio::test]
async fn a_remote_command_is_refused_where_a_person_would_be_asked_unless_that_is_ignored() {
    let config = CommandsConfig::default;
    assert!(vetoed(&sent(config(), "rm -rf /").await));
    assert!(vetoed(&sent(config(), "git reset --hard").await));
    assert!(!vetoed(&sent(config(), "ls").await));
    let ignoring = || CommandsConfig { unasked: Unasked::Ignore, ..config() };
    assert!(vetoed(&sent(ignoring(), "rm -rf /").await));
    assert!(!vetoed(&sent(ignoring(), "git reset --hard").await));
}

#[tokio::test]
async fn a_safer_form_is_off_by_default_and_judged_when_it_is_on() {
    let install = "sudo apt-get install jq";
    let plain = answer(CommandsConfig::default(), "shell", install).await;
    assert_eq!(plain.updated_arguments_json, None);
    let rewrite = |command: &str, with: &str| CommandsConfig {
        rewrite: vec![Rewrite { command: command.into(), with: with.into() }],
        ..CommandsConfig::default()
    };
    let config = || rewrite("apt-get install", "apt-get install -y");
    let updated = answer(config(), "shell", install).await.updated_arguments_json;
    assert_eq!(updated.as_deref(), Some(r#"{"command":"sudo apt-get install -y jq"}"#));
    let Outcome::Answer(sent) = sent(config(), install).await else { panic!() };
    assert_eq!(sent.command.as_deref(), Some("sudo apt-get install -y jq"));
    let worse = answer(rewrite("clean", "rm -rf"), "shell", "clean /").await;
    assert_eq!(worse.decision(), ToolDecision::Deny);
}

#[test]
fn a_wrong_entry_is_named_with_its_place() {
    let config = CommandsConfig {
        allow: vec!["ls".into(), " ".into()],
        tools: Some(vec!["[".into()]),
        ..CommandsConfig::default()
    };
    let problems = Commands::new(config).unwrap_err();
    let places: Vec<_> = problems.iter().map(|(key, index, _)| (*key, *index)).collect();
    assert_eq!(places, [("allow", 1), ("tools", 0)]);
}

#[test]
fn it_speaks_where_commands_are_about_to_run() {
    use crate::middleware::Middleware;
    let commands = Commands::new(CommandsConfig::default()).unwrap();
    for hook in [HookId::BeforeToolCall, HookId::WrapToolCall, HookId::SshCommandSending] {
        assert!(commands.hooks().contains(hook), "{hook}");
    }
}
