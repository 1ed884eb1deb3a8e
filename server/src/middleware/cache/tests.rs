//! What is answered from memory, what is joined, and what is never kept.

use super::{Cache, CacheConfig, CacheScope};
use crate::{
    config::{ByteSize, Duration as Written},
    engine::{Context, Fault, Link, Mode, Next, OnFault, Streaming},
    hooks::{HookId, HookSet, Wrap, WrapModelCall},
    middleware::{
        Middleware, Wrapped,
        played::{Came, Framed, Played, Reply},
    },
};
use async_trait::async_trait;
use futures::future::join_all;
use proptest::prelude::*;
use sidehook_proto::{Outcome, v1};
use std::{sync::Arc, time::Duration};

const S: Duration = Duration::from_secs(1);

fn cache(config: CacheConfig) -> Arc<Cache> {
    Arc::new(Cache::new(config))
}

fn link(cache: &Arc<Cache>) -> Link {
    let mut link = Link::new("cache", "cache", Arc::clone(cache) as _);
    link.timeout = Some(Duration::ZERO);
    link
}

fn response(text: &str) -> v1::ChatResponse {
    let content = Some(v1::chat_response::Content::Text(text.into()));
    v1::ChatResponse { content, ..v1::ChatResponse::default() }
}

fn ends(text: &str) -> Reply<WrapModelCall> {
    Reply::Ends(response(text))
}

fn fails<W: Framed>() -> Reply<W> {
    Reply::Fails(v1::CallError { r#type: "timeout".into(), ..v1::CallError::default() })
}

fn after<W: Framed>(time: Duration, reply: Reply<W>) -> Reply<W> {
    Reply::After(time, Box::new(reply))
}

fn ask(text: &str) -> v1::ModelCall {
    let content = Some(v1::message::Content::Text(text.into()));
    let messages = vec![v1::Message { content, ..v1::Message::default() }];
    let request = Some(v1::ChatRequest { messages, ..v1::ChatRequest::default() });
    v1::ModelCall { model: "a/one".into(), request }
}

fn played(cache: &Arc<Cache>, reply: Reply<WrapModelCall>) -> Played<WrapModelCall> {
    Played { call: ask("hi"), ..Played::of([link(cache)], [reply]) }
}

/// What the call answers, or how it fails, and whether a real call was made.
fn said(came: &Came<WrapModelCall>) -> (String, bool) {
    let text = match &came.ran.outcome {
        Outcome::Answer(answer) => match &answer.response {
            Some(response) => format!("{:?}", response.content.as_ref().unwrap()),
            None => "as it came".into(),
        },
        _ => came.outcome(),
    };
    (text, !came.calls.is_empty())
}

/// Plays a call whose real call would answer `text`, and returns what it answers if it is answered
/// from memory.
async fn hit(cache: &Arc<Cache>, text: &str) -> Option<String> {
    let (text, real) = said(&played(cache, ends(text)).play().await);
    (!real).then_some(text)
}

#[tokio::test(start_paused = true)]
async fn an_equal_call_is_answered_without_a_real_one() {
    let cache = cache(CacheConfig::default());
    assert_eq!(hit(&cache, "one").await, None);
    assert_eq!(hit(&cache, "two").await.as_deref(), Some("Text(\"one\")"));
    let came = played(&cache, ends("two")).play().await;
    assert_eq!((came.ran.by.invocation, &*came.ran.by.middleware), (0, "cache"));
    let other = Played { call: ask("ho"), ..played(&cache, ends("two")) };
    assert_eq!(said(&other.play().await), ("as it came".into(), true));
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_kept_for_its_time() {
    let cache = cache(CacheConfig { ttl: Written::seconds(10), ..CacheConfig::default() });
    hit(&cache, "one").await;
    tokio::time::sleep(S * 9).await;
    assert!(hit(&cache, "two").await.is_some());
    tokio::time::sleep(S).await;
    assert!(hit(&cache, "two").await.is_none());
}

#[tokio::test(start_paused = true)]
async fn answers_are_shared_within_the_scope_and_not_beyond() {
    let run = |agent: &str, name: &str, user: &str| v1::HookContext {
        agent_id: agent.into(),
        agent_name: name.into(),
        user_id: user.into(),
        ..v1::HookContext::default()
    };
    let first = run("a", "x", "u");
    // Whether the second run is answered from memory, by the scope agent, user and global.
    for (first, second, shared) in [
        (&first, run("a", "y", "v"), [true, false, true]),
        (&first, run("b", "x", "u"), [false, true, true]),
        (&run("", "x", ""), run("", "x", ""), [true, false, true]),
        (&run("", "x", ""), run("x", "", ""), [false, false, true]),
        (&run("", "", ""), run("", "", ""), [true, false, true]),
    ] {
        for (scope, shared) in
            [CacheScope::Agent, CacheScope::User, CacheScope::Global].into_iter().zip(shared)
        {
            let cache = cache(CacheConfig { scope, ..CacheConfig::default() });
            let play = |context: &v1::HookContext| {
                Played { context: context.clone(), ..played(&cache, ends("one")) }.play()
            };
            play(first).await;
            let came = play(&second).await;
            assert_eq!(came.calls.is_empty(), shared, "{scope:?} {second:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn answers_that_call_tools_are_kept_only_when_asked_for() {
    for (tool_calls, kept) in [(false, false), (true, true)] {
        let cache = cache(CacheConfig { tool_calls, ..CacheConfig::default() });
        let calls =
            v1::ChatResponse { tool_calls: vec![v1::ToolCall::default()], ..response("one") };
        played(&cache, Reply::Ends(calls)).play().await;
        assert_eq!(hit(&cache, "two").await.is_some(), kept);
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_too_large_is_given_and_not_kept() {
    let max_entry_size = ByteSize::from_bytes(400);
    let cache = cache(CacheConfig { max_entry_size, ..CacheConfig::default() });
    assert_eq!(hit(&cache, &"x".repeat(500)).await, None);
    assert_eq!(hit(&cache, "small").await, None);
    assert_eq!(hit(&cache, "other").await.as_deref(), Some("Text(\"small\")"));
}

#[tokio::test(start_paused = true)]
async fn failures_and_tripwires_are_not_kept() {
    for reply in [fails(), Reply::Trips] {
        let cache = cache(CacheConfig::default());
        played(&cache, reply).play().await;
        assert_eq!(hit(&cache, "one").await, None);
        assert!(hit(&cache, "two").await.is_some());
    }
}

/// Does something beside its answer.
#[derive(Debug, Clone, Copy)]
enum Does {
    Stops,
    AddsContext,
    Logs,
    Fails,
}

#[async_trait]
impl Middleware for Does {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::WrapModelCall])
    }

    async fn wrap_model_call(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        match self {
            Self::Stops => context.stop("enough"),
            Self::AddsContext => context.add_context("more"),
            Self::Logs => context.log_event("note", &1.into()),
            Self::Fails => return Err(Fault::threw("broken").into()),
        }
        next.run(call).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_came_to_more_than_its_answer_is_not_kept() {
    for (does, kept) in
        [(Does::Stops, false), (Does::AddsContext, false), (Does::Fails, false), (Does::Logs, true)]
    {
        let cache = cache(CacheConfig::default());
        let mut played = played(&cache, ends("one"));
        let mut inner = Link::new("inner", "test", Arc::new(does));
        inner.on_fault.every = Some(OnFault::Skip);
        played.links.push(inner);
        assert_eq!(said(&played.play().await).0, "as it came");
        assert_eq!(hit(&cache, "two").await.is_some(), kept, "{does:?}");
    }
}

/// Plays 64 equal calls at the same time, and returns how many real calls there were.
async fn crowd(cache: &Arc<Cache>, reply: &Reply<WrapModelCall>) -> (usize, Vec<String>) {
    let calls = join_all((0..64).map(|_| played(cache, reply.clone()).play())).await;
    assert!(cache.is_idle());
    let texts = calls.iter().map(|came| said(came).0).collect();
    (calls.iter().map(|came| came.calls.len()).sum(), texts)
}

#[tokio::test(start_paused = true)]
async fn of_equal_calls_at_the_same_time_one_is_made_and_all_get_its_answer() {
    let cache = cache(CacheConfig::default());
    let (real, mut texts) = crowd(&cache, &after(S, ends("one"))).await;
    texts.sort_unstable();
    texts.dedup();
    assert_eq!((real, texts), (1, vec!["Text(\"one\")".to_owned(), "as it came".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn when_the_call_fails_those_that_waited_make_their_own() {
    let cache = cache(CacheConfig::default());
    let (real, texts) = crowd(&cache, &after(S, fails())).await;
    assert_eq!((real, texts), (64, vec!["timeout/".to_owned(); 64]));
    let (real, _) = crowd(&cache, &after(S, Reply::Trips)).await;
    assert_eq!(real, 64);
}

#[tokio::test(start_paused = true)]
async fn without_join_every_call_is_made() {
    let cache = cache(CacheConfig { join: false, ..CacheConfig::default() });
    assert_eq!(crowd(&cache, &after(S, ends("one"))).await.0, 64);
    assert_eq!(crowd(&cache, &after(S, ends("two"))).await.0, 0);
}

#[tokio::test(start_paused = true)]
async fn when_the_caller_of_the_call_goes_away_one_of_those_that_waited_makes_it() {
    let cache = cache(CacheConfig::default());
    let leaves = tokio::time::timeout(S, played(&cache, after(S * 9, ends("one"))).play());
    let stay = join_all((0..64).map(|_| played(&cache, after(S, ends("two"))).play()));
    let (left, stayed) = tokio::join!(leaves, stay);
    assert!(left.is_err());
    assert_eq!(stayed.iter().map(|came| came.calls.len()).sum::<usize>(), 1);
    assert!(stayed.iter().all(|came| came.took == S * 2));
    assert!(cache.is_idle());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waited_for_too_long_is_made() {
    let cache = cache(CacheConfig { join_timeout: Written::seconds(2), ..CacheConfig::default() });
    let slow = played(&cache, after(S * 9, ends("one"))).play();
    let (slow, other) = tokio::join!(slow, played(&cache, ends("two")).play());
    assert_eq!((slow.took, other.took), (S * 9, S * 2));
    assert_eq!(said(&other), ("as it came".into(), true));
}

#[tokio::test(start_paused = true)]
async fn in_audit_mode_every_call_is_made_and_none_waits() {
    let cache = cache(CacheConfig::default());
    for _ in 0..2 {
        let calls = join_all((0..8).map(|_| {
            let mut played = played(&cache, after(S, ends("one")));
            played.links[0].mode = Mode::Audit;
            played.play()
        }));
        for came in calls.await {
            assert_eq!((said(&came), came.took), (("as it came".into(), true), S));
        }
    }
}

fn result(value: &str) -> v1::CallResult {
    let meta = Some(v1::CallMeta { provider: "p".into(), ..v1::CallMeta::default() });
    v1::CallResult { value_json: value.into(), meta }
}

#[tokio::test(start_paused = true)]
async fn at_wrap_a_hit_has_no_meta_and_a_joined_call_has() {
    let cache = cache(CacheConfig::default());
    let play = || {
        let reply = after(S, Reply::Ends(result("\"one\"")));
        Played::<Wrap>::of([link(&cache)], [reply]).play()
    };
    let metas = |came: &Came<Wrap>| match &came.ran.outcome {
        Outcome::Answer(answer) => {
            (came.calls.len(), answer.value_json.clone(), answer.meta.is_some())
        }
        other => panic!("{other:?}"),
    };
    let value = Some("\"one\"".to_owned());
    let (miss, joined) = tokio::join!(play(), play());
    assert_eq!(metas(&miss), (1, None, false), "as it came");
    assert_eq!(metas(&joined), (0, value.clone(), true));
    assert_eq!(metas(&play().await), (0, value, false));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_not_streamed_is_streamed_as_a_whole() {
    let cache = cache(CacheConfig::default());
    hit(&cache, "one").await;
    let streamed = Played { streaming: Streaming::Yes, ..played(&cache, ends("two")) };
    let came = streamed.play().await;
    assert_eq!(came.shown, [v1::ModelDelta { text: "one".into(), ..v1::ModelDelta::default() }]);
    let held = Played { streaming: Streaming::Held, ..played(&cache, ends("two")) };
    assert!(held.play().await.shown.is_empty());
}

fn deltas() -> impl Strategy<Value = Vec<v1::ModelDelta>> {
    let delta = ("[a-zä🙂]{0,4}", "[a-z]{0,2}", prop_oneof![Just(""), Just("{\"a\":1}")]);
    let delta = delta.prop_map(|(text, reasoning, extra)| v1::ModelDelta {
        text,
        reasoning,
        extra_json: extra.into(),
        ..v1::ModelDelta::default()
    });
    proptest::collection::vec(delta, 1..6)
}

fn responses() -> impl Strategy<Value = v1::ChatResponse> {
    let fields = (".{0,9}", any::<[i64; 3]>(), ".{0,3}", 0..3_u8);
    fields.prop_map(|(text, [input, output, cached], extra_json, kind)| {
        use v1::{chat_response::Content, content_part::Kind};
        let part = v1::ContentPart { kind: Some(Kind::Text(text.clone())), ..Default::default() };
        v1::ChatResponse {
            id: extra_json.clone(),
            content: match kind {
                0 => None,
                1 => Some(Content::Text(text)),
                _ => Some(Content::Parts(v1::ContentParts { parts: vec![part] })),
            },
            usage: Some(v1::Usage {
                input_token_count: input,
                output_token_count: output,
                cached_token_count: cached,
                extra_json: extra_json.clone(),
            }),
            extra_json,
            ..v1::ChatResponse::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_hit_equals_what_the_miss_gave(
        response in responses(),
        pieces in deltas(),
        streaming in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (miss, hit) = runtime.block_on(async {
            let cache = cache(CacheConfig::default());
            let streaming = if streaming { Streaming::Yes } else { Streaming::No };
            let end = Box::new(Reply::Ends(response.clone()));
            let reply = if streaming == Streaming::Yes { Reply::Streams(pieces, end) } else { *end };
            let play = || Played { streaming, ..played(&cache, reply.clone()) }.play();
            (play().await, play().await)
        });
        prop_assert_eq!((miss.calls.len(), hit.calls.len()), (1, 0));
        let Outcome::Answer(answer) = hit.ran.outcome else { panic!() };
        prop_assert_eq!(answer.response, Some(response));
        prop_assert_eq!(hit.shown, miss.shown);
    }
}
