//! Quotes, backslashes and braces.

use super::{
    parser::{Parser, Unparsed},
    word::Words,
};

impl Parser<'_> {
    /// Reads a quoted part of a word, at whose quote it stands.
    pub(super) fn quote(&mut self, words: &mut Words, quote: char) -> Result<(), Unparsed> {
        self.cursor.bump();
        words.start();
        if quote == '"' {
            return self.quoted(words, Some('"'));
        }
        loop {
            match self.cursor.bump() {
                None => return Err(Unparsed::Unterminated),
                Some('\'') => return Ok(()),
                Some(c) => words.push(c),
            }
        }
    }

    /// Reads text in double quotes up to its end, or all of it.
    pub(super) fn quoted(&mut self, words: &mut Words, end: Option<char>) -> Result<(), Unparsed> {
        loop {
            match self.cursor.peek() {
                None if end.is_some() => return Err(Unparsed::Unterminated),
                None => return Ok(()),
                c if c == end => {
                    self.cursor.bump();
                    return Ok(());
                }
                Some('$') => self.dollar(words, true)?,
                Some('`') => self.backquote(words, true)?,
                Some('\\') => {
                    self.cursor.bump();
                    match self.cursor.peek() {
                        Some(c @ ('$' | '`' | '"' | '\\')) => {
                            self.cursor.bump();
                            words.push(c);
                        }
                        Some('\n') => {
                            self.cursor.bump();
                        }
                        _ => words.push('\\'),
                    }
                }
                Some(c) => {
                    self.cursor.bump();
                    words.push(c);
                }
            }
        }
    }

    /// Reads a backslash and what it protects.
    pub(super) fn escape(&mut self, words: &mut Words) {
        self.cursor.bump();
        // A path of Windows keeps its backslashes.
        if words.text().as_bytes().get(1) == Some(&b':') {
            words.push('\\');
            return;
        }
        match self.cursor.bump() {
            Some('\n') => {}
            Some(c) => words.push(c),
            None => words.push('\\'),
        }
    }

    /// Reads `$'…'`, at whose quote it stands.
    pub(super) fn ansi(&mut self, words: &mut Words) -> Result<(), Unparsed> {
        self.cursor.bump();
        words.start();
        loop {
            match self.cursor.bump() {
                None => return Err(Unparsed::Unterminated),
                Some('\'') => return Ok(()),
                Some('\\') => self.ansi_escape(words)?,
                Some(c) => words.push(c),
            }
        }
    }

    fn ansi_escape(&mut self, words: &mut Words) -> Result<(), Unparsed> {
        let c = self.cursor.bump().ok_or(Unparsed::Unterminated)?;
        match c {
            'n' => words.push('\n'),
            't' => words.push('\t'),
            'r' => words.push('\r'),
            'a' | 'b' | 'e' | 'E' | 'f' | 'v' => words.push(' '),
            'x' => self.code(words, 16, 2, 0),
            'u' => self.code(words, 16, 4, 0),
            'U' => self.code(words, 16, 8, 0),
            '0'..='7' => self.code(words, 8, 2, c.to_digit(8).unwrap_or_default()),
            c => words.push(c),
        }
        Ok(())
    }

    /// Reads the digits of a character's number.
    fn code(&mut self, words: &mut Words, radix: u32, most: usize, first: u32) {
        let mut value = first;
        for _ in 0..most {
            let Some(digit) = self.cursor.peek().and_then(|c| c.to_digit(radix)) else { break };
            self.cursor.bump();
            value = value.saturating_mul(radix).saturating_add(digit);
        }
        words.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
    }

    /// Reads `{a,b}`, at which it stands, or a plain brace.
    pub(super) fn braces(&mut self, words: &mut Words) {
        let rest = self.cursor.rest();
        let inner = rest.get(1..).unwrap_or_default();
        let end = inner.find(|c: char| {
            matches!(c, '}' | '{' | '$' | '`' | '\'' | '"' | '\\' | ';' | '|' | '&')
                || c.is_whitespace()
        });
        let group = end.and_then(|end| inner.split_at_checked(end));
        match group {
            Some((group, after)) if after.starts_with('}') && group.contains(',') => {
                let alternatives: Vec<_> = group.split(',').collect();
                words.multiply(&alternatives);
                self.cursor.advance(group.len().saturating_add(2));
            }
            _ => {
                self.cursor.bump();
                words.push('{');
            }
        }
    }
}
