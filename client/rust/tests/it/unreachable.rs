//! A sidecar that is not there, and one that is but says no.

use crate::support::{Call, Sidecar, refused};
use sidehook_client::{
    Client, ClientBuilder, Decision, OnUnreachable, Origin,
    v1::{
        AfterRunRequest, BeforeRunRequest, BeforeRunResponse, Failure, HookContext,
        UserMessageInboundRequest, UserMessageInboundResponse, Veto,
    },
};
use sidehook_proto::Outcome;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::mpsc;
use tonic::{Code, Status};

const NOBODY: &str = "unix:///nonexistent/sidehook.sock";

fn proceeding() -> ClientBuilder {
    Client::builder().on_unreachable(OnUnreachable::Proceed)
}

fn request() -> BeforeRunRequest {
    BeforeRunRequest::default()
}

#[tokio::test]
async fn without_a_sidecar_a_run_fails_by_default() {
    let client = Client::connect(NOBODY).unwrap();
    let error = client.start_run(HookContext::default()).await.unwrap_err();
    assert!(error.no_answer().unwrap().is_unreachable());
    let error = client.run(HookContext::default()).before_run(request()).await.unwrap_err();
    assert!(error.no_answer().unwrap().is_unreachable());
    assert_eq!(error.no_answer().unwrap().code(), Some(Code::Unavailable));
}

#[tokio::test]
async fn without_a_sidecar_a_run_proceeds_if_asked_to() {
    let client = proceeding().connect(NOBODY).unwrap();
    let (run, started) = client.start_run(HookContext::default()).await.unwrap();
    assert_eq!(started.origin, Origin::Unreachable);
    assert_eq!(run.before_run(request()).await.unwrap().origin, Origin::Unreachable);
    let decision = run.user_message_inbound(UserMessageInboundRequest::default()).await.unwrap();
    assert!(matches!(decision, Decision::Proceed(reply) if reply.origin == Origin::Unreachable));
    let reply = run.after_run(AfterRunRequest::default()).await.unwrap();
    assert_eq!(reply.origin, Origin::Unreachable);
}

#[tokio::test]
async fn a_sidecar_that_dies_is_unreachable() {
    let sidecar = Sidecar::new(|call: Call| async move { call.no_opinion() });
    let run = sidecar.client().run(HookContext::default());
    assert_eq!(run.before_run(request()).await.unwrap().origin, Origin::Sidecar);
    drop(sidecar);
    let error = run.before_run(request()).await.unwrap_err();
    assert!(error.no_answer().unwrap().is_unreachable(), "{error:?}");
}

#[tokio::test]
async fn proceeding_is_never_applied_to_a_decision() {
    let sidecar = Sidecar::new(|call: Call| async move {
        match call.rpc() {
            "UserMessageInbound" => {
                call.decide::<UserMessageInboundResponse>(Outcome::Veto(Veto::default()));
            }
            // Even one that reads like an outage.
            _ => call.decide::<BeforeRunResponse>(Outcome::Failure(Failure {
                r#type: "unavailable".into(),
                retryable: true,
                ..Failure::default()
            })),
        }
    });
    let run = sidecar.client_with(proceeding()).run(HookContext::default());
    let decision = run.user_message_inbound(UserMessageInboundRequest::default()).await.unwrap();
    assert!(matches!(decision, Decision::Vetoed { .. }));
    assert!(run.before_run(request()).await.unwrap_err().failure().is_some());
}

#[tokio::test]
async fn proceeding_is_never_applied_to_what_sidehook_refuses() {
    let refusals = [
        (Code::Unavailable, "DRAINING"),
        (Code::FailedPrecondition, "RUN_EVICTED"),
        (Code::ResourceExhausted, "OVERLOADED"),
        (Code::InvalidArgument, "INVALID_FIELD"),
    ];
    for (code, reason) in refusals {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let sidecar = Sidecar::new(move |call: Call| {
            counted.fetch_add(1, Ordering::Relaxed);
            async move { call.refuse(refused(code, reason)) }
        });
        let client = sidecar.client_with(proceeding());
        let error = client.run(HookContext::default()).before_run(request()).await.unwrap_err();
        let error = error.no_answer().unwrap();
        assert!(!error.is_unreachable());
        assert_eq!((error.code(), error.reason()), (Some(code), Some(reason)));
        assert_eq!(count.load(Ordering::Relaxed), 1, "a refusal is not repeated");
    }
}

#[tokio::test]
async fn a_call_whose_connection_broke_is_repeated_once_with_the_same_id() {
    let ids = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&ids);
    let sidecar = Sidecar::new(move |mut call: Call| {
        let seen = Arc::clone(&seen);
        async move {
            let id = call.context().await.hook_call_id;
            let first = {
                let mut seen = seen.lock().unwrap();
                seen.push(id);
                seen.len() == 1
            };
            if first {
                call.break_connection();
                call.gone().await;
            } else {
                call.no_opinion();
            }
        }
    });
    let reply = sidecar.run().before_run(request()).await.unwrap();
    assert_eq!(reply.origin, Origin::Sidecar);
    let ids = ids.lock().unwrap();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1]);
}

#[tokio::test]
async fn a_connection_that_breaks_twice_is_given_up() {
    let sidecar = Sidecar::new(|call: Call| async move {
        call.break_connection();
        call.gone().await;
    });
    let error = sidecar.run().before_run(request()).await.unwrap_err();
    assert!(error.no_answer().unwrap().is_unreachable(), "{error:?}");
}

#[tokio::test]
async fn a_deadline_that_passes_counts_as_unreachable() {
    let sidecar = Sidecar::new(|call: Call| async move {
        assert!(call.has_deadline());
        call.gone().await;
    });
    let short = Duration::from_millis(20);
    let client = sidecar.client_with(Client::builder().hook_deadline("before_run", short));
    let error = client.run(HookContext::default()).before_run(request()).await.unwrap_err();
    let error = error.no_answer().unwrap();
    assert!(error.is_deadline_exceeded() && error.is_unreachable());

    let run = sidecar.client_with(proceeding()).run(HookContext::default());
    let reply = run.with_deadline(short).before_run(request()).await.unwrap();
    assert_eq!(reply.origin, Origin::Unreachable);
}

#[tokio::test]
async fn any_deadline_is_fine() {
    let sidecar = Sidecar::new(|call: Call| async move { call.no_opinion() });
    let client = sidecar.client_with(Client::builder().deadline(Duration::MAX));
    let reply = client.run(HookContext::default()).before_run(request()).await.unwrap();
    assert_eq!(reply.origin, Origin::Sidecar);
}

#[tokio::test]
async fn what_is_too_large_is_never_let_through() {
    let sidecar = Sidecar::new(|mut call: Call| async move {
        let request: BeforeRunRequest = call.read().await;
        let mut response = BeforeRunResponse::default();
        if request.input.is_empty() {
            let answer =
                sidehook_client::v1::BeforeRunAnswer { added_context: vec!["x".repeat(2000)] };
            response.outcome =
                Some(sidehook_client::v1::before_run_response::Outcome::Answer(answer));
        }
        call.send(&response);
    });
    let client = sidecar.client_with(proceeding().max_message_bytes(1000));
    let run = client.run(HookContext::default());

    let error = run.before_run(request()).await.unwrap_err();
    assert!(!error.no_answer().unwrap().is_unreachable(), "a response: {error:?}");
    let large = BeforeRunRequest { input: "x".repeat(2000), ..request() };
    let error = run.before_run(large).await.unwrap_err();
    assert!(!error.no_answer().unwrap().is_unreachable(), "a request: {error:?}");
}

#[tokio::test]
async fn a_proxy_that_finds_no_sidecar_is_its_absence() {
    let sidecar =
        Sidecar::new(|call: Call| async move { call.refuse(Status::unavailable("no upstream")) });
    let run = sidecar.client_with(proceeding()).run(HookContext::default());
    assert_eq!(run.before_run(request()).await.unwrap().origin, Origin::Unreachable);
}

#[tokio::test]
async fn dropping_a_call_cancels_it() {
    let (told, mut cancelled) = mpsc::unbounded_channel();
    let sidecar = Sidecar::new(move |call: Call| {
        let told = told.clone();
        async move {
            told.send("called").unwrap();
            call.gone().await;
            told.send("gone").unwrap();
        }
    });
    let run = sidecar.run();
    {
        let hook = run.before_run(request());
        tokio::select! {
            _ = hook => panic!("nobody answers"),
            called = cancelled.recv() => assert_eq!(called, Some("called")),
        }
    }
    assert_eq!(cancelled.recv().await, Some("gone"));
}
