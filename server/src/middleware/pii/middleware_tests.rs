use super::*;
use crate::{
    engine::{Call, Detail, Link, Ran, run},
    hooks::{BeforeRun, Hook, SshCommandCompleted, Transform, UserMessageInbound},
    runs::{MemoryStore, StateBounds, StateStore},
};
use std::time::Duration;

/// Asks `pii` with `config` at a unary hook.
async fn ask<H: Hook>(config: &PiiConfig, mut request: H::Request) -> Ran<H::Answer> {
    let link = Link::new("pii", "pii", Arc::new(Pii::new(config)));
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

fn mode(mode: PiiMode) -> PiiConfig {
    PiiConfig { mode, ..PiiConfig::default() }
}

fn user(text: &str) -> v1::Message {
    v1::Message {
        role: "user".into(),
        content: Some(v1::message::Content::Text(text.into())),
        ..v1::Message::default()
    }
}

/// A message with personal data in every place that can hold some.
fn everywhere() -> v1::Message {
    use v1::content_part::Kind;
    let part = |kind| v1::ContentPart { kind: Some(kind), ..v1::ContentPart::default() };
    let parts = vec![
        part(Kind::Text("ada@example.com".into())),
        part(Kind::Reasoning("it is ada@example.com".into())),
        part(Kind::OtherJson(r#"{"note":"ada@example.com","id":9007199254740993}"#.into())),
    ];
    v1::Message {
        role: "assistant".into(),
        content: Some(v1::message::Content::Parts(v1::ContentParts { parts })),
        tool_calls: vec![v1::ToolCall {
            id: "c1".into(),
            arguments_json: r#"{"to": ["ada@example.com"], "n": 1e400}"#.into(),
            ..v1::ToolCall::default()
        }],
        extra_json: r#"{"name":"ada@example.com"}"#.into(),
        ..v1::Message::default()
    }
}

async fn transformed(
    config: &PiiConfig,
    messages: Vec<v1::Message>,
) -> Outcome<v1::TransformAnswer> {
    let request = v1::ChatRequest { messages, ..v1::ChatRequest::default() };
    let request =
        v1::TransformRequest { request: Some(request), ..v1::TransformRequest::default() };
    ask::<Transform>(config, request).await.outcome
}

#[tokio::test]
async fn every_part_of_a_message_is_masked_and_the_rest_stays() {
    let Outcome::Answer(answer) = transformed(&mode(PiiMode::Mask), vec![everywhere()]).await
    else {
        panic!()
    };
    let text = format!("{:?}", answer.messages);
    assert!(!text.contains("ada@example.com"), "{text}");
    let message = &answer.messages.unwrap().messages[0];
    assert_eq!(message.tool_calls[0].arguments_json, r#"{"to": ["a***@****.com"], "n": 1e400}"#);
    assert!(text.contains("9007199254740993"));
}

#[tokio::test]
async fn a_clean_request_is_not_touched() {
    let outcome = transformed(&mode(PiiMode::Mask), vec![user("hello")]).await;
    assert_eq!(outcome, Outcome::none());
}

#[tokio::test]
async fn only_what_is_configured_is_looked_for() {
    let config = PiiConfig { detect: Some(vec![Entity::CreditCard]), ..PiiConfig::default() };
    let outcome = transformed(&config, vec![user("ada@example.com")]).await;
    assert_eq!(outcome, Outcome::none());
}

#[tokio::test]
async fn a_card_number_that_is_a_json_number_becomes_a_masked_string() {
    let request = v1::SshCommandCompletedRequest {
        output: Some(r#"{"card":4111111111111111,"id":7}"#.into()),
        ..v1::SshCommandCompletedRequest::default()
    };
    let Outcome::Answer(answer) =
        ask::<SshCommandCompleted>(&mode(PiiMode::Mask), request).await.outcome
    else {
        panic!()
    };
    assert_eq!(answer.output.as_deref(), Some(r#"{"card":"****-****-****-1111","id":7}"#));
}

#[tokio::test]
async fn block_trips_on_every_message_and_says_how_much_was_found_but_not_what() {
    let request = v1::BeforeRunRequest {
        input: "hello".into(),
        messages: vec![user("I am ada@example.com, or bob@example.com"), user("hello")],
        ..v1::BeforeRunRequest::default()
    };
    let Outcome::Tripwire(tripwire) =
        ask::<BeforeRun>(&mode(PiiMode::Block), request).await.outcome
    else {
        panic!()
    };
    assert_eq!(tripwire.reason, "personal data: 2 × email");
    assert_eq!(tripwire.info_json, r#"{"email":2}"#);
}

#[tokio::test]
async fn block_refuses_a_message_where_there_is_a_veto() {
    let request =
        v1::UserMessageInboundRequest { text: "4111 1111 1111 1111".into(), ..Default::default() };
    let Outcome::Veto(veto) =
        ask::<UserMessageInbound>(&mode(PiiMode::Block), request).await.outcome
    else {
        panic!()
    };
    assert_eq!(veto.reason, "personal data: 1 × credit_card");
}

#[tokio::test]
async fn redact_names_the_kind() {
    let request =
        v1::UserMessageInboundRequest { text: "ada@example.com".into(), ..Default::default() };
    let ran = ask::<UserMessageInbound>(&mode(PiiMode::Redact), request).await;
    let expected = v1::UserMessageInboundAnswer { text: Some("[REDACTED_EMAIL]".into()) };
    assert_eq!(ran.outcome, expected.into());
}

#[tokio::test]
async fn a_stream_masks_text_and_reasoning_apart() {
    let mut stream = MaskedStream::new(Masker::new(Scanner::new(&Entity::ALL), Style::Mask));
    let delta = |text: &str, reasoning: &str| v1::ModelDelta {
        text: text.into(),
        reasoning: reasoning.into(),
        ..v1::ModelDelta::default()
    };
    let mut shown = (String::new(), String::new());
    let pieces = [delta("I am ada@exa", "bob@exam"), delta("mple.com, yes", "ple.com")];
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
    assert_eq!(shown, ("I am a***@****.com, yes".into(), "b***@****.com".into()));
}
