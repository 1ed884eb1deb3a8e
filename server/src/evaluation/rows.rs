//! Rows of data: one JSON object a line.

use serde::de::DeserializeOwned;
use std::{fs, io, path::Path};

/// Reads the rows of a set.
pub(super) fn read<T: DeserializeOwned>(data: &Path, set: &str) -> io::Result<Vec<T>> {
    let file = data.join(set).join("dev.jsonl");
    let text = fs::read_to_string(&file).map_err(|error| named(&file, &error))?;
    let rows = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    rows.map(|(index, line)| {
        serde_json::from_str(line).map_err(|error| {
            let place = format!("{}:{}: {error}", file.display(), index.saturating_add(1));
            io::Error::new(io::ErrorKind::InvalidData, place)
        })
    })
    .collect()
}

fn named(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}
