//! A link's own work is bounded; the time of the call is not.

use super::{
    acted::{Acted, Does},
    played::{Reply, Scene},
};
use crate::{
    engine::{
        Context, Link, Next, OnFault,
        tests::scripted::{Cause, Gate},
    },
    hooks::{HookId, HookSet, Wrap, WrapModelCall, WrapToolCall},
    middleware::{Middleware, Wrapped},
    runs::StateError,
};
use async_trait::async_trait;
use parking_lot::Mutex;
use sidehook_proto::v1;
use std::{sync::Arc, time::Duration};
use tokio::{sync::oneshot, time::sleep};

const S: Duration = Duration::from_secs(1);

fn slow(seconds: u32) -> Reply {
    Reply::After(S * seconds, Box::new(Reply::Ends("real")))
}

/// Runs a link that works for so many seconds before, between and after two
/// calls of a minute each, within `limit` seconds, and compares the outcome.
async fn check(works: [u32; 3], limit: Option<u32>, outcome: &str) {
    let scene = Scene::of([Does::Works(works.map(|seconds| S * seconds))]).replies([slow(60)]);
    let scene = scene.with(0, |link| link.timeout = limit.map(|seconds| S * seconds));
    let played = scene.play::<WrapModelCall>().await;
    assert_eq!(played.outcome, outcome, "{works:?} within {limit:?}");
}

const TIMED_OUT: &str = "failed by a: timeout/middleware_timeout retryable";

#[tokio::test(start_paused = true)]
async fn the_time_of_the_call_does_not_count() {
    check([0, 0, 0], None, "2 as it came").await;
    check([0, 0, 0], Some(1), "2 as it came").await;
}

#[tokio::test(start_paused = true)]
async fn work_before_between_and_after_calls_counts_each_on_its_own() {
    check([4, 4, 4], None, "2 as it came").await;
    check([6, 0, 0], None, TIMED_OUT).await;
    check([0, 6, 0], None, TIMED_OUT).await;
    check([0, 0, 6], None, TIMED_OUT).await;
}

#[tokio::test(start_paused = true)]
async fn a_links_own_timeout_counts_and_zero_disables_it() {
    check([0, 2, 0], Some(1), TIMED_OUT).await;
    check([0, 9, 0], Some(10), "2 as it came").await;
    check([3600, 3600, 3600], Some(0), "2 as it came").await;
}

#[tokio::test(start_paused = true)]
async fn the_work_of_a_link_inside_counts_for_itself_only() {
    let scene = Scene::of([Does::Passes, Does::Works([S * 4, S * 4, S * 4])]);
    let played = scene.with(0, |link| link.timeout = Some(S)).play::<Wrap>().await;
    played.check("next 1, next 2", "2 as it came");
}

#[tokio::test(start_paused = true)]
async fn a_link_that_times_out_after_the_call_keeps_the_result_of_a_logical_call() {
    let scene = Scene::of([Does::Works([Duration::ZERO, Duration::ZERO, S * 6])]);
    scene.play::<Wrap>().await.check("next 1, next 2", "2 as it came");
}

#[tokio::test(start_paused = true)]
async fn enabled_is_bounded_like_the_links_work() {
    for (limit, seconds) in [(None, 5), (Some(S * 2), 2)] {
        let hangs = Gate::Faults(Cause::TimesOut);
        let acted = Acted { gate: Some(hangs), ..Acted::new("a", Does::Passes) };
        let scene = Scene::acted([acted]).with(0, |link| link.timeout = limit);
        let played = scene.play::<WrapToolCall>().await;
        assert_eq!(played.took.as_secs(), seconds);
    }
}

/// Hangs, and leaves a task behind that writes after it timed out, while the
/// call goes on without it.
#[derive(Debug)]
struct LeavesATask(Mutex<Option<oneshot::Sender<Result<(), StateError>>>>);

#[async_trait]
impl Middleware for LeavesATask {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::WrapModelCall])
    }

    async fn wrap_model_call(
        &self,
        context: &Context<'_>,
        _: Arc<v1::ModelCall>,
        _: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        let (state, wrote) = (context.state(), self.0.lock().take().unwrap());
        tokio::spawn(async move {
            sleep(S * 7).await;
            wrote.send(state.set("late", 1.into()).await).unwrap();
        });
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_write_of_a_link_that_timed_out_is_discarded_while_the_call_goes_on() {
    let (wrote, result) = oneshot::channel();
    let link = Link::new("a", "test", Arc::new(LeavesATask(Mutex::new(Some(wrote)))));
    let mut scene = Scene::of([]).replies([slow(10)]);
    scene.links.push(link);
    let scene = scene.with(0, |link| link.on_fault.every = Some(OnFault::Skip));
    let played = scene.play::<WrapModelCall>().await;
    assert_eq!((&*played.outcome, played.took.as_secs()), ("1 as it came", 15));
    assert_eq!(result.await.unwrap(), Err(StateError::CallOver));
}
