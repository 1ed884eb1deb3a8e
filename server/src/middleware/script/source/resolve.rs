//! Finds the file that a relative import names.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf, absolute};

use super::language::{IMPLIED_EXTENSIONS, Language};
use super::near::{did_you_mean, near};
use super::problem::Complaint;

/// How many names of a folder are compared with one that is not found.
const COMPARED_NAMES: usize = 1000;

/// A file that an import names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// Its path as it was named, so that messages do not show what links point to.
    pub(super) path: PathBuf,
    /// Where it really is: two names of one file are one module.
    pub(super) real: PathBuf,
}

/// The folder that imports stay in.
#[derive(Debug)]
pub(super) struct Root {
    /// The folder as it was named.
    named: PathBuf,
    /// Where it really is.
    real: PathBuf,
}

impl Root {
    pub(super) fn new(root: &Path) -> Self {
        let named = clean(root);
        let real = named.canonicalize().unwrap_or_else(|_| named.clone());
        Self { named, real }
    }

    /// The path of the entry, in the terms in which the root was named, if it is in there.
    pub(super) fn entry(&self, entry: &Path) -> PathBuf {
        let named = clean(entry);
        if named.starts_with(&self.named) {
            return named;
        }
        let (folder, file) = (named.parent(), named.file_name());
        let real = folder.and_then(|folder| folder.canonicalize().ok());
        match real.zip(file) {
            Some((folder, file)) => match folder.strip_prefix(&self.real) {
                Ok(inside) => self.named.join(inside).join(file),
                Err(_) => named,
            },
            None => named,
        }
    }

    /// The file that `specifier` names in the file `importer`.
    ///
    /// Adds every path that was looked at to `watched`: a file there could change the result.
    pub(super) fn find(
        &self,
        importer: &Path,
        specifier: &str,
        watched: &mut BTreeSet<PathBuf>,
    ) -> Result<Found, Complaint> {
        let folder = importer.parent().unwrap_or(importer);
        let target = clean(&folder.join(specifier));
        if !target.starts_with(&self.named) {
            return Err(outside(specifier));
        }
        for path in candidates(&target, specifier) {
            let is_file = path.is_file();
            watched.insert(path.clone());
            if !is_file {
                continue;
            }
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            if !real.starts_with(&self.real) {
                return Err(outside(specifier));
            }
            Language::of(&path)?;
            return Ok(Found { path, real });
        }
        Err(missing(&target, specifier))
    }
}

/// The absolute path without `.` and `..`; links are not followed.
pub(super) fn clean(path: &Path) -> PathBuf {
    let absolute = absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut clean = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                clean.push(component);
            }
        }
    }
    clean
}

/// The files that an import may mean, the best first.
fn candidates(target: &Path, specifier: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let names_folder = specifier.ends_with(['/', '.']);
    if !names_folder {
        found.push(target.to_owned());
        found.extend(IMPLIED_EXTENSIONS.map(|extension| appended(target, extension)));
        // TypeScript's convention is to name the file that will be generated.
        match target.extension().and_then(|extension| extension.to_str()) {
            Some("js") => found.push(target.with_extension("ts")),
            Some("mjs") => found.push(target.with_extension("mts")),
            _ => {}
        }
    }
    found.extend(IMPLIED_EXTENSIONS.map(|extension| appended(&target.join("index"), extension)));
    found
}

fn appended(path: &Path, extension: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    path.into()
}

fn outside(specifier: &str) -> Complaint {
    let reason = "it is outside of the folder that imports must stay in";
    Complaint::new(format!("`{specifier}` cannot be imported: {reason}"))
}

fn missing(target: &Path, specifier: &str) -> Complaint {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let in_folder = specifier.strip_suffix(name.as_ref()).unwrap_or("./");
    let names = target.parent().map(importable).unwrap_or_default();
    let near = near(&name, names.iter().map(String::as_str));
    let near: Vec<String> = near.iter().map(|name| format!("{in_folder}{name}")).collect();
    Complaint::new(format!("`{specifier}` is not found")).help(did_you_mean(&near))
}

/// The names of a folder that could be imported: without an ending where that is usual.
fn importable(folder: &Path) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else { return vec![] };
    let names = entries.take(COMPARED_NAMES).filter_map(|entry| {
        let path = entry.ok()?.path();
        let whole = path.file_name()?.to_str()?.to_owned();
        if path.is_dir() {
            return Some(whole);
        }
        match Language::of(&path).ok()? {
            Language::Json => Some(whole),
            Language::TypeScript | Language::JavaScript => {
                Some(path.file_stem()?.to_str()?.to_owned())
            }
        }
    });
    names.collect()
}
