use super::*;
use crate::{
    engine::{Call, Detail, Link, Ran, run},
    hooks::{BeforeRun, Hook, SshCommandCompleted, Transform, UserMessageInbound},
    runs::{MemoryStore, StateBounds, StateStore},
};
use std::time::Duration;

fn secrets(config: &SecretsConfig) -> Secrets {
    Secrets::new(config, Path::new("."), &mut Sources::default()).unwrap()
}

/// Asks `secrets` with `config` at a unary hook.
async fn ask<H: Hook>(config: &SecretsConfig, mut request: H::Request) -> Ran<H::Answer> {
    let link = Link::new("secrets", "secrets", Arc::new(secrets(config)));
    let state = MemoryStore::new(StateBounds { value_bytes: 64, run_bytes: 64 }).open("r");
    let call = Call {
        hook: H::ID,
        context: v1::HookContext::default(),
        state,
        deadline: None,
        variables: Vec::new(),
    };
    run::<H>(&vec![&link], &call, &mut request, Duration::from_secs(5), Detail::Steps).await
}

fn mode(mode: SecretsMode) -> SecretsConfig {
    SecretsConfig { mode, ..SecretsConfig::default() }
}

/// A token that nobody gave out.
fn token() -> String {
    format!("gh{}{}", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
}

/// A message with a secret in every place that can hold one.
fn everywhere() -> v1::Message {
    use v1::content_part::Kind;
    let token = token();
    let part = |kind| v1::ContentPart { kind: Some(kind), ..v1::ContentPart::default() };
    let parts = vec![
        part(Kind::Text(token.clone())),
        part(Kind::Reasoning(format!("it is {token}"))),
        part(Kind::OtherJson(format!(r#"{{"note":"{token}","id":9007199254740993}}"#))),
    ];
    v1::Message {
        role: "assistant".into(),
        content: Some(v1::message::Content::Parts(v1::ContentParts { parts })),
        tool_calls: vec![v1::ToolCall {
            id: "c1".into(),
            arguments_json: format!(r#"{{"header": ["Bearer {token}"], "n": 1e400}}"#),
            ..v1::ToolCall::default()
        }],
        extra_json: format!(r#"{{"name":"{token}"}}"#),
        ..v1::Message::default()
    }
}

#[tokio::test]
async fn every_part_of_a_message_is_masked_and_the_rest_stays() {
    let request = v1::ChatRequest { messages: vec![everywhere()], ..v1::ChatRequest::default() };
    let request =
        v1::TransformRequest { request: Some(request), ..v1::TransformRequest::default() };
    let Outcome::Answer(answer) =
        ask::<Transform>(&mode(SecretsMode::Redact), request).await.outcome
    else {
        panic!()
    };
    let text = format!("{:?}", answer.messages);
    assert!(!text.contains(&token()), "{text}");
    let message = &answer.messages.unwrap().messages[0];
    assert_eq!(
        message.tool_calls[0].arguments_json,
        r#"{"header": ["Bearer [REDACTED_GITHUB_KEY]"], "n": 1e400}"#
    );
    assert!(text.contains("9007199254740993"));
}

#[tokio::test]
async fn what_a_member_is_called_counts() {
    let request = v1::SshCommandCompletedRequest {
        output: Some(r#"{"password":"hunter22","name":"hunter22","db":["hunter22"]}"#.into()),
        error_output: Some("password: hunter22\n".into()),
        ..v1::SshCommandCompletedRequest::default()
    };
    let Outcome::Answer(answer) =
        ask::<SshCommandCompleted>(&mode(SecretsMode::Redact), request).await.outcome
    else {
        panic!()
    };
    let expected = r#"{"password":"[REDACTED_PASSWORD]","name":"hunter22","db":["hunter22"]}"#;
    assert_eq!(answer.output.as_deref(), Some(expected));
    assert_eq!(answer.error_output.as_deref(), Some("password: [REDACTED_PASSWORD]\n"));
}

#[tokio::test]
async fn block_trips_and_says_how_much_was_found_but_not_what() {
    let request = v1::BeforeRunRequest { input: token(), ..v1::BeforeRunRequest::default() };
    let Outcome::Tripwire(tripwire) =
        ask::<BeforeRun>(&mode(SecretsMode::Block), request).await.outcome
    else {
        panic!()
    };
    assert_eq!(tripwire.reason, "secrets: 1 × github");
    assert_eq!(tripwire.info_json, r#"{"github":1}"#);
}

#[tokio::test]
async fn block_refuses_a_message_where_there_is_a_veto() {
    let request = v1::UserMessageInboundRequest { text: token(), ..Default::default() };
    let Outcome::Veto(veto) =
        ask::<UserMessageInbound>(&mode(SecretsMode::Block), request).await.outcome
    else {
        panic!()
    };
    assert_eq!(veto.reason, "secrets: 1 × github");
}

#[tokio::test]
async fn a_plain_label_does_not_say_whose_it_was() {
    let config = SecretsConfig { label: super::super::SecretsLabel::Plain, ..Default::default() };
    let request = v1::UserMessageInboundRequest { text: token(), ..Default::default() };
    let ran = ask::<UserMessageInbound>(&config, request).await;
    let expected = v1::UserMessageInboundAnswer { text: Some("[REDACTED_SECRET]".into()) };
    assert_eq!(ran.outcome, expected.into());
}

#[tokio::test]
async fn a_stream_masks_text_and_reasoning_apart() {
    let mut stream = MaskedStream::new(&secrets(&SecretsConfig::default()).masker);
    let token = token();
    let (head, tail) = token.split_at(17);
    let delta = |text: &str, reasoning: &str| v1::ModelDelta {
        text: text.into(),
        reasoning: reasoning.into(),
        ..v1::ModelDelta::default()
    };
    let mut shown = (String::new(), String::new());
    let pieces = [delta(&format!("It is {head}"), head), delta(&format!("{tail}, yes"), tail)];
    for piece in pieces {
        for out in stream.push(piece).await.unwrap() {
            shown.0 += &out.text;
            shown.1 += &out.reasoning;
        }
    }
    for out in stream.finish().await.unwrap() {
        shown.0 += &out.text;
        shown.1 += &out.reasoning;
    }
    let masked = "[REDACTED_GITHUB_KEY]".to_owned();
    assert_eq!(shown, (format!("It is {masked}, yes"), masked));
}

#[test]
fn hash_needs_a_key() {
    let new = |config: &SecretsConfig| {
        Secrets::new(config, Path::new("/"), &mut Sources::default()).map_err(|wrong| wrong.0)
    };
    let config = mode(SecretsMode::Hash);
    assert_eq!(new(&config).unwrap_err(), "mode");
    let file = tempfile::NamedTempFile::new().unwrap();
    let hash_key = Some(crate::middleware::KeySource { env: None, file: Some(file.path().into()) });
    let config = SecretsConfig { hash_key, ..config };
    assert_eq!(new(&config).unwrap_err(), "hash_key");
    std::fs::write(file.path(), "0123456789abcdef\n").unwrap();
    new(&config).unwrap();
}
