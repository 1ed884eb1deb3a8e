//! Loads a file and everything that it imports.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::compile::{Compiled, MOST_PROBLEMS, compile};
use super::imports::Import;
use super::language::Language;
use super::names::Names;
use super::position::Position;
use super::problem::{Complaint, SourceProblem};
use super::program::{Module, Program};
use super::read::read;
use super::resolve::{Found, Root};
use super::specifier::Specifier;

/// A program that is being put together.
#[derive(Debug)]
struct Loading<'w> {
    root: Root,
    names: Names,
    /// The modules that are known, in the order in which they were first imported.
    found: Vec<Found>,
    by_real: HashMap<PathBuf, usize>,
    modules: Vec<Module>,
    problems: Vec<SourceProblem>,
    digest: Sha256,
    watched: &'w mut BTreeSet<PathBuf>,
}

/// Loads `entry` and what it imports; see [`Program::load`].
pub(super) fn load(
    entry: &Path,
    root: &Path,
    base: &Path,
    watched: &mut BTreeSet<PathBuf>,
) -> Result<Program, Vec<SourceProblem>> {
    let root = Root::new(root);
    let path = root.entry(entry);
    let names = Names::new(base, entry);
    let real = path.canonicalize().unwrap_or_else(|_| path.clone());
    let mut loading = Loading {
        root,
        names,
        by_real: HashMap::from([(real.clone(), 0)]),
        found: vec![Found { path, real }],
        modules: vec![],
        problems: vec![],
        digest: Sha256::new(),
        watched,
    };
    // Grows while it is walked.
    let mut next = 0;
    while let Some(found) = loading.found.get(next).cloned() {
        loading.module(&found);
        next += 1;
    }
    loading.finish()
}

impl Loading<'_> {
    fn module(&mut self, found: &Found) {
        let name = self.names.of(&found.path);
        self.watched.insert(found.path.clone());
        let is_entry = self.found.first() == Some(found);
        match Language::of(&found.path) {
            Err(complaint) => self.problems.push(complaint.at(&name, Position::START)),
            Ok(Language::Json) if is_entry => {
                let complaint = Complaint::new("a script is written in TypeScript or JavaScript");
                self.problems.push(complaint.at(&name, Position::START));
            }
            Ok(language) => match read(&found.path, &name) {
                Err(problem) => self.problems.push(problem),
                Ok(text) => self.compiled(found, name, &text, language),
            },
        }
    }

    fn compiled(&mut self, found: &Found, name: String, text: &str, language: Language) {
        self.digest.update(name.len().to_le_bytes());
        self.digest.update(&name);
        self.digest.update(text.len().to_le_bytes());
        self.digest.update(text);
        let implied_export = self.found.first() == Some(found);
        let Compiled { code, imports, problems } = compile(&name, text, language, implied_export);
        self.problems.extend(problems);
        let most = self.problems.len() + MOST_PROBLEMS;
        let imports = imports.into_iter().filter_map(|import| {
            if self.problems.len() >= most {
                return None;
            }
            let module = self.import(found, &name, text, &import)?;
            Some((import.specifier.into_boxed_str(), module))
        });
        let imports = imports.collect();
        if let Some(code) = code {
            self.modules.push(Module { name, code, imports });
        }
    }

    /// The index of the module that is imported, if it is a file.
    fn import(&mut self, found: &Found, name: &str, text: &str, import: &Import) -> Option<usize> {
        let resolved = match Specifier::of(&import.specifier) {
            Specifier::Builtin => return None,
            Specifier::Relative => self.root.find(&found.path, &import.specifier, self.watched),
            Specifier::Foreign(complaint) => Err(complaint),
        };
        match resolved {
            Ok(target) => Some(self.index_of(target)),
            Err(complaint) => {
                self.problems.push(complaint.at_byte(name, text, import.offset));
                None
            }
        }
    }

    fn index_of(&mut self, target: Found) -> usize {
        if let Some(index) = self.by_real.get(&target.real) {
            return *index;
        }
        let index = self.found.len();
        self.by_real.insert(target.real.clone(), index);
        self.found.push(target);
        index
    }

    fn finish(mut self) -> Result<Program, Vec<SourceProblem>> {
        if self.problems.is_empty() {
            let digest = self.digest.finalize().into();
            return Ok(Program::new(self.modules, digest));
        }
        // Stable: files stay in the order in which they were found.
        let order: HashMap<String, usize> =
            self.found.iter().enumerate().map(|(at, it)| (self.names.of(&it.path), at)).collect();
        self.problems.sort_by_key(|problem| {
            (order.get(&problem.file).copied(), problem.line, problem.column)
        });
        self.problems.dedup();
        Err(self.problems)
    }
}
