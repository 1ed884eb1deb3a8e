//! Where a script's thread and its callers meet.

use super::{
    event::Event,
    inbox::Inbox,
    inline::{self, Inline},
    realm::{Realm, Recipe},
    signs::Signs,
};
use crate::engine::Fault;
use parking_lot::Mutex;
use std::sync::{Arc, atomic::Ordering};

/// What a script's thread and its callers share.
pub(crate) struct Desk {
    pub(super) recipe: Recipe,
    pub(super) inbox: Inbox,
    /// The runtime, for the one whose turn it is. Only the thread makes it, and
    /// only the thread lets it go, which may take a while.
    pub(super) realm: Mutex<Option<Realm>>,
    pub(crate) signs: Arc<Signs>,
}

impl Desk {
    pub(crate) fn new(recipe: Recipe) -> Self {
        let (inbox, realm, signs) = (Inbox::default(), Mutex::default(), Arc::new(Signs::new()));
        Self { recipe, inbox, realm, signs }
    }

    /// Lets the script work on an event: right after the caller has begun to
    /// wait, on the same worker, if nobody else works on the script, and else on
    /// the script's thread.
    pub(crate) fn tell(self: &Arc<Self>, event: Event) -> Result<(), Fault> {
        // Nobody waits for what comes of the end of a call.
        let worker = match event {
            Event::Cancelled(_) => None,
            _ => inline::worker(self.recipe.limits.stack),
        };
        let is_given = self.inbox.put(event, worker.is_some())?;
        if let (Some(worker), true) = (worker, is_given) {
            let turn = Inline::new(Arc::clone(self));
            drop(worker.spawn(async move { turn.work() }));
        }
        Ok(())
    }

    /// Nobody holds the script any more. What still runs, such as a timer's
    /// function, ends too.
    pub(crate) fn leave(&self) {
        self.signs.unused.store(true, Ordering::Relaxed);
        self.inbox.close();
    }
}

/// The fault of the calls that a runtime had open when it was given up.
pub(super) fn anew(why: &str) -> Fault {
    Fault::threw(format!("was started anew, for it {why}"))
}
