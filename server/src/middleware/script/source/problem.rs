//! What is wrong with a script file, and where.

use std::fmt;

use super::position::Position;

/// A longer line is not shown: it was made by a tool, and would hide the message.
const LONGEST_EXCERPT: usize = 200;

/// One thing that is wrong with a file of a script.
///
/// Displayed as `guards/keys.ts:3:14: Unexpected token`, which editors turn into a link.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}{}", Suffix(.help.as_deref()))]
pub(crate) struct SourceProblem {
    /// The name of the file, with `/` between folders.
    pub file: String,
    /// The line, counted from one.
    pub line: u32,
    /// The column in UTF-16 code units, counted from one.
    pub column: u32,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What to do about it, or what it has to do with.
    pub help: Option<String>,
    /// The line of the file, unless it is very long.
    pub excerpt: Option<String>,
}

/// What is wrong, before it is known where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    /// What is wrong, without a full stop.
    pub(super) message: String,
    /// What to do about it.
    pub(super) help: Option<String>,
}

impl Complaint {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// Adds what to do about it.
    pub(super) fn help(self, help: impl Into<Option<String>>) -> Self {
        Self { help: help.into(), ..self }
    }

    /// Places it at a byte of a file's text.
    pub(super) fn at_byte(self, file: &str, text: &str, offset: usize) -> SourceProblem {
        let position = Position::of_byte(text, offset);
        let line = line_around(text, offset);
        let excerpt = (line.len() <= LONGEST_EXCERPT).then(|| line.to_owned());
        SourceProblem { excerpt, ..self.at(file, position) }
    }

    /// Places it where no text can be shown.
    pub(super) fn at(self, file: &str, position: Position) -> SourceProblem {
        SourceProblem {
            file: file.to_owned(),
            line: position.line,
            column: position.column,
            message: self.message,
            help: self.help,
            excerpt: None,
        }
    }
}

/// The line that a byte is in, without what ends it.
fn line_around(text: &str, offset: usize) -> &str {
    let ends_line = |c| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    let (before, after) = text.split_at(text.floor_char_boundary(offset));
    let start = before.rfind(ends_line).map_or(0, |at| before.ceil_char_boundary(at + 1));
    let end = before.len() + after.find(ends_line).unwrap_or(after.len());
    text.get(start..end).unwrap_or_default()
}

/// Help as it follows a message.
struct Suffix<'a>(Option<&'a str>);

impl fmt::Display for Suffix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_shown_as_a_link_with_its_help() {
        let complaint = Complaint::new("it is wrong").help("mend it".to_owned());
        let problem = complaint.at_byte("a.ts", "x;\ny;", 4);
        assert_eq!(problem.to_string(), "a.ts:2:2: it is wrong; mend it");
        assert_eq!(problem.excerpt.as_deref(), Some("y;"));
    }

    #[test]
    fn the_excerpt_is_the_line_of_the_place() {
        let text = "a\r\nbé\u{2028}c";
        assert_eq!(line_around(text, 0), "a");
        assert_eq!(line_around(text, 5), "bé");
        assert_eq!(line_around(text, text.len()), "c");
    }

    #[test]
    fn a_very_long_line_is_not_shown() {
        let text = "x".repeat(LONGEST_EXCERPT + 1);
        assert_eq!(Complaint::new("m").at_byte("a.ts", &text, 0).excerpt, None);
    }
}
