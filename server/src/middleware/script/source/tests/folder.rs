//! A folder of script files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::super::{Program, SourceProblem};

/// A folder that is gone after the test.
pub(super) struct Folder(tempfile::TempDir);

impl Folder {
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub(super) fn path(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    pub(super) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, contents).unwrap();
    }

    pub(super) fn try_load(&self, entry: &str) -> Result<Program, Vec<SourceProblem>> {
        let path = self.path();
        Program::load(&path.join(entry), &path, &path, &mut BTreeSet::new())
    }

    pub(super) fn load(&self, entry: &str) -> Program {
        self.try_load(entry).unwrap_or_else(|problems| panic!("{}", shown(&problems).join("\n")))
    }

    /// What is wrong with `entry`, as it is shown.
    pub(super) fn problems(&self, entry: &str) -> Vec<String> {
        shown(&self.try_load(entry).unwrap_err())
    }

    /// The paths that loading `entry` looks at, relative to the folder.
    pub(super) fn watched(&self, entry: &str) -> Vec<String> {
        let path = self.path();
        let mut watched = BTreeSet::new();
        let _ = Program::load(&path.join(entry), &path, &path, &mut watched);
        let relative = |it: &PathBuf| it.strip_prefix(&path).unwrap().display().to_string();
        watched.iter().map(relative).collect()
    }
}

/// The program of a single file.
pub(super) fn load(name: &str, text: &str) -> Program {
    Folder::of(&[(name, text)]).load(name)
}

/// What is wrong with a single file.
pub(super) fn problems(name: &str, text: &str) -> Vec<String> {
    Folder::of(&[(name, text)]).problems(name)
}

pub(super) fn shown(problems: &[SourceProblem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

/// The names of the modules of a program.
pub(super) fn names(program: &Program) -> Vec<&str> {
    program.names().collect()
}
