//! Which models are asked, with what, and when none is.

use super::{Fallback, FallbackConfig, FallbackModel};
use crate::{
    engine::{Link, Streaming},
    hooks::WrapModelCall,
    middleware::{
        Failures,
        played::{Came, HoldsBack, Played, Reply},
    },
};
use serde_json::json;
use sidehook_proto::v1;
use std::sync::Arc;

fn model(model: &str, strip: &[&str]) -> FallbackModel {
    let strip = strip.iter().map(|name| (*name).to_owned()).collect();
    FallbackModel { model: model.into(), name: None, strip }
}

fn config() -> FallbackConfig {
    FallbackConfig::to(vec![model("b/two", &[]), model("c/three", &[])])
}

fn link(config: FallbackConfig) -> Link {
    Link::new("fallback", "fallback", Arc::new(Fallback::new(config)))
}

fn fails(class: &str) -> Reply<WrapModelCall> {
    Reply::Fails(v1::CallError { r#type: class.into(), ..v1::CallError::default() })
}

fn ends() -> Reply<WrapModelCall> {
    Reply::Ends(v1::ChatResponse::default())
}

/// A request with everything in it.
fn request() -> v1::ChatRequest {
    v1::ChatRequest {
        model: "one-2026".into(),
        messages: vec![v1::Message { role: "user".into(), ..v1::Message::default() }],
        tools: vec![v1::ToolDefinition::default()],
        tool_choice_json: "\"auto\"".into(),
        temperature: Some(0.1),
        top_p: Some(0.2),
        max_tokens: Some(3),
        stop: vec!["end".into()],
        response_format_json: "{}".into(),
        extra_json: r#"{"seed": 9007199254740993, "reasoning": {"effort":"low"}}"#.into(),
    }
}

fn played(config: FallbackConfig, replies: Vec<Reply<WrapModelCall>>) -> Played<WrapModelCall> {
    let call = v1::ModelCall { model: "a/one".into(), request: Some(request()) };
    Played { call, ..Played::of([link(config)], replies) }
}

async fn play(config: FallbackConfig, replies: Vec<Reply<WrapModelCall>>) -> Came<WrapModelCall> {
    played(config, replies).play().await
}

/// Checks which models are asked, and what comes of it.
#[track_caller]
fn check(came: &Came<WrapModelCall>, models: &[&str], outcome: &str) {
    let asked: Vec<_> = came.calls.iter().map(|call| call.model.as_str()).collect();
    assert_eq!((&*asked, &*came.outcome()), (models, outcome));
}

#[tokio::test(start_paused = true)]
async fn models_are_asked_in_order_until_one_answers() {
    check(&play(config(), vec![ends()]).await, &["a/one"], "answer of 1");
    let came = play(config(), vec![fails("timeout"), ends()]).await;
    check(&came, &["a/one", "b/two"], "answer of 2");
    let came = play(config(), vec![fails("timeout"), fails("network"), ends()]).await;
    check(&came, &["a/one", "b/two", "c/three"], "answer of 3");
}

#[tokio::test(start_paused = true)]
async fn the_last_failure_is_the_one_that_is_reported() {
    let came = play(config(), vec![fails("timeout"), fails("network"), fails("unavailable")]).await;
    check(&came, &["a/one", "b/two", "c/three"], "unavailable/");
    let came = play(config(), vec![fails("timeout"), fails("auth"), ends()]).await;
    check(&came, &["a/one", "b/two"], "auth/");
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_is_not_listed_ends_the_call() {
    check(&play(config(), vec![fails("invalid_params")]).await, &["a/one"], "invalid_params/");
    let narrow = FallbackConfig { errors: Failures::of(["rate_limited"]), ..config() };
    check(&play(narrow, vec![fails("timeout")]).await, &["a/one"], "timeout/");
}

#[tokio::test(start_paused = true)]
async fn the_call_is_the_same_but_for_the_model_and_what_it_does_not_know() {
    let config = FallbackConfig::to(vec![
        model("b/two/x", &["temperature", "reasoning", "unheard_of"]),
        FallbackModel { name: Some("three-eu".into()), ..model("c/three", &[]) },
        model("plain", &["top_p", "max_tokens", "stop", "tools", "tool_choice", "response_format"]),
    ]);
    let came = play(config, vec![fails("timeout")]).await;
    let expected = [
        request(),
        v1::ChatRequest {
            model: "two/x".into(),
            temperature: None,
            extra_json: r#"{"seed": 9007199254740993}"#.into(),
            ..request()
        },
        v1::ChatRequest { model: "three-eu".into(), ..request() },
        v1::ChatRequest {
            model: "plain".into(),
            messages: request().messages,
            temperature: Some(0.1),
            extra_json: request().extra_json,
            ..v1::ChatRequest::default()
        },
    ];
    let asked: Vec<_> = came.calls.into_iter().map(|call| call.request.unwrap()).collect();
    assert_eq!(asked, expected);
}

#[tokio::test(start_paused = true)]
async fn the_model_that_failed_is_not_asked_again() {
    let config = FallbackConfig::to(vec![model("a/one", &[]), model("b/two", &[])]);
    check(&play(config, vec![fails("timeout"), ends()]).await, &["a/one", "b/two"], "answer of 2");
}

#[tokio::test(start_paused = true)]
async fn no_model_is_asked_after_a_piece_was_released_or_a_link_holds_it() {
    let pieces = vec![v1::ModelDelta { text: "ha".into(), ..v1::ModelDelta::default() }];
    let replies = || vec![Reply::Streams(pieces.clone(), Box::new(fails("network"))), ends()];
    let streamed = |before: Option<Link>| {
        let mut played = Played { streaming: Streaming::Yes, ..played(config(), replies()) };
        played.links = before.into_iter().chain(played.links).collect();
        played.play()
    };
    check(&streamed(None).await, &["a/one"], "network/");
    let outer = Link::new("outer", "test", Arc::new(HoldsBack));
    check(&streamed(Some(outer)).await, &["a/one"], "network/");
}

#[tokio::test(start_paused = true)]
async fn a_tripwire_is_no_failure() {
    check(&play(config(), vec![Reply::Trips]).await, &["a/one"], "tripped: nested");
}

#[tokio::test(start_paused = true)]
async fn the_log_names_the_models_and_why_they_failed() {
    let came = play(config(), vec![fails("timeout"), ends()]).await;
    let failures = json!([{ "model": "a/one", "type": "timeout", "code": "" }]);
    assert_eq!(came.log(), [json!({ "answered": "b/two", "failures": failures })]);
    let came = play(config(), vec![fails("timeout")]).await;
    assert_eq!(came.log()[0]["answered"], json!(null));
    assert!(play(config(), vec![ends()]).await.log().is_empty());
}
