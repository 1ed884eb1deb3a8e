//! Reads the files of a script, within limits.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::position::Position;
use super::problem::{Complaint, SourceProblem};

/// A longer file is refused.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 20;

/// The text of the file at `path`, which messages call `name`, without a byte order mark.
pub(super) fn read(path: &Path, name: &str) -> Result<String, SourceProblem> {
    let bytes = read_bytes(path).map_err(|complaint| complaint.at(name, Position::START))?;
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        Complaint::new("the file is not UTF-8").at_byte(name, &text, valid)
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, Complaint> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Complaint::new("there is no such file"),
        _ => Complaint::new(format!("the file cannot be read: {error}")),
    };
    let metadata = path.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(Complaint::new("this is a folder, not a file"));
    }
    // Opening a pipe would wait for whoever writes to it.
    if !metadata.is_file() {
        return Err(Complaint::new("this is not a regular file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    // The file may grow while it is read.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let complaint = Complaint::new("the file is larger than 1 MiB");
        return Err(complaint.help("split it, or import the data as several files".to_owned()));
    }
    Ok(bytes)
}
