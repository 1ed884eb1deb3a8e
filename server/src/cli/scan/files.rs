//! Which files are looked at.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// Where a text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// The files that the paths name, folders searched, each in the order of names.
/// Standard input when there are none. Says what is wrong with a path.
pub(super) fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, String> {
    if paths.is_empty() {
        return Ok(vec![Input::Stdin]);
    }
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(Input::Stdin);
            continue;
        }
        let data = path.metadata();
        let data = data.map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        if data.is_dir() {
            inputs.extend(searched(path)?.into_iter().map(Input::File));
        } else {
            inputs.push(Input::File(path.clone()));
        }
    }
    Ok(inputs)
}

/// The files below a folder that git would see.
fn searched(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let walk = ignore::WalkBuilder::new(folder).sort_by_file_name(Ord::cmp).build();
    for entry in walk {
        let entry = entry.map_err(|error| error.to_string())?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

impl Input {
    pub(super) fn open(&self) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            Self::Stdin => Box::new(io::stdin().lock()),
            Self::File(path) => Box::new(File::open(path)?),
        })
    }

    /// The ending of its name, in small letters.
    pub(super) fn ending(&self) -> String {
        let Self::File(path) = self else { return String::new() };
        path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}
