//! Rows of data: one JSON object a line, packed or not.

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;
use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

/// Reads the rows of a set: those of every `.jsonl` and `.jsonl.gz` file in its
/// folder, in the order of their names. None when there is no such folder.
pub(super) fn read<T: DeserializeOwned>(data: &Path, set: &str) -> io::Result<Vec<T>> {
    let mut rows = Vec::new();
    for file in files(&data.join(set))? {
        let opened = File::open(&file).map_err(|error| at(&file, 0, &error))?;
        let packed = file.extension().is_some_and(|extension| extension == "gz");
        let bytes: Box<dyn Read> =
            if packed { Box::new(MultiGzDecoder::new(opened)) } else { Box::new(opened) };
        for (index, line) in BufReader::new(bytes).lines().enumerate() {
            let line = line.map_err(|error| at(&file, index, &error))?;
            if !line.trim().is_empty() {
                let row = serde_json::from_str(&line);
                rows.push(row.map_err(|error| at(&file, index, &error.into()))?);
            }
        }
    }
    Ok(rows)
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| at(folder, 0, &error))?,
    };
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut files = paths.collect::<io::Result<Vec<_>>>()?;
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")
    });
    files.sort();
    Ok(files)
}

fn at(file: &Path, index: usize, error: &io::Error) -> io::Error {
    let line = index.saturating_add(1);
    io::Error::new(error.kind(), format!("{}:{line}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    #[test]
    fn every_file_of_a_set_is_read_packed_or_not() {
        let data = tempfile::tempdir().unwrap();
        let set = data.path().join("set");
        fs::create_dir(&set).unwrap();
        fs::write(set.join("a.jsonl"), "1\n\n2\n").unwrap();
        fs::write(set.join("README.md"), "no rows").unwrap();
        let packed = File::create(set.join("b.jsonl.gz")).unwrap();
        let mut packed = GzEncoder::new(packed, Compression::fast());
        packed.write_all(b"3\n4").unwrap();
        packed.finish().unwrap();
        assert_eq!(read::<u8>(data.path(), "set").unwrap(), [1, 2, 3, 4]);
        assert_eq!(read::<u8>(data.path(), "other").unwrap(), [0_u8; 0]);
    }

    #[test]
    fn a_row_that_is_not_what_it_should_be_is_named() {
        let data = tempfile::tempdir().unwrap();
        fs::create_dir(data.path().join("set")).unwrap();
        fs::write(data.path().join("set/a.jsonl"), "1\n\"b\"\n").unwrap();
        let error = read::<u8>(data.path(), "set").unwrap_err().to_string();
        assert!(error.contains("a.jsonl:2: "), "{error}");
    }
}
