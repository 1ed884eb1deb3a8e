//! Stored answers of unary hook calls, so that a repeat runs no middleware
//! twice.

use crate::hooks::HookId;
use parking_lot::Mutex;
use prost::Message;
use std::{
    any::Any,
    collections::{HashMap, VecDeque},
    fmt,
    sync::Arc,
};
use tokio::sync::OnceCell;

/// So many answers of a run are kept. A repeat comes at once or never, so this
/// bounds the calls that run side by side, not the length of a run.
const MAX_STORED: usize = 256;

/// So many bytes of answers of a run are kept, beside the newest one.
const MAX_STORED_BYTES: usize = 1 << 20;

/// An answer of whatever hook.
type Stored = Arc<dyn Any + Send + Sync>;

/// A call's answer: empty while it runs.
type Cell = Arc<OnceCell<Stored>>;

/// The answers of one run.
#[derive(Default)]
pub struct Answers {
    calls: Mutex<Calls>,
}

/// Calls by what identifies them, and in the order in which they came.
#[derive(Default)]
struct Calls {
    entries: HashMap<Key, Entry>,
    order: VecDeque<Key>,
    bytes: usize,
}

type Key = (HookId, Arc<str>);

/// An answer, and its size, which is 0 while the call runs.
#[derive(Default)]
struct Entry {
    cell: Cell,
    bytes: usize,
}

impl Calls {
    fn forget_oldest(&mut self) {
        let oldest = self.order.pop_front().and_then(|key| self.entries.remove(&key));
        self.bytes -= oldest.map_or(0, |entry| entry.bytes);
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("count", &self.calls.lock().order.len()).finish()
    }
}

impl Answers {
    /// The stored answer of the call `id` of `hook`, or what `work` gives, which
    /// is stored. A repeat that comes while the call runs waits for it.
    ///
    /// # Errors
    ///
    /// What `work` fails with; that is not stored.
    ///
    /// # Cancel safety
    ///
    /// When the call is dropped while it runs, a repeat that waits runs it anew.
    pub async fn once<T, E>(
        &self,
        hook: HookId,
        id: &str,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E>
    where
        T: Message + Default + Clone + 'static,
    {
        let key: Key = (hook, id.into());
        let cell = self.cell(&key);
        let mut fresh = None;
        let stored = cell
            .get_or_try_init(async || {
                let answer = work.await?;
                fresh = Some(answer.clone());
                Ok::<Stored, E>(Arc::new(answer))
            })
            .await?;
        if let Some(answer) = fresh {
            self.keep(&key, answer.encoded_len());
            return Ok(answer);
        }
        // The type belongs to the hook, so it cannot differ for the same cell.
        Ok(stored.downcast_ref::<T>().cloned().unwrap_or_default())
    }

    /// Accounts for an answer, and forgets the oldest ones over the bound.
    fn keep(&self, key: &Key, bytes: usize) {
        let calls = &mut *self.calls.lock();
        let Some(entry) = calls.entries.get_mut(key) else { return };
        entry.bytes = bytes;
        calls.bytes += bytes;
        while calls.bytes > MAX_STORED_BYTES && calls.order.len() > 1 {
            calls.forget_oldest();
        }
    }

    fn cell(&self, key: &Key) -> Cell {
        let calls = &mut *self.calls.lock();
        if let Some(entry) = calls.entries.get(key) {
            return Arc::clone(&entry.cell);
        }
        if calls.order.len() == MAX_STORED {
            calls.forget_oldest();
        }
        let entry = Entry::default();
        let cell = Arc::clone(&entry.cell);
        calls.entries.insert(key.clone(), entry);
        calls.order.push_back(key.clone());
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sidehook_proto::v1::UserMessageInboundAnswer;
    use std::convert::Infallible;

    async fn ask(answers: &Answers, id: &str, text: &str) -> String {
        let answer = UserMessageInboundAnswer { text: Some(text.into()) };
        let work = async { Ok::<_, Infallible>(answer) };
        let Ok(answer) = answers.once(HookId::UserMessageInbound, id, work).await;
        answer.text.unwrap()
    }

    #[tokio::test]
    async fn a_repeat_gets_the_stored_answer() {
        let answers = Answers::default();
        assert_eq!(ask(&answers, "a", "first").await, "first");
        assert_eq!(ask(&answers, "a", "second").await, "first");
        assert_eq!(ask(&answers, "b", "second").await, "second");
    }

    #[tokio::test]
    async fn stored_answers_are_bounded_in_number_and_bytes() {
        let answers = Answers::default();
        for number in 0..=MAX_STORED {
            ask(&answers, &number.to_string(), "x").await;
        }
        assert_eq!(answers.calls.lock().order.len(), MAX_STORED);
        assert_eq!(ask(&answers, "0", "anew").await, "anew");

        let large = "x".repeat(MAX_STORED_BYTES);
        ask(&answers, "large", &large).await;
        assert_eq!(answers.calls.lock().order.len(), 1);
        assert_eq!(ask(&answers, "large", "anew").await.len(), large.len());
    }

    #[tokio::test]
    async fn what_failed_is_not_stored() {
        let answers = Answers::default();
        let failing = async { Err::<UserMessageInboundAnswer, _>("no") };
        let failed = answers.once(HookId::UserMessageInbound, "a", failing).await;
        assert_eq!(failed, Err("no"));
        assert_eq!(ask(&answers, "a", "now").await, "now");
    }
}
