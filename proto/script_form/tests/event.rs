//! Events of an LLM client.

use super::javascript::{made, seen, unchanged};
use crate::{
    ScriptForm,
    v1::{
        CallError, CallEvent, CircuitState, CircuitStateEvent, FallbackEvent, MiddlewareEvent,
        MiddlewareEventHook, RateLimitedEvent, RetryEvent, call_event::Kind,
    },
};
use serde_json::json;

fn event(kind: Kind) -> CallEvent {
    CallEvent { kind: Some(kind), ..CallEvent::default() }
}

fn every_kind() -> [CallEvent; 5] {
    let error = CallError { r#type: "timeout".into(), ..CallError::default() };
    [
        event(Kind::Retry(RetryEvent { attempt: 2, delay_seconds: 0.5, error: Some(error) })),
        event(Kind::RateLimited(RateLimitedEvent {
            provider: "p".into(),
            retry_after_seconds: 3.0,
        })),
        event(Kind::Fallback(FallbackEvent { to_model: "m".into(), ..FallbackEvent::default() })),
        event(Kind::CircuitState(CircuitStateEvent {
            provider: "p".into(),
            state: CircuitState::HalfOpen.into(),
        })),
        event(Kind::Middleware(MiddlewareEvent {
            middleware: "cache".into(),
            hook: MiddlewareEventHook::WrapShortCircuit.into(),
            ..MiddlewareEvent::default()
        })),
    ]
}

#[test]
fn an_event_is_one_flat_object() {
    let [retry, _, _, circuit, _] = every_kind();
    let seen_retry = seen(&CallEvent { details_json: r#"{"a":1}"#.into(), ..retry });
    assert_eq!(seen_retry["kind"], "retry");
    assert_eq!(seen_retry["attempt"], 2);
    assert_eq!(seen_retry["error"]["type"], "timeout");
    assert_eq!(seen_retry["details"], json!({ "a": 1 }));
    assert_eq!(
        seen(&circuit),
        json!({ "kind": "circuit_state", "provider": "p", "state": "half_open" })
    );
}

#[test]
fn every_kind_comes_back() {
    for event in every_kind() {
        assert_eq!(unchanged(&event), Ok(event));
    }
    assert_eq!(unchanged(&CallEvent::default()), Ok(CallEvent::default()));
}

#[test]
fn the_names_are_those_of_all_kinds() {
    let mut of_kinds = vec!["kind", "details"];
    of_kinds.extend(RetryEvent::MEMBERS);
    of_kinds.extend(RateLimitedEvent::MEMBERS);
    of_kinds.extend(FallbackEvent::MEMBERS);
    of_kinds.extend(CircuitStateEvent::MEMBERS);
    of_kinds.extend(MiddlewareEvent::MEMBERS);
    of_kinds.sort_unstable();
    of_kinds.dedup();
    let mut names = CallEvent::MEMBERS.to_vec();
    names.sort_unstable();
    assert_eq!(names, of_kinds);
}

#[test]
fn an_event_of_another_kind_or_with_another_field_is_refused() {
    for (event, expected) in [
        (
            json!({ "kind": "stop" }),
            "kind must be one of 'retry', 'rate_limited', 'fallback', 'circuit_state', \
             'middleware', got 'stop'",
        ),
        (
            json!({ "kind": "rate_limited", "attempt": 1 }),
            "has the unknown field `attempt`; there are provider, retryAfterSeconds",
        ),
    ] {
        assert_eq!(made::<CallEvent>(&event).unwrap_err().to_string(), expected);
    }
}
