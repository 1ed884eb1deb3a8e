//! What the unary hooks give, and what they send.

use crate::support::{Call, Sidecar};
use sidehook_client::{
    Apply, Client, Decision, HookError, Origin,
    v1::{
        AfterModelResponse, AfterRunRequest, BeforeModelAnswer, BeforeModelRequest,
        BeforeModelResponse, BeforeRunRequest, BeforeRunResponse, Effects, Failure, HookContext,
        Message, MessageList, RunPlan, StartRunAnswer, StartRunResponse, Stop, Tripwire,
        UserMessageInboundRequest, UserMessageInboundResponse, Veto,
    },
};
use sidehook_proto::Outcome;
use tokio::sync::mpsc;

/// Starts runs whose plan has `active` only, has no opinion otherwise, and tells which RPCs came.
fn planning(active: &'static [&'static str]) -> (Sidecar, mpsc::UnboundedReceiver<String>) {
    let (called, calls) = mpsc::unbounded_channel();
    let sidecar = Sidecar::new(move |call: Call| {
        called.send(call.rpc().to_owned()).unwrap();
        async move {
            if call.rpc() == "StartRun" {
                let active_hooks = active.iter().map(ToString::to_string).collect();
                let plan = Some(RunPlan { active_hooks, holds_stream: true });
                let answer = StartRunAnswer { plan, added_context: vec!["hello".into()] };
                call.answer::<StartRunResponse>(answer, Effects::default());
            } else {
                call.no_opinion();
            }
        }
    });
    (sidecar, calls)
}

fn called(calls: &mut mpsc::UnboundedReceiver<String>) -> Vec<String> {
    std::iter::from_fn(|| calls.try_recv().ok()).collect()
}

fn inbound() -> UserMessageInboundRequest {
    UserMessageInboundRequest { text: "hi".into(), ..UserMessageInboundRequest::default() }
}

#[tokio::test]
async fn a_hook_that_is_not_in_the_plan_is_not_called() {
    let (sidecar, mut calls) = planning(&["before_run"]);
    let (run, started) = sidecar.client().start_run(HookContext::default()).await.unwrap();
    assert_eq!(started.answer.added_context, ["hello"]);
    assert!(run.holds_stream());

    let reply = run.before_run(BeforeRunRequest::default()).await.unwrap();
    assert_eq!(reply.origin, Origin::Sidecar);
    let reply = run.before_model(BeforeModelRequest::default()).await.unwrap();
    assert_eq!((reply.origin, reply.answer), (Origin::Skipped, BeforeModelAnswer::default()));
    let Decision::Proceed(reply) = run.user_message_inbound(inbound()).await.unwrap() else {
        panic!("nobody refused");
    };
    assert_eq!(reply.origin, Origin::Skipped);
    assert_eq!(called(&mut calls), ["StartRun", "BeforeRun"]);
}

#[tokio::test]
async fn the_end_of_a_run_is_told_whoever_listens() {
    let (sidecar, mut calls) = planning(&[]);
    let (run, _) = sidecar.client().start_run(HookContext::default()).await.unwrap();
    let reply = run.after_run(AfterRunRequest::default()).await.unwrap();
    assert_eq!(reply.origin, Origin::Sidecar);
    assert_eq!(called(&mut calls), ["StartRun", "AfterRun"]);
}

#[tokio::test]
async fn after_a_handoff_the_old_plan_skips_nothing() {
    let (sidecar, mut calls) = planning(&[]);
    let (mut run, _) = sidecar.client().start_run(HookContext::default()).await.unwrap();
    run.set_agent("2", "sales");
    assert!(run.is_active("before_run") && !run.holds_stream());
    let reply = run.before_run(BeforeRunRequest::default()).await.unwrap();
    assert_eq!(reply.origin, Origin::Sidecar);
    assert_eq!(called(&mut calls), ["StartRun", "BeforeRun"]);
}

#[tokio::test]
async fn without_a_plan_every_hook_is_called() {
    let (sidecar, mut calls) = planning(&[]);
    let decision = sidecar.run().user_message_inbound(inbound()).await.unwrap();
    assert!(matches!(decision, Decision::Proceed(_)));
    assert_eq!(called(&mut calls), ["UserMessageInbound"]);
}

#[tokio::test]
async fn the_context_comes_from_the_run_and_each_call_has_its_own_id() {
    let (seen, mut contexts) = mpsc::unbounded_channel();
    let sidecar = Sidecar::on_tcp(move |mut call: Call| {
        let seen = seen.clone();
        async move {
            seen.send(call.context().await).unwrap();
            call.no_opinion();
        }
    })
    .await;
    let context = HookContext { user_id: "ada".into(), ..HookContext::default() };
    let mut run = sidecar.client().run(context);
    run.set_iteration(3);
    run.set_request_id("call-1");

    let mut request = BeforeRunRequest::default();
    let _ = run.before_run(request.clone()).await.unwrap();
    let _ = run.before_run(request.clone()).await.unwrap();
    let own = HookContext { hook_call_id: "mine".into(), ..HookContext::default() };
    request.context = Some(own);
    let _ = run.before_run(request).await.unwrap();

    let first = contexts.recv().await.unwrap();
    let second = contexts.recv().await.unwrap();
    assert_eq!(first.run_id, run.id());
    assert_eq!((first.user_id.as_str(), first.iteration), ("ada", 3));
    assert_eq!(first.request_id, "call-1");
    assert!(!first.hook_call_id.is_empty());
    assert_ne!(first.hook_call_id, second.hook_call_id);
    assert_eq!(
        contexts.recv().await.unwrap(),
        HookContext { hook_call_id: "mine".into(), ..second }
    );
}

#[tokio::test]
async fn absent_means_unchanged_and_effects_come_with_the_answer() {
    let sidecar = Sidecar::new(|call: Call| async move {
        match call.rpc() {
            "BeforeModel" => {
                let messages = Some(MessageList::default());
                let stop = Some(Stop { reason: "done".into(), middleware: "budget".into() });
                let effects = Effects { stop, ..Effects::default() };
                call.answer::<BeforeModelResponse>(BeforeModelAnswer { messages }, effects);
            }
            _ => call.no_opinion(),
        }
    });
    let run = sidecar.run();
    let mut messages = vec![Message::default()];

    let reply = run.before_model(BeforeModelRequest::default()).await.unwrap();
    assert_eq!(reply.effects.stop.unwrap().reason, "done");
    reply.answer.apply_to(&mut messages);
    assert_eq!(messages, []);

    let mut text = "as it was".to_owned();
    let decision = run.user_message_inbound(inbound()).await.unwrap();
    decision.into_result().unwrap().answer.apply_to(&mut text);
    assert_eq!(text, "as it was");
}

#[tokio::test]
async fn a_veto_is_an_answer() {
    let sidecar = Sidecar::new(|call: Call| async move {
        let veto = Veto { reason: "spam".into(), middleware: "spam".into() };
        call.decide::<UserMessageInboundResponse>(Outcome::Veto(veto));
    });
    let decision = sidecar.run().user_message_inbound(inbound()).await.unwrap();
    let Decision::Vetoed { veto, .. } = decision else { panic!("it was refused") };
    assert_eq!(veto.reason, "spam");
}

#[tokio::test]
async fn after_a_tripwire_no_hook_but_the_last_is_called() {
    let (called_rpc, mut calls) = mpsc::unbounded_channel();
    let sidecar = Sidecar::new(move |call: Call| {
        called_rpc.send(call.rpc().to_owned()).unwrap();
        async move {
            let tripwire = Tripwire { reason: "a refund".into(), ..Tripwire::default() };
            match call.rpc() {
                "BeforeRun" => call.decide::<BeforeRunResponse>(Outcome::Tripwire(tripwire)),
                _ => call.no_opinion(),
            }
        }
    });
    let run = sidecar.run();
    let tripped = run.before_run(BeforeRunRequest::default()).await.unwrap_err();
    assert_eq!(tripped.tripwire().unwrap().reason, "a refund");

    let later = run.clone().before_model(BeforeModelRequest::default()).await.unwrap_err();
    assert_eq!(later.tripwire(), tripped.tripwire());
    let _ = run.after_run(AfterRunRequest::default()).await.unwrap();
    assert_eq!(called(&mut calls), ["BeforeRun", "AfterRun"]);
}

#[tokio::test]
async fn a_failure_is_typed_and_ends_only_its_hook() {
    let sidecar = Sidecar::new(|call: Call| async move {
        let failure = Failure { r#type: "timeout".into(), retryable: true, ..Failure::default() };
        call.decide::<AfterModelResponse>(Outcome::Failure(failure));
    });
    let run = sidecar.run();
    for _ in 0..2 {
        let error = run.after_model(sidehook_client::v1::AfterModelRequest::default()).await;
        let error = error.unwrap_err();
        assert_eq!(error.failure().unwrap().r#type, "timeout");
    }
}

#[tokio::test]
async fn a_run_that_trips_at_its_start_is_ended() {
    let (called_rpc, mut calls) = mpsc::unbounded_channel();
    let sidecar = Sidecar::new(move |call: Call| {
        called_rpc.send(call.rpc().to_owned()).unwrap();
        async move {
            match call.rpc() {
                "StartRun" => {
                    call.decide::<StartRunResponse>(Outcome::Tripwire(Tripwire::default()));
                }
                _ => call.no_opinion(),
            }
        }
    });
    let error = sidecar.client().start_run(HookContext::default()).await.unwrap_err();
    assert!(matches!(error, HookError::Tripped { .. }));
    assert_eq!(called(&mut calls), ["StartRun", "AfterRun"]);
}

#[tokio::test]
async fn an_outcome_that_is_not_there_or_not_allowed_is_no_answer() {
    let sidecar = Sidecar::new(|call: Call| async move {
        match call.rpc() {
            "BeforeRun" => call.send(&BeforeRunResponse::default()),
            // A veto where the hook has none is an unknown field to it.
            _ => call.decide::<UserMessageInboundResponse>(Outcome::Veto(Veto::default())),
        }
    });
    let run = sidecar.run();
    let error = run.before_run(BeforeRunRequest::default()).await.unwrap_err();
    assert!(error.no_answer().unwrap().is_protocol_violation());
    let error = run.before_model(BeforeModelRequest::default()).await.unwrap_err();
    assert!(error.no_answer().unwrap().is_protocol_violation());
}

#[tokio::test]
async fn addresses_and_names_are_checked_at_once() {
    for wrong in ["127.0.0.1:50051", "https://sidecar", "http://side car", ""] {
        assert!(Client::connect(wrong).unwrap_err().to_string().contains(wrong));
    }
    let second = std::time::Duration::from_secs(1);
    let misspelt = Client::builder().hook_deadline("companion_speach", second);
    let error = misspelt.connect("http://127.0.0.1:1").unwrap_err();
    assert_eq!(error.to_string(), "`companion_speach` is not a hook");
}

#[test]
fn a_client_outside_a_runtime_is_an_error_and_no_panic() {
    let error = Client::connect("http://127.0.0.1:1").unwrap_err();
    assert!(error.to_string().contains("Tokio"));
}
