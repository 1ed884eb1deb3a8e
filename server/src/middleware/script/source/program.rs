//! A script file with everything that it imports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::compile::Code;
use super::load::load;
use super::problem::SourceProblem;
use super::trace::{Frame, frames};

/// A script file and everything that it imports, ready to run.
///
/// Holds the generated code and where it came from, not the sources.
#[derive(Debug)]
pub(crate) struct Program {
    /// The entry, then what is imported.
    modules: Vec<Module>,
    digest: [u8; 32],
}

/// A file of a program.
#[derive(Debug)]
pub(super) struct Module {
    pub(super) name: String,
    pub(super) code: Code,
    /// What relative imports stand for, by index.
    pub(super) imports: Vec<(Box<str>, usize)>,
}

impl Program {
    /// Loads the file `entry` and everything that it imports.
    ///
    /// Imports must stay in the folder `root`.
    /// Names of modules and messages are relative to `base`, where that is possible.
    ///
    /// Adds to `watched` every path whose change could change the result: the files that were read,
    /// also those of a program that does not load, and the paths at which an imported file was looked
    /// for and not found.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with any of the files, in the order in which they are imported.
    pub(crate) fn load(
        entry: &Path,
        root: &Path,
        base: &Path,
        watched: &mut BTreeSet<PathBuf>,
    ) -> Result<Self, Vec<SourceProblem>> {
        load(entry, root, base, watched)
    }

    pub(super) fn new(modules: Vec<Module>, digest: [u8; 32]) -> Self {
        Self { modules, digest }
    }

    /// The name of the module to start with, such as `guards/no-emails.ts`.
    #[must_use]
    pub(crate) fn entry(&self) -> &str {
        self.modules.first().map_or("", |module| &module.name)
    }

    /// The JavaScript of a module.
    #[must_use]
    pub(crate) fn code(&self, module: &str) -> Option<&str> {
        self.module(module).map(|module| module.code.text.as_str())
    }

    /// The module that a relative import in the module `importer` stands for.
    #[must_use]
    pub(crate) fn resolve(&self, importer: &str, specifier: &str) -> Option<&str> {
        let imports = &self.module(importer)?.imports;
        let (_, index) = imports.iter().find(|(written, _)| **written == *specifier)?;
        self.modules.get(*index).map(|module| module.name.as_str())
    }

    /// The names of the modules, the entry first.
    #[cfg(test)]
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.modules.iter().map(|module| module.name.as_str())
    }

    /// A digest of the names and contents of all files.
    #[must_use]
    pub(crate) fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The frames of QuickJS's `error.stack` that are in files of this program, innermost first.
    ///
    /// The error's message tells a call that failed from one whose arguments did.
    #[must_use]
    pub(crate) fn trace(&self, message: &str, stack: &str) -> Vec<Frame> {
        frames(self, message, stack)
    }

    /// Whether the code of a module holds `word` as a word of its own.
    #[must_use]
    pub(crate) fn mentions(&self, word: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        self.modules.iter().any(|module| {
            let text = &module.code.text;
            text.match_indices(word).any(|(at, found)| {
                let (before, rest) = text.split_at_checked(at).unwrap_or_default();
                let after = rest.strip_prefix(found).unwrap_or_default();
                !before.ends_with(is_part) && !after.starts_with(is_part)
            })
        })
    }

    pub(super) fn module(&self, name: &str) -> Option<&Module> {
        self.modules.iter().find(|module| module.name == name)
    }
}
