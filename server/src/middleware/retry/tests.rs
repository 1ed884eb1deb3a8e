//! What is tried again, when, and what never is.

use super::{Jitter, Random, RetriedCall, Retry, RetryConfig};
use crate::{
    config::Duration as Written,
    engine::{Context, Link, Mode, Next, Streaming, WrapError},
    hooks::{HookId, HookSet, Wrap, WrapModelCall, WrapToolCall},
    middleware::{
        Failures, Middleware, Wrapped,
        played::{Came, Framed, HoldsBack, Played, Reply},
    },
};
use async_trait::async_trait;
use serde_json::json;
use sidehook_proto::v1;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

const S: Duration = Duration::from_secs(1);

fn config() -> RetryConfig {
    let calls = vec![RetriedCall::Model, RetriedCall::Tool, RetriedCall::Wrap];
    RetryConfig { calls, jitter: Jitter::None, ..RetryConfig::default() }
}

fn link(config: &RetryConfig) -> Link {
    let retry = Retry::with_random(config, Random::of(|| 0.5)).unwrap();
    let mut link = Link::new("retry", "retry", Arc::new(retry));
    link.timeout = Some(Duration::ZERO);
    link
}

fn error(class: &str) -> v1::CallError {
    v1::CallError { r#type: class.into(), retryable: true, ..v1::CallError::default() }
}

fn fails<W: Framed>(class: &str) -> Reply<W> {
    Reply::Fails(error(class))
}

fn ends<W: Framed>() -> Reply<W> {
    Reply::Ends(W::Result::default())
}

fn piece(text: &str) -> v1::ModelDelta {
    v1::ModelDelta { text: text.into(), ..v1::ModelDelta::default() }
}

/// Plays a model call whose real calls end as `replies` say.
async fn play(config: &RetryConfig, replies: Vec<Reply<WrapModelCall>>) -> Came<WrapModelCall> {
    Played::of([link(config)], replies).play().await
}

/// Checks how many real calls there are, what comes of it and how many seconds it takes.
#[track_caller]
fn check<W: Framed>(came: &Came<W>, calls: usize, outcome: &str, seconds: f64) {
    let is = (came.calls.len(), &*came.outcome(), came.took.as_secs_f64());
    assert_eq!(is, (calls, outcome, seconds));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_failed_is_made_again_after_growing_delays() {
    let replies = || vec![fails("timeout"), fails("network"), ends()];
    check(&play(&config(), replies()).await, 3, "answer of 3", 3.0);
    let full = RetryConfig { jitter: Jitter::Full, ..config() };
    check(&play(&full, replies()).await, 3, "answer of 3", 1.5);
    check(&play(&config(), vec![ends()]).await, 1, "answer of 1", 0.0);
}

#[tokio::test(start_paused = true)]
async fn after_the_last_attempt_the_last_failure_is_the_one_that_is_reported() {
    let replies = vec![fails("timeout"), fails("network"), fails("unavailable"), ends()];
    check(&play(&config(), replies.clone()).await, 3, "unavailable/", 3.0);
    let once = RetryConfig { attempts: 1, ..config() };
    check(&play(&once, replies).await, 1, "timeout/", 0.0);
}

#[tokio::test(start_paused = true)]
async fn tool_calls_and_logical_calls_are_made_again_like_model_calls() {
    let came = Played::<WrapToolCall>::of([link(&config())], [fails("timeout"), ends()]).play();
    check(&came.await, 2, "answer of 2", 1.0);
    let came = Played::<Wrap>::of([link(&config())], [fails("timeout"), ends()]).play();
    check(&came.await, 2, "answer of 2", 1.0);
}

#[test]
fn it_stands_only_around_the_calls_that_are_named() {
    let hooks =
        |calls| Retry::new(&RetryConfig { calls, ..RetryConfig::default() }).unwrap().hooks();
    assert_eq!(RetryConfig::default().calls, [RetriedCall::Model]);
    assert_eq!(hooks(vec![RetriedCall::Model]), HookSet::of(&[HookId::WrapModelCall]));
    let both = HookSet::of(&[HookId::WrapToolCall, HookId::Wrap]);
    assert_eq!(hooks(vec![RetriedCall::Tool, RetriedCall::Wrap]), both);
}

#[tokio::test(start_paused = true)]
async fn only_the_tools_that_are_named_are_called_again() {
    let config = RetryConfig { tools: Some(vec!["get_*".into()]), ..config() };
    for (name, calls) in [("get_order", 3), ("refund", 1)] {
        let tool_call = Some(v1::ToolCall { name: name.into(), ..v1::ToolCall::default() });
        let call = v1::ToolInvocation { tool_call, ..v1::ToolInvocation::default() };
        let played = Played::<WrapToolCall>::of([link(&config)], [fails("timeout")]);
        let came = Played { call, ..played }.play().await;
        assert_eq!(came.calls.len(), calls, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn only_failures_that_are_listed_are_tried_again() {
    let lasting = Reply::Fails(v1::CallError {
        r#type: "auth".into(),
        code: "KEY".into(),
        ..v1::CallError::default()
    });
    let listed = |errors: &[&str], except: &[&str]| {
        let failures = |names: &[&str]| Failures::of(names.iter().copied());
        RetryConfig { errors: failures(errors), except: failures(except), ..config() }
    };
    for (config, reply, calls) in [
        (config(), lasting.clone(), 1),
        (listed(&["auth"], &[]), lasting.clone(), 3),
        (listed(&["KEY"], &[]), lasting, 3),
        (listed(&["retryable"], &["timeout"]), fails("timeout"), 1),
        (listed(&["rate_limited"], &[]), fails("timeout"), 1),
        (listed(&[], &[]), fails("timeout"), 1),
    ] {
        let shown = format!("{config:?} {reply:?}");
        assert_eq!(play(&config, vec![reply]).await.calls.len(), calls, "{shown}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_provider_asks_to_wait_is_waited_and_too_long_a_wait_is_none() {
    let asks = |seconds| {
        Reply::Fails(v1::CallError { retry_after_seconds: seconds, ..error("rate_limited") })
    };
    check(&play(&config(), vec![asks(30.0), ends()]).await, 2, "answer of 2", 30.0);
    check(&play(&config(), vec![asks(0.1), ends()]).await, 2, "answer of 2", 1.0);
    let came = play(&config(), vec![asks(61.0), ends()]).await;
    check(&came, 1, "rate_limited/", 0.0);
    assert_eq!(came.log()[0]["gave_up"], "retry_after");
}

#[tokio::test(start_paused = true)]
async fn a_delay_that_the_caller_would_not_wait_for_is_not_begun() {
    for (within, calls, seconds) in [(S * 4, 3, 3.0), (S * 3, 2, 1.0), (S, 1, 0.0)] {
        let played = Played::of([link(&config())], vec![fails("timeout")]);
        let came = Played { within: Some(within), ..played }.play().await;
        check::<WrapModelCall>(&came, calls, "timeout/", seconds);
    }
}

/// Plays a streamed model call that breaks off after `pieces` and then succeeds.
async fn broken(links: Vec<Link>, pieces: &[&str], streaming: Streaming) -> Came<WrapModelCall> {
    let broken =
        Reply::Streams(pieces.iter().map(|text| piece(text)).collect(), Box::new(fails("network")));
    let whole = Reply::Streams(vec![piece("whole")], Box::new(ends()));
    let replies =
        if streaming == Streaming::Yes { [broken, whole] } else { [fails("network"), ends()] };
    Played { streaming, ..Played::of(links, replies) }.play().await
}

#[tokio::test(start_paused = true)]
async fn nothing_is_tried_again_after_a_piece_was_released() {
    let came = broken(vec![link(&config())], &["ha"], Streaming::Yes).await;
    check(&came, 1, "network/", 0.0);
    assert_eq!((came.shown, came.ran.effects.log_events.len()), (vec![piece("ha")], 1));
    let came = broken(vec![link(&config())], &[], Streaming::Yes).await;
    check(&came, 2, "answer of 2", 1.0);
    assert_eq!(came.shown, [piece("whole")]);
}

#[tokio::test(start_paused = true)]
async fn a_piece_that_a_link_further_out_holds_back_counts_as_released() {
    let outer = || Link::new("outer", "test", Arc::new(HoldsBack));
    let came = broken(vec![outer(), link(&config())], &["ha"], Streaming::Yes).await;
    check(&came, 1, "network/", 0.0);
    let came = broken(vec![link(&config()), outer()], &["ha"], Streaming::Yes).await;
    check(&came, 2, "answer of 2", 1.0);
    assert_eq!(came.shown, [piece("whole")]);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_held_until_the_end_may_break_off() {
    check(&broken(vec![link(&config())], &[], Streaming::Held).await, 2, "answer of 2", 1.0);
}

/// Fails in a way of its own, having done something else.
#[derive(Debug)]
struct Inner(Does, AtomicUsize);

#[derive(Debug, Clone, Copy)]
enum Does {
    Trips,
    StopsTheRun,
}

#[async_trait]
impl Middleware for Inner {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::WrapModelCall])
    }

    async fn wrap_model_call(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        self.1.fetch_add(1, Ordering::Relaxed);
        match self.0 {
            Does::Trips => return Err(WrapError::trip("no further")),
            Does::StopsTheRun => context.stop("enough"),
        }
        next.run(call).await
    }
}

#[tokio::test(start_paused = true)]
async fn decisions_are_never_tried_again() {
    for (does, calls, outcome) in
        [(Does::Trips, 0, "tripped: no further"), (Does::StopsTheRun, 1, "timeout/")]
    {
        let inner = Arc::new(Inner(does, AtomicUsize::new(0)));
        let links = [link(&config()), Link::new("inner", "test", Arc::clone(&inner) as _)];
        let came = Played::<WrapModelCall>::of(links, [fails("timeout")]).play().await;
        check(&came, calls, outcome, 0.0);
        assert_eq!(inner.1.load(Ordering::Relaxed), 1, "{does:?}");
    }
    let came = play(&config(), vec![Reply::Trips]).await;
    check(&came, 1, "tripped: nested", 0.0);
    assert!(came.log().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_says_it_failed_has_answered() {
    let failed = v1::ToolResult { error: Some("no".into()), ..v1::ToolResult::default() };
    let played = Played::<WrapToolCall>::of([link(&config())], [Reply::Ends(failed)]);
    check(&played.play().await, 1, "answer of 1", 0.0);
}

#[tokio::test(start_paused = true)]
async fn the_log_says_what_each_attempt_came_to() {
    let limited = Reply::Fails(v1::CallError {
        code: "E429".into(),
        message: "secret".into(),
        retry_after_seconds: 5.0,
        ..error("rate_limited")
    });
    let came = play(&config(), vec![limited, fails("timeout"), ends()]).await;
    let failures = json!([
        {"type": "rate_limited", "code": "E429", "retry_after_seconds": 5.0, "delay_seconds": 5.0},
        {"type": "timeout", "code": "", "delay_seconds": 2.0},
    ]);
    let note = json!({
        "hook": "wrap_model_call", "attempts": 3, "succeeded": true, "failures": failures,
    });
    assert_eq!(came.log(), [note]);
    let came = play(&config(), vec![fails("timeout")]).await;
    let note = &came.log()[0];
    assert_eq!((&note["attempts"], &note["gave_up"]), (&json!(3), &json!("attempts")));
    assert!(play(&config(), vec![ends()]).await.log().is_empty());
}

#[tokio::test(start_paused = true)]
async fn in_audit_mode_nothing_is_repeated_and_nobody_waits() {
    let mut audited = link(&config());
    audited.mode = Mode::Audit;
    let came = Played::<WrapModelCall>::of([audited], [fails("timeout")]).play().await;
    check(&came, 1, "timeout/", 0.0);
}

#[tokio::test(start_paused = true)]
async fn parallel_calls_have_attempts_of_their_own() {
    let retry = Arc::new(Retry::with_random(&config(), Random::of(|| 0.5)).unwrap());
    let calls = (0..64).map(|_| {
        let mut link = Link::new("retry", "retry", Arc::clone(&retry) as _);
        link.timeout = Some(Duration::ZERO);
        Played::<WrapModelCall>::of([link], [fails("timeout"), ends()]).play()
    });
    for came in futures::future::join_all(calls).await {
        check(&came, 2, "answer of 2", 1.0);
    }
}

#[test]
fn a_tool_that_is_no_glob_is_named_by_its_place() {
    let tools = Some(vec!["fine".into(), "[".into()]);
    let (index, problem) = Retry::new(&RetryConfig { tools, ..config() }).unwrap_err();
    assert_eq!((index, problem.starts_with("is not a glob: ")), (1, true), "{problem}");
    assert_eq!(config().first_delay, Written::seconds(1));
}
