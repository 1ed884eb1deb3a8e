//! Reads a text in pieces, so that a long one need not be held as a whole.

use std::io::{self, Read};

/// Bytes of a piece, about. What crosses from one piece into the next is not found.
const PIECE: usize = 16 << 20;

/// A text in pieces that end with a line break, where there is one.
pub(super) struct Pieces {
    bytes: Box<dyn Read>,
    /// Read, and not given out yet.
    rest: Vec<u8>,
    size: usize,
}

impl Pieces {
    pub(super) fn new(bytes: Box<dyn Read>) -> Self {
        Self { bytes, rest: Vec::new(), size: PIECE }
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is no text ([`io::ErrorKind::InvalidData`]).
    pub(super) fn next(&mut self) -> io::Result<Option<String>> {
        let wanted = u64::try_from(self.size.saturating_sub(self.rest.len())).unwrap_or(u64::MAX);
        let read = self.bytes.by_ref().take(wanted).read_to_end(&mut self.rest)?;
        let is_last = u64::try_from(read).unwrap_or(u64::MAX) < wanted;
        if self.rest.is_empty() {
            return Ok(None);
        }
        let line_end = self.rest.iter().rposition(|byte| *byte == b'\n');
        let cut = match (is_last, line_end) {
            (true, _) => self.rest.len(),
            (false, Some(at)) => at + 1,
            // One line without an end: up to the last whole character.
            (false, None) => match std::str::from_utf8(&self.rest) {
                Ok(text) => text.len(),
                Err(error) => error.valid_up_to().max(1),
            },
        };
        let rest = self.rest.split_off(cut);
        let piece = std::mem::replace(&mut self.rest, rest);
        let is_text = !piece.contains(&0);
        String::from_utf8(piece).ok().filter(|_| is_text).map(Some).ok_or_else(not_text)
    }
}

/// A whole text of at most `limit` bytes.
///
/// # Errors
///
/// As for [`Pieces::next`], and when it is longer.
pub(super) fn whole(bytes: Box<dyn Read>, limit: u64) -> io::Result<String> {
    let mut text = Vec::new();
    bytes.take(limit.saturating_add(1)).read_to_end(&mut text)?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > limit {
        let message = format!("is longer than {} MiB, and JSON is read as a whole", limit >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    String::from_utf8(text).ok().filter(|text| !text.contains('\0')).ok_or_else(not_text)
}

fn not_text() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "is no text")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &[u8], size: usize) -> io::Result<Vec<String>> {
        let mut pieces = Pieces { size, ..Pieces::new(Box::new(io::Cursor::new(text.to_vec()))) };
        let mut all = Vec::new();
        while let Some(piece) = pieces.next()? {
            all.push(piece);
        }
        Ok(all)
    }

    #[test]
    fn a_text_is_cut_behind_lines_and_nothing_is_lost() {
        assert_eq!(pieces(b"ab\ncd\nef", 4).unwrap(), ["ab\n", "cd\n", "ef"]);
        assert_eq!(pieces(b"", 4).unwrap(), [""; 0]);
        let text = "é".repeat(50);
        assert_eq!(pieces(text.as_bytes(), 5).unwrap().concat(), text);
    }

    #[test]
    fn what_is_no_text_is_told_apart() {
        for bytes in [&b"a\0b"[..], b"\xff\xfe"] {
            assert_eq!(pieces(bytes, 64).unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
    }
}
