//! The rows to learn from and to be measured on: folders whose name begins with
//! `injection-`.

use crate::{evaluation::rows, middleware::prompt_injection::train::Example};
use serde::Deserialize;
use std::{collections::HashMap, fs, io, path::Path};

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
/// Names the file and line that cannot be read.
pub fn rows(data: &Path) -> io::Result<Vec<Row>> {
    let mut sets: Vec<String> = Vec::new();
    for entry in fs::read_dir(data)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("injection-") {
            sets.push(name);
        }
    }
    sets.sort();
    let mut rows = Vec::new();
    for set in sets {
        rows.extend(rows::read::<Written>(data, &set)?.into_iter().map(|written| Row {
            set: set.clone(),
            attack: matches!(&*written.label, "injection" | "jailbreak"),
            by_context: written.judgeable == "context",
            text: written.text,
            group: written.group,
            weight: 1.0,
        }));
    }
    weigh(&mut rows);
    Ok(rows)
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
