//! Answers in memory, bounded in bytes and time.

use super::{CacheConfig, kept::Kept, key::Key};
use moka::sync::Cache;
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// Answers by the keys of their requests.
#[derive(Debug)]
pub(super) struct Store {
    entries: Cache<Key, Entry>,
    ttl: Duration,
    most: usize,
}

#[derive(Debug, Clone)]
struct Entry {
    kept: Arc<Kept>,
    until: Instant,
}

impl Store {
    pub(super) fn new(config: &CacheConfig) -> Self {
        let ttl = config.ttl.into();
        let weight = |_: &Key, entry: &Entry| u32::try_from(entry.kept.bytes()).unwrap_or(u32::MAX);
        let entries = Cache::builder().max_capacity(config.max_size.bytes()).weigher(weight);
        // This frees what is too old; what may be given out is decided by the entry's own time.
        let entries = entries.time_to_live(ttl).build();
        Self { entries, ttl, most: config.max_entry_size.as_usize() }
    }

    pub(super) fn get(&self, key: &Key) -> Option<Arc<Kept>> {
        let entry = self.entries.get(key)?;
        (Instant::now() < entry.until).then_some(entry.kept)
    }

    /// Keeps an answer, unless it is too large.
    pub(super) fn put(&self, key: Key, kept: &Arc<Kept>) {
        // A time that no clock reaches is as good as none.
        let until = Instant::now().checked_add(self.ttl);
        if let Some(until) = until.filter(|_| kept.bytes() <= self.most) {
            self.entries.insert(key, Entry { kept: Arc::clone(kept), until });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::ByteSize, hooks::WrapModelCall};
    use sidehook_proto::v1;

    fn kept(bytes: usize) -> Arc<Kept> {
        let content = Some(v1::chat_response::Content::Text("x".repeat(bytes)));
        let response = v1::ChatResponse { content, ..v1::ChatResponse::default() };
        Arc::new(Kept::of::<WrapModelCall>(&response, Vec::new()))
    }

    fn key(number: u32) -> Key {
        let mut key = Key::default();
        key[..4].copy_from_slice(&number.to_le_bytes());
        key
    }

    #[test]
    fn all_answers_together_take_no_more_memory_than_they_may() {
        let (max_size, max_entry_size) = (ByteSize::kib(64), ByteSize::kib(8));
        let config = CacheConfig { max_size, max_entry_size, ..CacheConfig::default() };
        let store = Store::new(&config);
        for number in 0..1000 {
            store.put(key(number), &kept(usize::try_from(number).unwrap()));
        }
        store.entries.run_pending_tasks();
        let bytes: usize = store.entries.iter().map(|(_, entry)| entry.kept.bytes()).sum();
        assert!((32 << 10..=64 << 10).contains(&bytes), "{bytes}");
    }

    #[test]
    fn an_answer_that_is_too_large_is_not_kept() {
        let store =
            Store::new(&CacheConfig { max_entry_size: ByteSize::kib(4), ..CacheConfig::default() });
        for (bytes, is_kept) in [(3000, true), (5000, false)] {
            store.put(key(1), &kept(bytes));
            assert_eq!(store.get(&key(1)).is_some(), is_kept, "{bytes}");
            store.entries.invalidate_all();
        }
    }
}
