//! One try to load the configuration: what it means, or why it cannot be used.

use crate::config::{Compiled, Problems, Sources, compile_from, lower::digest};
use std::{fs, path::Path};

/// What a try to load the configuration found.
#[derive(Debug)]
pub struct Loaded {
    /// What the configuration means.
    pub compiled: Result<Compiled, Unloadable>,
    /// What its middleware reads, as far as that is known.
    pub sources: Sources,
    /// A digest of what was read.
    pub hash: String,
}

/// Why a configuration cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unloadable {
    /// It cannot be read.
    #[error("cannot read `{file}`: {problem}")]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// It is wrong.
    #[error(transparent)]
    Wrong(#[from] Problems),
    /// Something in Sidehook went wrong.
    #[error("loading it panicked, which is a bug in Sidehook; please report it")]
    Panicked,
}

/// Reads and compiles the configuration in `file`.
#[must_use]
pub fn load(file: &Path) -> Loaded {
    let name = file.display().to_string();
    let mut sources = Sources::default();
    match fs::read_to_string(file) {
        Ok(text) => {
            let compiled = compile_from(&name, &text, &mut sources).map_err(Unloadable::from);
            let hash = digest(&text, &sources);
            Loaded { compiled, sources, hash }
        }
        Err(error) => Loaded::failed(Unloadable::unreadable(file, &error.to_string())),
    }
}

impl Loaded {
    /// Nothing was found.
    pub(super) fn failed(why: Unloadable) -> Self {
        Self { compiled: Err(why), sources: Sources::default(), hash: String::new() }
    }

    /// What is wrong, if anything is, and the digest of what was read.
    pub(super) fn rejected(&self) -> Option<(Unloadable, String)> {
        self.compiled.as_ref().err().map(|why| (why.clone(), self.hash.clone()))
    }
}

impl Unloadable {
    pub(super) fn unreadable(file: &Path, problem: &str) -> Self {
        Self::Unreadable { file: file.display().to_string(), problem: problem.into() }
    }

    /// Everything that is wrong, on one line, as a log wants it.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Wrong(problems) => {
                problems.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
            }
            Self::Unreadable { .. } | Self::Panicked => self.to_string(),
        }
    }
}
