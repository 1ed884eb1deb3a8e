//! What a script says to its callers, on its way to them.

use super::event::{Asked, Caller, Said};
use parking_lot::Mutex;
use std::mem;
use tokio::sync::mpsc::UnboundedSender;

/// Sends at once what a script says, or holds it back for a moment.
///
/// A caller that is told something while its worker is handed over wakes another
/// worker, which takes as long as the whole call. Told right after, it goes on
/// where it was.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// What is held back, if it is.
    held: Mutex<Option<Vec<Message>>>,
}

/// Something for a caller.
#[derive(Debug)]
pub(super) enum Message {
    /// How its call ended.
    Said(Caller, Said),
    /// What the script wants while it is around the call.
    Asked(UnboundedSender<Asked>, Asked),
}

impl Outbox {
    /// Answers a call.
    pub(super) fn answer(&self, caller: Caller, said: Said) {
        self.post(Message::Said(caller, said));
    }

    /// Asks for something around a call. Says whether the caller still listens.
    pub(super) fn ask(&self, caller: UnboundedSender<Asked>, asked: Asked) -> bool {
        let listens = !caller.is_closed();
        self.post(Message::Asked(caller, asked));
        listens
    }

    /// From now on, holds everything back.
    pub(super) fn hold(&self) {
        self.held.lock().get_or_insert_default();
    }

    /// No longer holds anything back, and returns what was.
    pub(super) fn release(&self) -> Vec<Message> {
        mem::take(&mut *self.held.lock()).unwrap_or_default()
    }

    fn post(&self, message: Message) {
        let mut held = self.held.lock();
        if let Some(held) = &mut *held {
            held.push(message);
            return;
        }
        drop(held);
        message.send();
    }
}

impl Message {
    /// Sends it, to whoever still listens.
    pub(super) fn send(self) {
        match self {
            Self::Said(caller, said) => caller.answer(said),
            Self::Asked(caller, asked) => {
                let _gone = caller.send(asked);
            }
        }
    }
}
