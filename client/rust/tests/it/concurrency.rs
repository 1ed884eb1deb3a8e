//! Several real calls at once, and several wrapped calls at once.

use crate::support::{Call, Model, Sidecar, model_call, next, text};
use sidehook_client::v1::{ModelCall, Relay, WrapModelCallNext};
use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::sync::Barrier;

/// Asks for the models `a` and `b` at the same time; `b` wins.
async fn hedge(call: Call) {
    let mut model = Model::open(call).await;
    for (invocation, name) in [(1, "a"), (2, "b")] {
        let call = Some(model_call(name));
        model.next(WrapModelCallNext { call, ..next(invocation, Relay::Direct) });
    }
    let first = model.end().await;
    assert_eq!((first.invocation, first.response), (2, Some(text("b"))));
    model.finish_as_came(2).await;
}

#[tokio::test]
async fn the_loser_of_a_hedge_is_dropped() {
    struct Dropped(Arc<AtomicUsize>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    let sidecar = Sidecar::new(hedge);
    let dropped = Arc::new(AtomicUsize::new(0));
    let make = |call: ModelCall| {
        let guard = Dropped(Arc::clone(&dropped));
        async move {
            if call.model == "a" {
                pending::<()>().await;
            }
            drop(guard);
            Ok(text(&call.model))
        }
    };
    let wrapped = sidecar.run().wrap_model_call(model_call("x"), make).await.unwrap();
    assert_eq!(wrapped.output, text("b"));
    assert_eq!(dropped.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn invocations_run_at_the_same_time() {
    let sidecar = Sidecar::new(|call: Call| async {
        let mut model = Model::open(call).await;
        for invocation in 1..=3 {
            model.next(next(invocation, Relay::Direct));
        }
        for _ in 1..=3 {
            model.end().await;
        }
        model.finish_as_came(3).await;
    });
    let together = Barrier::new(3);
    let make = |_| async {
        together.wait().await;
        Ok(text("together"))
    };
    let wrapped = sidecar.run().wrap_model_call(model_call("x"), make).await.unwrap();
    assert_eq!(wrapped.output, text("together"));
}

#[tokio::test]
async fn a_response_that_is_needed_is_waited_for_after_finished() {
    let sidecar = Sidecar::new(|call: Call| async {
        let model = Model::open(call).await;
        model.next(WrapModelCallNext { answer_needed: false, ..next(1, Relay::Direct) });
        model.finish_as_came(1).await;
    });
    let make = |_| async {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        Ok(text("late"))
    };
    let wrapped = sidecar.run().wrap_model_call(model_call("x"), make).await.unwrap();
    assert_eq!(wrapped.output, text("late"));
}

#[tokio::test(flavor = "multi_thread")]
async fn wrapped_calls_of_one_run_share_a_connection_and_nothing_else() {
    let sidecar = Sidecar::new(hedge);
    let run = sidecar.run();
    let calls = (0..200).map(|_| {
        let run = run.clone();
        // Spawned, so a wrapped call must be `Send`.
        tokio::spawn(async move {
            let make = |call: ModelCall| async move {
                if call.model == "a" {
                    pending::<()>().await;
                }
                Ok(text(&call.model))
            };
            run.wrap_model_call(model_call("x"), make).await.unwrap().output
        })
    });
    for call in calls.collect::<Vec<_>>() {
        assert_eq!(call.await.unwrap(), text("b"));
    }
}
