//! Who works on what: a desk with a script and no thread of its own, so that what
//! happens to an event shows whose turn it was.

use super::super::{
    clock::Clock,
    desk::Desk,
    event::{Call, Caller, Event, Said, Target},
    inbox::Next,
    open::Shared,
    realm::{Realm, Recipe},
};
use crate::{
    engine::{self, Context, Variables},
    hooks::HookId,
    middleware::script::{limits::ScriptLimits, source::Program},
    runs::{MemoryStore, StateBounds, StateStore},
};
use std::{
    collections::BTreeSet,
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use tokio::{runtime::Handle, sync::oneshot};

/// A desk with a script that is loaded. The turn is still the thread's.
fn desk(code: &str, limits: ScriptLimits) -> Arc<Desk> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("script.js");
    fs::write(&file, code).unwrap();
    let program = Program::load(&file, folder.path(), folder.path(), &mut BTreeSet::new()).unwrap();
    let desk = Desk::new(Recipe { name: "script".into(), program: program.into(), limits });
    let clock = Clock::new(limits.time, &desk.signs);
    let realm = Realm::open(&desk.recipe, &Arc::new(Shared::new(clock, limits.output))).unwrap();
    realm.load(&desk.recipe).unwrap();
    *desk.realm.lock() = Some(realm);
    Arc::new(desk)
}

/// Waits as the script's thread does for what it has to do.
fn next(desk: &Arc<Desk>) -> thread::JoinHandle<Next> {
    let desk = Arc::clone(desk);
    thread::spawn(move || desk.inbox.next(None))
}

/// As [`next`], once the turn was given away.
fn rest(desk: &Arc<Desk>) -> thread::JoinHandle<Next> {
    let next = next(desk);
    while !desk.inbox.is_free() {
        thread::yield_now();
    }
    next
}

/// A call of `beforeRun`, and what comes of it.
fn call(id: u64) -> (Event, oneshot::Receiver<Said>, Arc<AtomicBool>) {
    let store = MemoryStore::new(StateBounds { value_bytes: 1 << 20, run_bytes: 1 << 20 });
    let call = engine::Call {
        hook: HookId::BeforeRun,
        context: sidehook_proto::v1::HookContext::default(),
        state: store.open("run"),
        deadline: None,
        variables: Variables::default(),
    };
    let cancelled = Arc::new(AtomicBool::new(false));
    let (caller, said) = oneshot::channel();
    let call = Call {
        id,
        index: 0,
        target: Target::Hook(HookId::BeforeRun),
        text: format!(r#"{{"event":{{"input":"{id}"}},"context":{{}}}}"#),
        marked: false,
        has_effects: true,
        state: Context::new(&call, "script").state(),
        runtime: Handle::current(),
        cancelled: Arc::clone(&cancelled),
        caller: Caller::Unary(caller),
    };
    (Event::Call(Box::new(call)), said, cancelled)
}

const ECHO: &str = "export default { beforeRun: ({ input }) => ({ context: input }) };";

async fn answer(said: oneshot::Receiver<Said>) -> String {
    said.await.unwrap().answer.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_works_on_its_event_when_nobody_else_works_on_the_script() {
    let desk = desk(ECHO, ScriptLimits::default());
    let thread = rest(&desk);
    for id in 0..20 {
        let (event, said, _) = call(id);
        desk.tell(event).unwrap();
        assert_eq!(answer(said).await, format!(r#"A{{"context":"{id}"}}"#));
        // The turn is given back before the caller is told.
        assert!(desk.inbox.is_free());
    }
    desk.leave();
    assert!(matches!(thread.join().unwrap(), Next::End));
}

#[tokio::test]
async fn a_runtime_without_workers_leaves_events_to_the_thread() {
    let desk = desk(ECHO, ScriptLimits::default());
    let thread = rest(&desk);
    let (event, _said, _) = call(1);
    desk.tell(event).unwrap();
    assert!(matches!(thread.join().unwrap(), Next::Event(Event::Call(call)) if call.id == 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_needs_more_stack_than_a_worker_has_is_left_to_the_thread() {
    let limits = ScriptLimits { stack: 8 << 20, ..ScriptLimits::default() };
    let desk = desk(ECHO, limits);
    let thread = rest(&desk);
    let (event, _said, _) = call(1);
    desk.tell(event).unwrap();
    assert!(matches!(thread.join().unwrap(), Next::Event(Event::Call(call)) if call.id == 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_while_a_caller_works_is_the_threads_in_the_order_in_which_it_came() {
    let desk = desk(ECHO, ScriptLimits::default());
    let thread = rest(&desk);
    let (first, said, _) = call(1);
    let (second, _waits, _) = call(2);
    // Nobody can work on the first before the second is there.
    {
        let _realm = desk.realm.lock();
        desk.tell(first).unwrap();
        desk.tell(second).unwrap();
        desk.tell(Event::Cancelled(2)).unwrap();
    }
    assert_eq!(answer(said).await, r#"A{"context":"1"}"#);
    assert!(matches!(thread.join().unwrap(), Next::Event(Event::Call(call)) if call.id == 2));
    assert!(matches!(desk.inbox.next(None), Next::Event(Event::Cancelled(2))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_timer_that_a_caller_sets_wakes_the_thread() {
    let desk = desk(
        "export default { beforeRun: () => new Promise((done) => setTimeout(() => done({ context: 'late' }), 1)) };",
        ScriptLimits::default(),
    );
    let thread = rest(&desk);
    let (event, said, _) = call(1);
    desk.tell(event).unwrap();
    assert!(matches!(thread.join().unwrap(), Next::Timers));
    desk.realm.lock().as_ref().unwrap().fire().unwrap();
    assert_eq!(answer(said).await, r#"A{"context":"late"}"#);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_goes_away_ends_what_it_works_on_and_leaves_the_reserve() {
    let limits = ScriptLimits {
        time: Duration::from_secs(3600),
        memory: 8 << 20,
        ..ScriptLimits::default()
    };
    let desk = desk(
        "export default { beforeRun() {
           const all = [];
           const fill = () => { for (;;) all.push({}); };
           for (;;) try { for (;;) try { fill(); } catch {} } catch {}
         } };",
        limits,
    );
    // The thread sleeps, and gets no turn as long as the script goes on.
    let thread = rest(&desk);
    for id in 0..3 {
        let (event, said, cancelled) = call(id);
        desk.tell(event).unwrap();
        while !desk.signs.is_stuck(Duration::ZERO) {
            tokio::task::yield_now().await;
        }
        cancelled.store(true, Ordering::Relaxed);
        let fault = said.await.unwrap().answer.unwrap_err().to_failure("").message;
        assert!(fault.contains("timed out"), "{fault}");
        while !desk.inbox.is_free() {
            assert!(!thread.is_finished());
            tokio::task::yield_now().await;
        }
    }
    desk.leave();
    assert!(matches!(thread.join().unwrap(), Next::End));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_breaks_while_a_caller_works_is_the_threads_to_start_anew() {
    let limits = ScriptLimits { time: Duration::from_millis(50), ..ScriptLimits::default() };
    let code = "export default { beforeRun: async () => { for (;;) await null; } };";
    let desk = desk(code, limits);
    let thread = rest(&desk);
    let (event, said, _) = call(1);
    desk.tell(event).unwrap();
    let fault = said.await.unwrap().answer.unwrap_err();
    assert!(fault.to_failure("").message.contains("was started anew"), "{fault:?}");
    assert!(matches!(thread.join().unwrap(), Next::Broken("never came to rest")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_is_never_used_is_the_threads() {
    let desk = desk(ECHO, ScriptLimits::default());
    let thread = rest(&desk);
    let (event, _said, _) = call(1);
    assert!(desk.inbox.put(event, true).unwrap());
    drop(super::Inline::new(Arc::clone(&desk)));
    assert!(matches!(thread.join().unwrap(), Next::Event(Event::Call(call)) if call.id == 1));
}
