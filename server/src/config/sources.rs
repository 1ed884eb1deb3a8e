//! What a configuration is made of beside its own text: files and folders that its middleware
//! reads.

use std::{collections::BTreeSet, path::PathBuf};

/// Files and folders beside the configuration file that decide what it means.
///
/// A kind of middleware that reads some says so while it is built, before it reads them: then a
/// file that is wrong or missing is watched too, and mending it is noticed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Sources {
    watched: BTreeSet<PathBuf>,
    digests: Vec<String>,
}

impl Sources {
    /// From now on a change of this file or folder means a reload. It need not exist.
    pub fn watch(&mut self, path: impl Into<PathBuf>) {
        self.watched.insert(path.into());
    }

    /// Makes the configuration's hash depend on what was read.
    pub fn add_digest(&mut self, digest: impl Into<String>) {
        self.digests.push(digest.into());
    }

    /// What is watched, sorted.
    pub fn watched(&self) -> impl Iterator<Item = &PathBuf> {
        self.watched.iter()
    }

    /// The digests of what was read, in the order of the configuration.
    pub fn digests(&self) -> &[String] {
        &self.digests
    }
}
