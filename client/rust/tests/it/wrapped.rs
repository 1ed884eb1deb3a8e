//! Wrapped calls: who makes the real call, and what comes of it.

use crate::support::{Call, Model, Sidecar, model_call, next, refused, text};
use sidehook_client::{
    CallFailure, Client, Code, Deltas, HookError, OnUnreachable, Origin,
    v1::{
        CallError, ChatResponse, Effects, Failure, HookContext, ModelDelta, Relay, RunPlan,
        StartRunAnswer, StartRunResponse, Tripwire, WrapModelCallNext, call_failed::Cause,
        wrap_model_call_finished::Outcome,
    },
};
use std::{cell::RefCell, future::pending, time::Duration};
use tokio::sync::mpsc;

fn proceeding(sidecar: &Sidecar) -> Client {
    sidecar.client_with(Client::builder().on_unreachable(OnUnreachable::Proceed))
}

fn rate_limited() -> CallFailure {
    CallError { r#type: "rate_limited".into(), retryable: true, ..CallError::default() }.into()
}

#[tokio::test]
async fn the_real_call_is_made_as_opened_and_its_response_comes_back_as_it_came() {
    let sidecar = Sidecar::on_tcp(|call: Call| async move {
        let mut model = Model::open(call).await;
        assert!(!model.open.streaming && !model.call.has_deadline());
        assert!(!model.open.context.as_ref().unwrap().run_id.is_empty());
        model.keep_alive();
        model.next(next(1, Relay::Direct));
        assert_eq!(model.end().await.response, Some(text("hi from a")));
        model.finish_as_came(1).await;
    })
    .await;
    let make = |call: sidehook_client::v1::ModelCall| async move {
        Ok(text(&format!("hi from {}", call.model)))
    };
    let wrapped = sidecar.run().wrap_model_call(model_call("a"), make).await.unwrap();
    assert_eq!(wrapped.output, text("hi from a"));
    assert_eq!((wrapped.origin, wrapped.answered_by.invocation), (Origin::Sidecar, 1));
}

#[tokio::test]
async fn a_link_may_change_the_call_and_the_response() {
    let sidecar = Sidecar::new(|call: Call| async move {
        let mut model = Model::open(call).await;
        let call = Some(model_call("b"));
        model.next(WrapModelCallNext { call, ..next(1, Relay::Direct) });
        assert_eq!(model.end().await.response, Some(text("b")));
        model.finish_with(text("masked")).await;
    });
    let make = |call: sidehook_client::v1::ModelCall| async move { Ok(text(&call.model)) };
    let wrapped = sidecar.run().wrap_model_call(model_call("a"), make).await.unwrap();
    assert_eq!(wrapped.output, text("masked"));
}

#[tokio::test]
async fn a_link_may_answer_without_a_real_call() {
    let sidecar = Sidecar::new(|call: Call| async {
        Model::open(call).await.finish_with(text("cached")).await;
    });
    let make = |_| async { panic!("no real call was asked for") };
    let wrapped = sidecar.run().wrap_model_call(model_call("a"), make).await.unwrap();
    assert_eq!(wrapped.output, text("cached"));
}

#[tokio::test]
async fn a_response_that_nobody_looks_at_is_not_sent_but_kept() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(WrapModelCallNext { answer_needed: false, ..next(1, Relay::Direct) });
        assert_eq!(model.end().await.response, None);
        model.finish_as_came(1).await;
    });
    let make = |_| async { Ok(text("kept")) };
    let wrapped = sidecar.run().wrap_model_call(model_call("a"), make).await.unwrap();
    assert_eq!(wrapped.output, text("kept"));
}

#[tokio::test]
async fn the_client_half_closes_after_finished_and_reads_to_the_end() {
    let (told, mut ended) = mpsc::unbounded_channel();
    let sidecar = Sidecar::new(move |call: Call| {
        let told = told.clone();
        async move {
            // `finish` reads on until the half-close; a reset would be an error there.
            Model::open(call).await.finish_with(text("x")).await;
            told.send(()).unwrap();
        }
    });
    let make = |_| async { Ok(ChatResponse::default()) };
    let _ = sidecar.run().wrap_model_call(model_call("a"), make).await.unwrap();
    ended.try_recv().expect("the sidecar saw the half-close before the caller got its answer");
}

#[tokio::test]
async fn a_failed_real_call_keeps_its_type_and_may_be_retried() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Direct));
        let Some(Cause::Error(error)) = model.failed().await.cause else { panic!("an error") };
        assert_eq!(error.r#type, "rate_limited");
        model.next(next(2, Relay::Direct));
        model.end().await;
        model.finish_as_came(2).await;
    });
    let attempts = RefCell::new(0);
    let make = |_| {
        *attempts.borrow_mut() += 1;
        let attempt = *attempts.borrow();
        async move { if attempt == 1 { Err(rate_limited()) } else { Ok(text("second")) } }
    };
    let wrapped = sidecar.run().wrap_model_call(model_call("a"), make).await.unwrap();
    assert_eq!(wrapped.output, text("second"));
}

#[tokio::test]
async fn a_failure_of_the_chain_is_typed() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Direct));
        model.failed().await;
        let failure = Failure { r#type: "rate_limited".into(), ..Failure::default() };
        model.finish(Outcome::Failure(failure), 0).await;
    });
    let make = |_| async { Err(rate_limited()) };
    let error = sidecar.run().wrap_model_call(model_call("a"), make).await.unwrap_err();
    assert_eq!(error.failure().unwrap().r#type, "rate_limited");
}

#[tokio::test]
async fn a_nested_tripwire_passes_outward_and_no_real_call_follows() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Direct));
        let Some(Cause::Tripwire(tripwire)) = model.failed().await.cause else {
            panic!("a tripwire")
        };
        model.next(next(2, Relay::Direct));
        assert_eq!(model.failed().await.cause, Some(Cause::Tripwire(tripwire.clone())));
        model.finish(Outcome::Tripwire(tripwire), 0).await;
    });
    let run = sidecar.run();
    let calls = RefCell::new(0);
    let make = |_| {
        *calls.borrow_mut() += 1;
        async {
            let tripwire = Tripwire { reason: "nested".into(), ..Tripwire::default() };
            Err(CallFailure::from(tripwire))
        }
    };
    let error = run.wrap_model_call(model_call("a"), make).await.unwrap_err();
    assert_eq!(error.tripwire().unwrap().reason, "nested");
    assert_eq!(*calls.borrow(), 1);

    let make = |_| async { panic!("no model is called in a run that has tripped") };
    let error = run.wrap_model_call(model_call("a"), make).await.unwrap_err();
    assert!(matches!(error, HookError::Tripped { .. }));
}

#[tokio::test]
async fn a_wrapped_call_that_is_not_in_the_plan_is_made_as_it_is() {
    let sidecar = Sidecar::new(|call: Call| async move {
        assert_eq!(call.rpc(), "StartRun");
        let plan = Some(RunPlan::default());
        let answer = StartRunAnswer { plan, ..StartRunAnswer::default() };
        call.answer::<StartRunResponse>(answer, Effects::default());
    });
    let (run, _) = sidecar.client().start_run(HookContext::default()).await.unwrap();
    let wrapped =
        run.wrap_model_call(model_call("a"), |_| async { Ok(text("own")) }).await.unwrap();
    assert_eq!((wrapped.origin, wrapped.output), (Origin::Skipped, text("own")));
    let error = run.wrap_model_call(model_call("a"), |_| async { Err(rate_limited()) }).await;
    assert_eq!(error.unwrap_err().failure().unwrap().r#type, "rate_limited");
}

#[tokio::test]
async fn without_a_sidecar_the_real_call_is_made_only_if_asked_to() {
    let nobody = "unix:///nonexistent/sidehook.sock";
    let run = Client::connect(nobody).unwrap().run(HookContext::default());
    let make = |_| async { panic!("there is no sidecar to ask for it") };
    let error = run.wrap_model_call(model_call("a"), make).await.unwrap_err();
    assert!(error.no_answer().unwrap().is_unreachable());

    let proceed = Client::builder().on_unreachable(OnUnreachable::Proceed);
    let run = proceed.connect(nobody).unwrap().run(HookContext::default());
    let wrapped =
        run.wrap_model_call(model_call("a"), |_| async { Ok(text("own")) }).await.unwrap();
    assert_eq!((wrapped.origin, wrapped.output), (Origin::Unreachable, text("own")));
}

#[tokio::test]
async fn a_real_call_that_was_made_before_the_connection_broke_is_not_made_again() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Direct));
        model.end().await;
        model.call.break_connection();
        model.call.gone().await;
    });
    let calls = RefCell::new(0);
    let make = |_| {
        *calls.borrow_mut() += 1;
        async { Ok(text("once")) }
    };
    let run = proceeding(&sidecar).run(HookContext::default());
    let wrapped = run.wrap_model_call(model_call("a"), make).await.unwrap();
    assert_eq!((wrapped.origin, wrapped.output), (Origin::Unreachable, text("once")));
    assert_eq!(*calls.borrow(), 1);

    let error = sidecar.run().wrap_model_call(model_call("a"), |_| async { Ok(text("x")) }).await;
    assert!(error.unwrap_err().no_answer().unwrap().is_unreachable());
}

#[tokio::test]
async fn a_stream_that_ends_without_finished_is_no_answer_even_when_proceeding() {
    let sidecar = Sidecar::new(|call: Call| async {
        drop(Model::open(call).await);
    });
    let run = proceeding(&sidecar).run(HookContext::default());
    let make = |_| async { panic!("no real call was asked for") };
    let error = run.wrap_model_call(model_call("a"), make).await.unwrap_err();
    assert!(error.no_answer().unwrap().is_protocol_violation());
}

#[tokio::test]
async fn frames_that_make_no_sense_are_no_answer() {
    let sidecar = Sidecar::new(|call: Call| async {
        let model = Model::open(call).await;
        match model.open.call.as_ref().unwrap().model.as_str() {
            "no relay" => model.next(next(1, Relay::Unspecified)),
            "twice" => {
                model.next(next(1, Relay::Held));
                model.next(next(1, Relay::Held));
            }
            _ => return model.finish_as_came(7).await,
        }
        model.call.gone().await;
    });
    for what in ["no relay", "twice", "an unknown invocation"] {
        let make = |_| pending::<Result<ChatResponse, CallFailure>>();
        let error = sidecar.run().wrap_model_call(model_call(what), make).await.unwrap_err();
        assert!(error.no_answer().unwrap().is_protocol_violation(), "{what}: {error:?}");
    }
}

#[tokio::test]
async fn a_deadline_bounds_the_whole_call() {
    let sidecar = Sidecar::new(|call: Call| async {
        let model = Model::open(call).await;
        assert!(model.call.has_deadline());
        model.call.gone().await;
    });
    let run = sidecar.run().with_deadline(Duration::from_millis(20));
    let make = |_| async { panic!("no real call was asked for") };
    let error = run.wrap_model_call(model_call("a"), make).await.unwrap_err();
    assert!(error.no_answer().unwrap().is_deadline_exceeded());
}

#[tokio::test]
async fn dropping_a_wrapped_call_cancels_it_and_its_real_calls() {
    let (told, mut gone) = mpsc::unbounded_channel();
    let sidecar = Sidecar::new(move |call: Call| {
        let told = told.clone();
        async move {
            let model = Model::open(call).await;
            model.next(next(1, Relay::Direct));
            model.call.gone().await;
            told.send(()).unwrap();
        }
    });
    let (started, mut starts) = mpsc::unbounded_channel();
    let run = sidecar.run();
    {
        let make = |_| {
            started.send(()).unwrap();
            pending()
        };
        let call = run.wrap_model_call(model_call("a"), make);
        tokio::select! {
            _ = call => panic!("the real call never ends"),
            _ = starts.recv() => {}
        }
    }
    gone.recv().await.expect("the sidecar saw it");
}

#[tokio::test]
async fn a_response_that_is_too_large_for_the_chain_is_never_let_through() {
    let sidecar = Sidecar::new(|call: Call| async {
        let model = Model::open(call).await;
        model.next(next(1, Relay::Direct));
        model.call.gone().await;
    });
    let proceed = Client::builder().on_unreachable(OnUnreachable::Proceed);
    let client = sidecar.client_with(proceed.max_message_bytes(1000));
    let make = |_| async { Ok(text(&"x".repeat(2000))) };
    let run = client.run(HookContext::default());
    let error = run.wrap_model_call(model_call("a"), make).await.unwrap_err();
    let error = error.no_answer().unwrap();
    assert!(!error.is_unreachable() && error.to_string().contains("at most 1000"), "{error:?}");
}

#[tokio::test]
async fn a_refusal_of_sidehook_is_heard_while_the_client_still_sends() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        model.next(next(1, Relay::Relayed));
        model.frame().await;
        model.call.refuse(refused(Code::Unavailable, "DRAINING"));
    });
    let make = |_, mut deltas: Deltas<ModelDelta>| async move {
        loop {
            deltas.put_text("on and on").await;
            tokio::task::yield_now().await;
        }
    };
    let run = proceeding(&sidecar).run(HookContext::default());
    let error = run.wrap_model_call_streaming(model_call("a"), make, |_| {}).await.unwrap_err();
    let error = error.no_answer().unwrap();
    assert_eq!((error.reason(), error.is_unreachable()), (Some("DRAINING"), false));
}
