use super::*;
use crate::runs::{MemoryStore, StateBounds};

const MINUTE: Duration = Duration::from_secs(60);

fn runs(max_runs: usize) -> Runs<()> {
    let bounds = Bounds { idle_ttl: 30 * MINUTE, max_age: 24 * 60 * MINUTE, max_runs };
    let store = MemoryStore::new(StateBounds { value_bytes: 1024, run_bytes: 4096 });
    Runs::new(bounds, Arc::new(store), |_| ())
}

fn open(runs: &Runs<()>, id: &str) -> Result<Arc<Run<()>>, Refused> {
    runs.admit(id, Admission::Open, || ())
}

#[tokio::test(start_paused = true)]
async fn an_ended_run_is_refused_until_it_is_resumed() {
    let runs = runs(10);
    open(&runs, "a").unwrap();
    assert!(runs.end("a", Ending::Ended).is_some());
    assert!(runs.end("a", Ending::Ended).is_none());
    assert_eq!(open(&runs, "a").unwrap_err(), Refused::Over(Ending::Ended));
    runs.admit("a", Admission::Reopen, || ()).unwrap();
    open(&runs, "a").unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_idle_run_is_evicted_and_one_in_use_is_not() {
    let runs = runs(10);
    open(&runs, "idle").unwrap();
    open(&runs, "busy").unwrap();
    tokio::time::advance(20 * MINUTE).await;
    open(&runs, "busy").unwrap();
    tokio::time::advance(15 * MINUTE).await;
    runs.sweep();
    assert_eq!(runs.page("", 9).iter().map(|run| run.id()).collect::<Vec<_>>(), ["busy"]);
    assert_eq!(open(&runs, "idle").unwrap_err(), Refused::Over(Ending::Evicted));
    assert!(open(&runs, "busy").is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_too_old_is_evicted_although_it_is_in_use() {
    let runs = runs(10);
    open(&runs, "a").unwrap();
    for _ in 0..24 * 3 {
        tokio::time::advance(20 * MINUTE).await;
        runs.sweep();
    }
    assert_eq!(open(&runs, "a").unwrap_err(), Refused::Over(Ending::Evicted));
}

#[tokio::test(start_paused = true)]
async fn when_there_are_too_many_the_one_idle_for_longest_goes() {
    let runs = runs(3);
    for id in ["a", "b", "c"] {
        open(&runs, id).unwrap();
        tokio::time::advance(MINUTE).await;
    }
    open(&runs, "a").unwrap();
    tokio::time::advance(MINUTE).await;
    open(&runs, "d").unwrap();
    assert_eq!(runs.page("", 9).iter().map(|run| run.id()).collect::<Vec<_>>(), ["a", "c", "d"]);
}

#[tokio::test(start_paused = true)]
async fn a_new_run_is_not_the_one_that_goes_when_all_are_in_use() {
    let runs = runs(2);
    for id in ["a", "b", "b", "a", "c"] {
        tokio::time::advance(MINUTE).await;
        open(&runs, id).unwrap();
    }
    assert_eq!(runs.page("", 9).iter().map(|run| run.id()).collect::<Vec<_>>(), ["a", "c"]);
}

#[tokio::test(start_paused = true)]
async fn a_million_runs_without_an_end_stay_within_the_bound() {
    let runs = runs(1000);
    for number in 0..1_000_000 {
        open(&runs, &format!("run-{number}")).unwrap();
    }
    assert_eq!(runs.len(), 1000);
    assert!(runs.queue.lock().runs.len() <= 1000 + 1);
    runs.endings.run_pending_tasks();
    assert!(runs.endings.entry_count() <= 1000);
}

#[tokio::test(start_paused = true)]
async fn runs_that_end_leave_nothing_in_the_queue() {
    let runs = runs(100_000);
    for number in 0..100_000 {
        let id = format!("run-{number}");
        open(&runs, &id).unwrap();
        runs.end(&id, Ending::Ended);
    }
    assert!(runs.is_empty());
    assert!(runs.queue.lock().runs.len() <= 2 * 1024);
}

#[tokio::test(start_paused = true)]
async fn while_new_runs_are_refused_known_ones_go_on() {
    let runs = runs(10);
    open(&runs, "a").unwrap();
    assert!(runs.admit("a", Admission::Known, || ()).is_ok());
    assert_eq!(runs.admit("b", Admission::Known, || ()).unwrap_err(), Refused::New);
}

#[tokio::test(start_paused = true)]
async fn whoever_closes_state_is_told_of_every_eviction() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let bounds = Bounds { idle_ttl: MINUTE, max_age: 2 * MINUTE, max_runs: 2 };
    let store = MemoryStore::new(StateBounds { value_bytes: 64, run_bytes: 64 });
    let seen = Arc::clone(&told);
    let runs = Runs::new(bounds, Arc::new(store), move |run: Arc<Run<()>>| {
        seen.lock().push(run.id.clone());
    });
    for id in ["crowded-out", "old", "idle"] {
        open(&runs, id).unwrap();
        tokio::time::advance(Duration::from_secs(30)).await;
        open(&runs, "old").ok();
    }
    tokio::time::advance(MINUTE).await;
    open(&runs, "old").unwrap_err();
    runs.sweep();
    told.lock().sort();
    assert_eq!(
        told.lock().iter().map(|id| &**id).collect::<Vec<_>>(),
        ["crowded-out", "idle", "old"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_run_that_has_ended_keeps_nothing_of_what_it_had_pinned() {
    let bounds = Bounds { idle_ttl: MINUTE, max_age: MINUTE, max_runs: 10 };
    let store = MemoryStore::new(StateBounds { value_bytes: 1024, run_bytes: 4096 });
    let runs: Runs<Arc<()>> = Runs::new(bounds, Arc::new(store), |_| ());
    let pinned = Arc::new(());
    runs.admit("a", Admission::Open, || Arc::clone(&pinned)).unwrap();
    assert_eq!(Arc::strong_count(&pinned), 2);
    drop(runs.end("a", Ending::Ended));
    assert_eq!(Arc::strong_count(&pinned), 1);
}
