//! A place in a text, and small steps from it.

/// A place in a text.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// A line break after which here-documents stand, and where they end.
    skip: Option<(usize, usize)>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, skip: None }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        match self.text.as_bytes().get(self.at) {
            Some(&byte) if byte.is_ascii() => Some(char::from(byte)),
            _ => self.rest().chars().next(),
        }
    }

    /// The byte after the next one.
    pub(super) fn second(&self) -> Option<char> {
        self.text.as_bytes().get(self.at.saturating_add(1)).copied().map(char::from)
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        if let Some((_, end)) = self.skip.take_if(|(line_break, _)| *line_break == self.at) {
            self.at = end;
        } else {
            self.at = self.at.saturating_add(c.len_utf8());
        }
        Some(c)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let there = self.rest().starts_with(text);
        if there {
            text.chars().for_each(|_| {
                self.bump();
            });
        }
        there
    }

    /// Steps over so many bytes, which end at a character.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    /// Skips blanks and continued lines.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => {
                    self.bump();
                }
                Some('\\') if self.second() == Some('\n') => {
                    self.bump();
                    self.bump();
                }
                _ => return,
            }
        }
    }

    /// Skips the rest of the line, but not its end.
    pub(super) fn line(&mut self) {
        let rest = self.rest();
        self.advance(rest.find('\n').unwrap_or(rest.len()));
    }

    /// What follows the line's end, where the next here-document starts.
    pub(super) fn next_lines(&self) -> Option<&'a str> {
        if let Some((_, end)) = self.skip {
            return self.text.get(end..);
        }
        self.rest().split_once('\n').map(|(_, lines)| lines)
    }

    /// Notes that here-documents stand before what remains.
    pub(super) fn skip_to(&mut self, remains: &str) {
        let end = self.text.len().saturating_sub(remains.len());
        let line_break = match self.skip {
            Some((line_break, _)) => Some(line_break),
            None => self.rest().find('\n').map(|found| self.at.saturating_add(found)),
        };
        self.skip = line_break.map(|line_break| (line_break, end));
    }
}
