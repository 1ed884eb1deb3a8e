use super::*;
use crate::{hooks::HookSet, middleware::Middleware};
use async_trait::async_trait;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts how often it is asked to write out what it holds back.
#[derive(Debug, Default, Clone)]
struct Flushed(Arc<AtomicUsize>);

#[async_trait]
impl Middleware for Flushed {
    fn hooks(&self) -> HookSet {
        HookSet::ALL
    }

    async fn flush(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Flushed {
    fn chains(&self) -> Chains {
        Chains::new(vec![Link::new("flushed", "test", Arc::new(self.clone()))], Duration::ZERO)
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

#[tokio::test]
async fn every_generation_in_use_is_flushed() {
    let (old, new) = (Flushed::default(), Flushed::default());
    let generations = Generations::new();
    generations.install(old.chains(), "old");
    let used = generations.current();
    generations.install(new.chains(), "new");
    generations.flush().await;
    assert_eq!((old.count(), new.count()), (1, 1));
    drop(used);
}

#[tokio::test]
async fn a_generation_that_goes_out_of_use_is_flushed_once_and_is_waited_for() {
    let (old, new) = (Flushed::default(), Flushed::default());
    let generations = Generations::new();
    generations.install(old.chains(), "old");
    generations.install(new.chains(), "new");
    generations.flush().await;
    generations.flush().await;
    assert_eq!((old.count(), new.count()), (1, 2));
}

#[tokio::test]
async fn the_same_content_makes_no_generation() {
    let generations = Generations::new();
    let install = |hash| generations.install(Flushed::default().chains(), hash);
    assert_eq!([install("a"), install("a"), install("b"), install("a")], [1, 1, 2, 3]);
    assert_eq!(generations.current().hash, "a");
}

#[tokio::test]
async fn a_failure_is_remembered_until_a_configuration_is_taken_up() {
    let generations = Generations::new();
    generations.install(Flushed::default().chains(), "a");
    generations.fail("it is wrong".into());
    assert_eq!(generations.failure().unwrap().error, "it is wrong");
    generations.install(Flushed::default().chains(), "a");
    assert_eq!(generations.failure(), None);
}
