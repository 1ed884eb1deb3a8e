//! Finds case files, and the configuration that is nearest to one.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What the name of a case file ends with.
const SUFFIX: &str = ".case.yaml";

/// The configuration that a case file need not name.
const CONFIG: &str = "sidehook.yaml";

/// A case file that was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) file: PathBuf,
    /// The folder below which it was looked for.
    top: PathBuf,
}

/// Why there are no case files.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoCases {
    /// A folder cannot be read, or is not there.
    #[error("cannot read `{}`: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    /// There is no case file in a folder.
    #[error("no file below `{}` is named `*{SUFFIX}`", path.display())]
    Nothing { path: PathBuf },
}

/// Finds the case files that `paths` are or have below them, in the order of their paths. Hidden
/// folders and `node_modules` are left out.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<Found>, NoCases> {
    let mut all = Vec::new();
    for path in paths {
        let unreadable = |error| NoCases::Unreadable { path: path.clone(), error };
        if !fs::metadata(path).map_err(unreadable)?.is_dir() {
            let top = path.parent().unwrap_or(Path::new("")).to_owned();
            all.push(Found { file: path.clone(), top });
            continue;
        }
        let before = all.len();
        let mut open = vec![path.clone()];
        while let Some(folder) = open.pop() {
            let unreadable = |error| NoCases::Unreadable { path: folder.clone(), error };
            for entry in fs::read_dir(&folder).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let (inside, name) = (entry.path(), entry.file_name());
                let name = name.to_string_lossy();
                // A link to a folder is not followed: it may lead in a circle.
                if entry.file_type().map_err(unreadable)?.is_dir() {
                    if !name.starts_with('.') && name != "node_modules" {
                        open.push(inside);
                    }
                } else if name.ends_with(SUFFIX) {
                    all.push(Found { file: inside, top: path.clone() });
                }
            }
        }
        if all.len() == before {
            return Err(NoCases::Nothing { path: path.clone() });
        }
    }
    all.sort();
    all.dedup_by(|a, b| a.file == b.file);
    Ok(all)
}

impl Found {
    /// The configuration of the file's folder, or of the nearest one above it up to where the
    /// file was looked for.
    pub(super) fn nearest_config(&self) -> Option<PathBuf> {
        for folder in self.file.ancestors().skip(1) {
            let config = folder.join(CONFIG);
            if config.is_file() {
                return Some(config);
            }
            if folder == self.top {
                return None;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_in_the_order_of_their_paths_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().to_owned();
        for file in ["b.case.yaml", "a/z.case.yaml", "a/notes.yaml", ".git/c.case.yaml"] {
            let file = top.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let found = find(&[top.join("b.case.yaml"), top.clone()]).unwrap();
        let files: Vec<_> = found.iter().map(|it| it.file.strip_prefix(&top).unwrap()).collect();
        assert_eq!(files, [Path::new("a/z.case.yaml"), Path::new("b.case.yaml")]);
    }

    #[test]
    fn the_nearest_configuration_is_not_looked_for_above_the_named_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (top, inner) = (folder.path(), folder.path().join("a/b"));
        fs::create_dir_all(&inner).unwrap();
        fs::write(top.join(CONFIG), "").unwrap();
        let nearest = |below: &Path| {
            let found = Found { file: inner.join("x.case.yaml"), top: below.to_owned() };
            found.nearest_config()
        };
        assert_eq!(nearest(top), Some(top.join(CONFIG)));
        assert_eq!(nearest(&top.join("a")), None);
        fs::write(top.join("a").join(CONFIG), "").unwrap();
        assert_eq!(nearest(top), Some(top.join("a").join(CONFIG)));
    }
}
