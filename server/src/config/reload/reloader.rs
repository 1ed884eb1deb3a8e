//! Looks at the configuration again and again, and takes up what has changed.

use super::{Fixed, Loaded, Seen, Unloadable, load};
use crate::{config::Compiled, engine::Chains, service::Sidecar};
use std::{
    collections::BTreeSet,
    convert::Infallible,
    future,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::{task::spawn_blocking, time::sleep};

/// A changed file must stay as it is for so long before it is read, so that one which is being
/// written is not taken up by half.
const SETTLE: Duration = Duration::from_millis(100);

/// So often a file that keeps changing is waited for. Then it is read as it is.
const ROUNDS: usize = 10;

/// Keeps a sidecar's chains those of its configuration file.
#[derive(Debug)]
pub struct Reloader {
    file: Arc<Path>,
    sidecar: Arc<Sidecar>,
    fixed: Fixed,
    interval: Option<Duration>,
    /// What the configuration depends on beside its file: the one in force, and those that were
    /// tried and rejected since.
    watched: BTreeSet<PathBuf>,
    seen: Seen,
    /// What was wrong with the last one that was tried, and the digest of its content.
    rejected: Option<(Unloadable, String)>,
    load: fn(&Path) -> Loaded,
}

impl Reloader {
    /// Keeps the chains of `sidecar` those of `file`. What is in force is `compiled`, which was
    /// loaded after the look at the file that is `seen`.
    #[must_use]
    pub fn new(file: &Path, seen: Seen, compiled: &Compiled, sidecar: Arc<Sidecar>) -> Self {
        Self {
            file: file.into(),
            sidecar,
            fixed: Fixed::of(compiled),
            interval: compiled.reload,
            watched: compiled.watched.iter().cloned().collect(),
            seen,
            rejected: None,
            load,
        }
    }

    /// Loads in a way of its own.
    #[cfg(test)]
    pub(super) fn loading_with(self, load: fn(&Path) -> Loaded) -> Self {
        Self { load, ..self }
    }

    /// The command line says where to listen, whatever the configuration says.
    #[must_use]
    pub fn without_listen(self) -> Self {
        Self { fixed: self.fixed.without_listen(), ..self }
    }

    /// Looks at every interval, and at once when `asked` returns.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future leaves in force what is in force.
    pub async fn run(mut self, mut asked: impl AsyncFnMut()) -> Infallible {
        loop {
            let pause = async {
                match self.interval {
                    Some(interval) => sleep(interval).await,
                    None => future::pending().await,
                }
            };
            tokio::select! {
                () = asked() => self.reload().await,
                () = pause => self.look().await,
            }
        }
    }

    /// Takes up what has changed since the last look, if anything has.
    pub async fn look(&mut self) {
        let seen = self.again(&self.seen).await;
        if seen.changes(&self.seen).next().is_none() {
            self.seen = seen;
            return;
        }
        let (seen, loaded) = self.settled(seen).await;
        // What is wrong was said, and has not changed.
        if loaded.compiled.is_ok() || loaded.rejected() != self.rejected {
            self.take(loaded, &seen);
        }
        self.seen = seen;
    }

    /// Loads what is there, changed or not.
    pub async fn reload(&mut self) {
        let seen = self.again(&self.seen).await;
        let loaded = self.load(&seen).await;
        self.take(loaded, &seen);
        self.seen = seen;
    }

    /// Loads what is there once it has stayed the same for a moment, and while it was read.
    async fn settled(&self, mut seen: Seen) -> (Seen, Loaded) {
        let settle = self.interval.map_or(SETTLE, |interval| interval.min(SETTLE));
        for _ in 0..ROUNDS {
            sleep(settle).await;
            let later = self.again(&seen).await;
            if later.changes(&seen).next().is_some() {
                seen = later;
                continue;
            }
            let loaded = self.load(&later).await;
            let after = self.again(&later).await;
            if after.changes(&later).next().is_none() {
                return (later, loaded);
            }
            seen = after;
        }
        let loaded = self.load(&seen).await;
        (seen, loaded)
    }

    async fn again(&self, before: &Seen) -> Seen {
        let (file, watched, last) = (Arc::clone(&self.file), self.watched.clone(), before.clone());
        let look = move || last.again(watched.iter().map(PathBuf::as_path).chain([&*file]));
        spawn_blocking(look).await.unwrap_or_else(|_| before.clone())
    }

    async fn load(&self, seen: &Seen) -> Loaded {
        if !seen.can_reread(&self.file) {
            return Loaded::failed(Unloadable::unreadable(&self.file, "it is no regular file"));
        }
        let (load, file) = (self.load, Arc::clone(&self.file));
        let loaded = spawn_blocking(move || load(&file)).await;
        loaded.unwrap_or_else(|_| Loaded::failed(Unloadable::Panicked))
    }

    fn take(&mut self, loaded: Loaded, seen: &Seen) {
        let rejected = loaded.rejected();
        let watched = loaded.sources.watched().cloned();
        match loaded.compiled {
            Ok(compiled) => {
                self.watched = watched.collect();
                self.install(compiled, seen);
            }
            Err(why) => {
                self.watched.extend(watched);
                tracing::warn!(
                    problems = %why.line(),
                    "the changed configuration is not taken up; the one in force stays"
                );
                self.sidecar.reload_failed(why.to_string());
            }
        }
        self.rejected = rejected;
    }

    fn install(&mut self, compiled: Compiled, seen: &Seen) {
        let before = self.sidecar.generation();
        let (fixed, hash) = (Fixed::of(&compiled), compiled.hash);
        let added = others(&compiled.chains, &before.chains);
        let removed = others(&before.chains, &compiled.chains);
        self.interval = compiled.reload;
        let config_generation = self.sidecar.install(compiled.chains, &hash);
        if config_generation == before.number {
            if self.rejected.is_some() {
                tracing::info!(config_generation, "the configuration is again the one in force");
            } else {
                tracing::debug!(config_generation, "configuration unchanged");
            }
            return;
        }
        let changed = seen.changes(&self.seen).map(|path| path.display().to_string());
        let changed = listed(changed);
        tracing::info!(
            config_generation,
            config_hash = %hash,
            changed,
            added,
            removed,
            "configuration in force"
        );
        for key in self.fixed.differences(&fixed) {
            tracing::warn!(key, "a change of this takes effect after a restart");
        }
    }
}

/// The names of links that `chains` has and `than` has not.
fn others(chains: &Chains, than: &Chains) -> Option<String> {
    let known: BTreeSet<&str> = than.links().iter().map(|link| &*link.name).collect();
    let new = chains.links().iter().filter(|link| !known.contains(&*link.name));
    listed(new.map(|link| link.name.to_string()))
}

/// A list for the log; `None` when it is empty, so that nothing is said.
fn listed(names: impl Iterator<Item = String>) -> Option<String> {
    let names: Vec<_> = names.collect();
    (!names.is_empty()).then(|| names.join(", "))
}
