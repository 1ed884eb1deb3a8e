//! `pii` at its hooks: where it looks, what it answers, and what it never says.

use super::super::config::{CustomConfig, Replacement};
use super::super::{Entity, Scanner, Style};
use super::*;
use crate::{
    config::Sources,
    engine::{Call, Detail, Link, Ran, Sink, run},
    hooks::{
        AssistantMessageOutbound, BeforeRun, BeforeToolCall, Hook, SshCommandCompleted, Transform,
        UserMessageInbound,
    },
    middleware::KeySource,
    runs::{MemoryStore, StateBounds, StateStore},
};
use std::{path::Path, time::Duration};

fn pii(config: &PiiConfig) -> Pii {
    Pii::new(config, Path::new("."), &mut Sources::default()).unwrap()
}

/// Asks `pii` with `config` at a unary hook.
async fn ask<H: Hook>(config: &PiiConfig, mut request: H::Request) -> Ran<H::Answer> {
    let link = Link::new("pii", "pii", Arc::new(pii(config)));
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
    let config = PiiConfig { tool_arguments: Replacement::Mask, ..PiiConfig::default() };
    let Outcome::Answer(answer) = transformed(&config, vec![everywhere()]).await else { panic!() };
    let text = format!("{:?}", answer.messages);
    assert!(!text.contains("ada@example.com"), "{text}");
    let message = &answer.messages.unwrap().messages[0];
    assert_eq!(message.tool_calls[0].arguments_json, r#"{"to": ["a***@****.com"], "n": 1e400}"#);
    assert!(text.contains("9007199254740993"));
}

#[tokio::test]
async fn the_name_of_a_value_in_json_counts_as_the_word_before_it() {
    let tool = v1::Message {
        role: "tool".into(),
        content: Some(v1::message::Content::Text(
            r#"{"ssn": 457558462, "order": 457558462, "birthDate": "1970-06-06", "due": "1970-06-06"}"#
                .into(),
        )),
        ..v1::Message::default()
    };
    let Outcome::Answer(answer) = transformed(&PiiConfig::default(), vec![tool]).await else {
        panic!()
    };
    let message = &answer.messages.unwrap().messages[0];
    let masked = r#"{"ssn": "***-**-8462", "order": 457558462, "birthDate": "****-**-**", "due": "1970-06-06"}"#;
    assert_eq!(message.content, Some(v1::message::Content::Text(masked.into())));
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

/// A run: what one hook call leaves in its state, the next one finds.
struct Run {
    link: Link,
    state: Arc<dyn crate::runs::RunState>,
}

impl Run {
    fn of(config: &PiiConfig) -> Self {
        let bounds = StateBounds { value_bytes: 4096, run_bytes: 4096 };
        let link = Link::new("pii", "pii", Arc::new(pii(config)));
        Self { link, state: MemoryStore::new(bounds).open("r") }
    }

    async fn ask<H: Hook>(&self, mut request: H::Request) -> Outcome<H::Answer> {
        let call = Call {
            hook: H::ID,
            context: v1::HookContext::default(),
            state: Arc::clone(&self.state),
            deadline: None,
            variables: Vec::new(),
        };
        let links = vec![&self.link];
        run::<H>(&links, &call, &mut request, Duration::from_secs(5), Detail::Steps).await.outcome
    }

    async fn inbound(&self, text: &str) -> String {
        let request = v1::UserMessageInboundRequest { text: text.into(), ..Default::default() };
        match self.ask::<UserMessageInbound>(request).await {
            Outcome::Answer(answer) => answer.text.unwrap_or_else(|| text.into()),
            other => panic!("{other:?}"),
        }
    }

    async fn called(&self, arguments: &str) -> Option<String> {
        let tool_call =
            v1::ToolCall { id: "c".into(), arguments_json: arguments.into(), ..Default::default() };
        let request =
            v1::BeforeToolCallRequest { tool_call: Some(tool_call), ..Default::default() };
        match self.ask::<BeforeToolCall>(request).await {
            Outcome::Answer(answer) => answer.updated_arguments_json,
            other => panic!("{other:?}"),
        }
    }

    async fn outbound(&self, text: &str) -> Option<String> {
        let request =
            v1::AssistantMessageOutboundRequest { text: text.into(), ..Default::default() };
        match self.ask::<AssistantMessageOutbound>(request).await {
            Outcome::Answer(answer) => answer.text,
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn tokens_are_stable_in_a_run_and_tools_and_people_get_the_values_back() {
    let run = Run::of(&mode(PiiMode::Token));
    assert_eq!(run.inbound("I am ada@example.com").await, "I am <EMAIL_1>");
    assert_eq!(run.inbound("bob@x.com, ada@example.com").await, "<EMAIL_2>, <EMAIL_1>");
    let arguments = run.called(r#"{"to": "<EMAIL_1>", "n": 1e400}"#).await;
    assert_eq!(arguments.as_deref(), Some(r#"{"to": "ada@example.com", "n": 1e400}"#));
    assert_eq!(run.called(r#"{"to":"<EMAIL_9>"}"#).await, None);
    assert_eq!(run.outbound("To <EMAIL_2>.").await.as_deref(), Some("To bob@x.com."));
}

#[tokio::test]
async fn another_run_knows_no_token_of_this_one() {
    let (one, other) = (Run::of(&mode(PiiMode::Token)), Run::of(&mode(PiiMode::Token)));
    one.inbound("I am ada@example.com").await;
    assert_eq!(other.outbound("<EMAIL_1>").await, None);
}

#[tokio::test]
async fn arguments_of_tool_calls_get_tokens_unless_something_else_is_said() {
    let run = Run::of(&mode(PiiMode::Mask));
    let request = v1::ChatRequest { messages: vec![everywhere()], ..Default::default() };
    let request = v1::TransformRequest { request: Some(request), ..Default::default() };
    let Outcome::Answer(answer) = run.ask::<Transform>(request).await else { panic!() };
    let message = &answer.messages.unwrap().messages[0];
    assert_eq!(message.tool_calls[0].arguments_json, r#"{"to": ["<EMAIL_1>"], "n": 1e400}"#);
    assert!(format!("{message:?}").contains("a***@****.com"));
}

#[tokio::test]
async fn a_value_for_which_the_state_has_no_room_is_redacted() {
    let run = Run::of(&mode(PiiMode::Token));
    let long = format!("{}@x.com", "a".repeat(60));
    let many: Vec<String> = (100..200).map(|n| format!("u{n}{long}")).collect();
    let shown = run.inbound(&many.join(" ")).await;
    assert!(!shown.contains("@x.com") && shown.contains("[REDACTED_EMAIL]"), "{shown}");
}

#[tokio::test]
async fn each_kind_may_have_a_replacement_of_its_own() {
    let replace = [(Entity::Email, Replacement::Redact)].into();
    let run = Run::of(&PiiConfig { replace, ..mode(PiiMode::Mask) });
    let shown = run.inbound("ada@example.com from 10.0.0.4").await;
    assert_eq!(shown, "[REDACTED_EMAIL] from *.*.*.4");
}

#[tokio::test]
async fn a_pattern_of_the_configuration_is_masked_and_counted_by_its_name() {
    let custom = CustomConfig {
        name: "employee_id".into(),
        pattern: r"\bE-\d{6}\b".into(),
        checksum: None,
        context: vec!["employee".into()],
    };
    let config = PiiConfig { custom: vec![custom], ..PiiConfig::default() };
    let run = Run::of(&config);
    assert_eq!(
        run.inbound("employee E-123456, part E-1234567").await.as_str(),
        "employee ****3456, part E-1234567"
    );
    assert_eq!(run.inbound("part E-123456").await, "part E-123456");
    let request = v1::BeforeRunRequest { input: "Employee E-123456".into(), ..Default::default() };
    let config = PiiConfig { mode: PiiMode::Block, ..config };
    let Outcome::Tripwire(tripwire) = ask::<BeforeRun>(&config, request).await.outcome else {
        panic!()
    };
    assert_eq!(tripwire.reason, "personal data: 1 × employee_id");
}

#[tokio::test]
async fn nine_digits_that_a_person_types_alone_are_a_number_only_when_it_is_listed() {
    let listed = PiiConfig { detect: Some(vec![Entity::UsSsn]), ..PiiConfig::default() };
    assert_eq!(Run::of(&listed).inbound("078051121").await, "***-**-1121");
    assert_eq!(
        Run::of(&listed).inbound(r#"{"order":"078051121"}"#).await,
        r#"{"order":"078051121"}"#
    );
    assert_eq!(Run::of(&PiiConfig::default()).inbound("078051121").await, "078051121");
}

#[test]
fn what_cannot_be_used_is_named_with_its_place() {
    let check = |config: PiiConfig, expected: &[(&[&str], &str)]| {
        let wrong = Pii::new(&config, Path::new("/nowhere"), &mut Sources::default()).unwrap_err();
        let wrong: Vec<_> =
            wrong.iter().map(|(at, what)| (at.join("."), what.message.clone())).collect();
        let expected: Vec<_> =
            expected.iter().map(|(at, what)| (at.join("."), (*what).to_owned())).collect();
        assert_eq!(wrong, expected);
    };
    let custom = |name: &str, pattern: &str, checksum| CustomConfig {
        name: name.into(),
        pattern: pattern.into(),
        checksum,
        context: Vec::new(),
    };
    check(mode(PiiMode::Hash), &[(&["mode"], "`hash` needs a `hash_key`")]);
    check(
        PiiConfig { phone_regions: vec!["US".into(), "UX".into()], ..PiiConfig::default() },
        &[(&["phone_regions", "1"], "unknown country `UX`")],
    );
    check(
        PiiConfig {
            custom: vec![
                custom("email", "x+", None),
                custom("a", "x*", None),
                custom("b", "x+", Some(Entity::Email)),
            ],
            ..PiiConfig::default()
        },
        &[
            (&["custom", "0", "name"], "the name `email` is taken"),
            (&["custom", "1", "pattern"], "the pattern matches an empty text, and so everywhere"),
            (&["custom", "2", "checksum"], "this kind has no checksum of its own"),
        ],
    );
    let hash_key = Some(KeySource { env: Some("SIDEHOOK_NO_SUCH_KEY".into()), file: None });
    check(
        PiiConfig { hash_key, ..PiiConfig::default() },
        &[(&["hash_key", "env"], "the environment variable `SIDEHOOK_NO_SUCH_KEY` is not set")],
    );
    let answers = PiiConfig { answers: true, ..mode(PiiMode::Token) };
    check(
        answers,
        &[(
            &["answers"],
            "with `mode: token` answers get the values back, so that they cannot be masked",
        )],
    );
}

#[tokio::test]
async fn a_stream_gives_values_back_wherever_the_pieces_are_cut() {
    let mut tokens = Tokens::default();
    tokens.token("email", "ada@example.com").unwrap();
    let tokens = Arc::new(tokens);
    let text = "To <EMAIL_1> or <EMAIL_2>, a < b";
    for cut in 0..text.len() {
        let mut stream = RestoredStream::new(&tokens);
        let mut shown = String::new();
        for piece in <[&str; 2]>::from(text.split_at(cut)) {
            let delta = v1::ModelDelta { text: piece.into(), ..v1::ModelDelta::default() };
            shown.extend(stream.push(delta).await.unwrap().into_iter().map(|out| out.text));
        }
        let rest: Vec<v1::ModelDelta> = stream.finish().await.unwrap();
        shown.extend(rest.into_iter().map(|out| out.text));
        assert_eq!(shown, "To ada@example.com or <EMAIL_2>, a < b");
    }
}
