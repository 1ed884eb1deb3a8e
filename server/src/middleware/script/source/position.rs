//! Places in a text: byte offsets, and lines and columns as people and QuickJS count them.

use std::collections::HashMap;
use std::fmt;

/// A place in a source file.
///
/// Both numbers count from one.
/// Columns count UTF-16 code units, and U+2028 and U+2029 end lines, as TypeScript has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Position {
    /// Where a text begins.
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// The place of the byte at `offset` of `text`; its end, if `offset` is behind it.
    pub(super) fn of_byte(text: &str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset);
        let before = Self::of_characters(text).take_while(|(at, _)| *at <= offset);
        before.last().map_or(Self::START, |(_, position)| position)
    }

    /// The places of the bytes at `offsets`, which are sorted and begin characters.
    pub(super) fn of_bytes(text: &str, offsets: &[u32]) -> HashMap<u32, Self> {
        let mut characters = Self::of_characters(text);
        let mut positions = HashMap::new();
        for offset in offsets {
            if positions.contains_key(offset) {
                continue;
            }
            let found = characters.find(|(at, _)| *at >= *offset as usize);
            let Some((_, position)) = found else { break };
            positions.insert(*offset, position);
        }
        positions
    }

    /// The offset and the place of each character, and of the end.
    fn of_characters(text: &str) -> impl Iterator<Item = (usize, Self)> {
        let starts = text.char_indices().chain([(text.len(), '\0')]);
        starts.scan(Self::START, |next, (at, character)| {
            let position = *next;
            // The line feed ends the line, not the carriage return before it.
            let ends_line = match character {
                '\n' | '\u{2028}' | '\u{2029}' => true,
                '\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            *next = if ends_line {
                Self { line: position.line + 1, column: 1 }
            } else {
                let units = u32::from(character.len_utf16() == 2) + 1;
                Self { column: position.column + units, ..position }
            };
            Some((at, position))
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The byte of `code` that QuickJS calls `line` and `column`.
///
/// QuickJS counts both from one, columns in bytes, and U+2028 and U+2029 do not end lines.
/// `None` for a line that there is not, such as the line 0 of code that QuickJS made itself.
pub(super) fn byte_in_quickjs(code: &str, line: u32, column: u32) -> Option<usize> {
    let above = usize::try_from(line).ok()?.checked_sub(1)?;
    let bytes = code.as_bytes();
    let ends_line = |at: &usize| match bytes.get(*at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let mut ends = (0..bytes.len()).filter(ends_line);
    let start = match above.checked_sub(1) {
        None => 0,
        Some(skipped) => ends.nth(skipped)? + 1,
    };
    let end = ends.next().unwrap_or(bytes.len());
    Some(end.min(start + usize::try_from(column).ok()?.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_byte(text: &str, offset: usize) -> (u32, u32) {
        let Position { line, column } = Position::of_byte(text, offset);
        (line, column)
    }

    #[test]
    fn a_column_counts_utf16_units() {
        let text = "é😀x";
        assert_eq!(of_byte(text, 0), (1, 1));
        assert_eq!(of_byte(text, 2), (1, 2));
        assert_eq!(of_byte(text, 6), (1, 4));
    }

    #[test]
    fn an_offset_inside_a_character_or_behind_the_end_is_rounded_down() {
        assert_eq!(of_byte("é", 1), (1, 1));
        assert_eq!(of_byte("é", 9), (1, 2));
    }

    #[test]
    fn many_places_are_those_of_each() {
        let text = "aé😀\nb\r\nc";
        let offsets = [0, 1, 3, 7, 8, 11, 12];
        let found = Position::of_bytes(text, &offsets);
        for offset in offsets {
            assert_eq!(found[&offset], Position::of_byte(text, offset as usize), "{offset}");
        }
    }

    #[test]
    fn every_line_terminator_of_the_language_ends_a_line() {
        let text = "a\nb\r\nc\rd\u{2028}e";
        let line_of = |wanted| of_byte(text, text.find(wanted).unwrap());
        assert_eq!(line_of('b'), (2, 1));
        assert_eq!(line_of('c'), (3, 1));
        assert_eq!(line_of('d'), (4, 1));
        assert_eq!(line_of('e'), (5, 1));
    }

    #[test]
    fn quickjs_counts_bytes_and_fewer_line_ends() {
        let code = "é\u{2028}\nxy\r\nz\rlast";
        assert_eq!(byte_in_quickjs(code, 1, 3), Some(2));
        assert_eq!(byte_in_quickjs(code, 2, 2), Some(7));
        assert_eq!(byte_in_quickjs(code, 3, 1), Some(10));
        assert_eq!(byte_in_quickjs(code, 4, 99), Some(code.len()));
        assert_eq!(byte_in_quickjs(code, 0, 1), None);
        assert_eq!(byte_in_quickjs(code, 5, 1), None);
    }
}
