//! A script's own thread: it loads the script, works on the events that no caller
//! works on, and starts the script anew when something is wrong with it.

use super::{
    clock::Clock,
    desk::{Desk, anew},
    event::{Event, Said},
    inbox::Next,
    open::Shared,
    realm::{LoadError, Realm},
};
use crate::{engine::Fault, middleware::script::found::Found};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering, mpsc::Sender},
    time::Instant,
};

/// What a script's thread tells the one that started it.
pub(crate) type Loaded = Result<Vec<Found>, LoadError>;

/// Runs a script until nobody holds it any more. Tells through `loaded` what it
/// found, or why the script does not load.
pub(crate) fn run(desk: &Desk, mut loaded: Option<Sender<Loaded>>) {
    // Whatever ends the thread: nobody shall wait for it.
    let _closing = Closing(desk);
    loop {
        let clock = Clock::new(desk.recipe.limits.time, &desk.signs);
        let shared = Arc::new(Shared::new(clock, desk.recipe.limits.output));
        // A panic would leave every later call without an answer.
        let life = AssertUnwindSafe(|| life(desk, &shared, &mut loaded));
        let ended = catch_unwind(life).unwrap_or(Ended::Broken("panicked"));
        if let Ended::Broken(why) = ended {
            // Before the runtime goes, which may take a while.
            shared.fail_all(&anew(why));
        }
        let realm = desk.realm.lock().take();
        drop(realm);
        match ended {
            Ended::Unused | Ended::NotLoaded => return,
            Ended::Broken(why) => {
                if loaded.is_some() || desk.signs.unused.load(Ordering::Relaxed) {
                    return;
                }
                let middleware = &*desk.recipe.name;
                tracing::warn!(middleware, "the script is started anew: it {why}");
            }
        }
    }
}

struct Closing<'a>(&'a Desk);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.inbox.close();
    }
}

/// Why a runtime has come to its end.
#[derive(Clone, Copy)]
enum Ended {
    /// Nobody holds the script any more.
    Unused,
    /// It did not load.
    NotLoaded,
    /// It is in a state that nobody should go on with.
    Broken(&'static str),
}

/// One runtime, from its start to its end.
fn life(desk: &Desk, shared: &Arc<Shared>, loaded: &mut Option<Sender<Loaded>>) -> Ended {
    let opened = Realm::open(&desk.recipe, shared)
        .and_then(|realm| realm.load(&desk.recipe).map(|found| (realm, found)));
    match opened {
        Ok((realm, found)) => {
            *desk.realm.lock() = Some(realm);
            if let Some(loaded) = loaded.take() {
                let _gone = loaded.send(Ok(found));
            }
        }
        Err(error) => return refuse(desk, loaded, error),
    }
    let mut due = None;
    loop {
        let event = match desk.inbox.next(due) {
            Next::Event(event) => Some(event),
            Next::Timers => None,
            Next::Broken(why) => return Ended::Broken(why),
            Next::End => return Ended::Unused,
        };
        match step(desk, event) {
            Ok(next) => due = next,
            Err(why) => return Ended::Broken(why),
        }
    }
}

/// Hands an event to the script, and fires the timers that are due, so that
/// neither makes the other wait for ever. Returns when the next timer is due.
fn step(desk: &Desk, event: Option<Event>) -> Result<Option<Instant>, &'static str> {
    let realm = desk.realm.lock();
    let Some(realm) = &*realm else { return Err("lost its runtime") };
    if let Some(event) = event {
        realm.handle(event)?;
    }
    realm.fire()?;
    Ok(realm.due())
}

/// Says that the script does not load. One that loaded before fails the next call
/// and tries again.
fn refuse(desk: &Desk, loaded: &mut Option<Sender<Loaded>>, error: LoadError) -> Ended {
    if let Some(loaded) = loaded.take() {
        let _gone = loaded.send(Err(error));
        return Ended::NotLoaded;
    }
    tracing::error!(?error, "a script that was started anew does not load");
    loop {
        match desk.inbox.next(None) {
            Next::Event(Event::Call(call)) => {
                let fault = Fault::unreachable("broke, and could not be started anew");
                let effects = sidehook_proto::v1::Effects::default();
                call.caller.answer(Said { answer: Err(fault), effects });
                return Ended::Broken("did not load");
            }
            Next::Event(_) | Next::Timers | Next::Broken(_) => {}
            Next::End => return Ended::Unused,
        }
    }
}
