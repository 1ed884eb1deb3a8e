//! What a look at the configuration file and everything that it depends on sees.

use super::fingerprint::Fingerprint;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// A look at several files and folders.
#[derive(Debug, Clone, Default)]
pub struct Seen(BTreeMap<PathBuf, Fingerprint>);

impl Seen {
    /// Looks at `paths` for the first time.
    #[must_use]
    pub fn first<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        Self::default().again(paths)
    }

    /// Looks at `paths` once more.
    pub(super) fn again<'a>(&self, paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let look = |path: &Path| (path.into(), Fingerprint::of(path, self.0.get(path)));
        Self(paths.into_iter().map(look).collect())
    }

    /// The paths of this look where `before`, the last one, saw something else, or did not look.
    pub(super) fn changes<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = &'a Path> {
        let changed = |(path, now): (&'a PathBuf, &Fingerprint)| match before.0.get(path) {
            Some(before) if !now.differs(before) => None,
            _ => Some(path.as_path()),
        };
        self.0.iter().filter_map(changed)
    }

    /// Whether a file can be read at `path` again and again.
    pub(super) fn can_reread(&self, path: &Path) -> bool {
        self.0.get(path).is_some_and(|seen| seen.is_file() || seen.is_absent())
    }
}

#[cfg(test)]
#[path = "seen_tests.rs"]
mod tests;
