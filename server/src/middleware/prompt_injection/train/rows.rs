//! Reads the data to learn from: folders with JSON lines.

use super::Example;
use serde::Deserialize;
use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

/// A row of the data.
#[derive(Debug, Clone)]
pub struct Row {
    /// The name of its folder.
    pub set: String,
    /// The text.
    pub text: String,
    /// Whether it is an attack.
    pub attack: bool,
    /// Whether only the place where it stands makes it one.
    pub by_context: bool,
    /// What near twins share.
    pub group: String,
    /// How much it counts in training, so that large sets do not drown the rest.
    pub weight: f32,
}

/// The data cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file or folder.
    #[error("cannot read `{}`", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line.
    #[error("line {line} of `{}` is no row", path.display())]
    NoRow {
        /// Of which file.
        path: PathBuf,
        /// Which, from 1.
        line: usize,
        /// Why.
        source: serde_json::Error,
    },
}

#[derive(Deserialize)]
struct Written {
    text: String,
    label: String,
    #[serde(default)]
    judgeable: String,
    group: String,
}

/// The rows of every folder of `data` whose name begins with `injection-`, in
/// the order of their names.
///
/// # Errors
///
/// [`DataError`] names what cannot be read.
pub fn rows(data: &Path) -> Result<Vec<Row>, DataError> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(data).map_err(unreadable(data))? {
        let path = entry.map_err(unreadable(data))?.path();
        if name(&path).starts_with("injection-") {
            folders.push(path);
        }
    }
    folders.sort();
    let mut rows = Vec::new();
    for folder in folders {
        let path = folder.join("dev.jsonl");
        let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
        for (at, line) in text.lines().enumerate() {
            let written: Written = serde_json::from_str(line)
                .map_err(|source| DataError::NoRow { path: path.clone(), line: at + 1, source })?;
            rows.push(Row {
                set: name(&folder),
                attack: matches!(&*written.label, "injection" | "jailbreak"),
                by_context: written.judgeable == "context",
                text: written.text,
                group: written.group,
                weight: 1.0,
            });
        }
    }
    weigh(&mut rows);
    Ok(rows)
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> DataError {
    let path = path.to_owned();
    |source| DataError::Unreadable { path, source }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A set counts less for each of its rows, the more rows it has.
fn weigh(rows: &mut [Row]) {
    let mut counts: HashMap<(String, bool), f32> = HashMap::new();
    for row in rows.iter().filter(|row| !row.by_context) {
        *counts.entry((row.set.clone(), row.attack)).or_default() += 1.0;
    }
    for row in rows {
        let count = counts.get(&(row.set.clone(), row.attack)).copied().unwrap_or(1.0);
        // Of basic operations alone, so that it is the same everywhere.
        row.weight = (200.0 / count).sqrt().sqrt().min(2.0);
    }
}

impl Row {
    /// The row as an example of `source`.
    #[must_use]
    pub fn example(&self, source: u32) -> Example {
        Example { text: self.text.clone(), attack: self.attack, source, weight: self.weight }
    }
}
