//! Gives out the marks of payloads, and remembers what was marked, so that a
//! script may keep a value from one call to the next.

use super::payloads::Payload;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// So many payloads are remembered; the oldest go first.
const MAX_PAYLOADS: usize = 4096;

/// So many bytes of their texts are remembered; the oldest go first.
const MAX_BYTES: usize = 8 << 20;

/// The marks of one script, each of which is given out once.
///
/// What was marked with them is remembered within bounds. Clones are the same
/// marks.
#[derive(Debug, Clone, Default)]
pub struct Marks(Arc<Mutex<Marked>>);

#[derive(Debug, Default)]
struct Marked {
    next: u64,
    payloads: BTreeMap<u64, Payload>,
    bytes: usize,
}

impl Marks {
    /// Marks a payload, and remembers it.
    pub(super) fn mark(&self, payload: &mut Payload) -> u64 {
        let mut marked = self.lock();
        let mark = marked.next;
        marked.next = mark.saturating_add(1);
        payload.mark = Some(mark);
        marked.bytes += size(payload);
        marked.payloads.insert(mark, payload.clone());
        while marked.payloads.len() > MAX_PAYLOADS || marked.bytes > MAX_BYTES {
            let Some((_, oldest)) = marked.payloads.pop_first() else { break };
            marked.bytes = marked.bytes.saturating_sub(size(&oldest));
        }
        mark
    }

    /// What was marked with `mark`, unless it is forgotten.
    pub(super) fn get(&self, mark: u64) -> Option<Payload> {
        self.lock().payloads.get(&mark).cloned()
    }

    /// Whether any was given out.
    pub(super) fn are_used(&self) -> bool {
        self.lock().next > 0
    }

    fn lock(&self) -> MutexGuard<'_, Marked> {
        // Nothing in here is left half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(payload: &Payload) -> usize {
    payload.text.len() + payload.extra.len()
}
