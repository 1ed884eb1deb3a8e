//! Keywords: they are skipped, but for what they say of variables and patterns.

use super::{
    Stage, Word,
    parser::{Parser, Unparsed},
};

impl Parser<'_> {
    /// Reads a keyword if there is one: none, one that a command follows, or one
    /// that is a stage of its own.
    pub(super) fn keyword(&mut self) -> Result<Option<Option<Stage>>, Unparsed> {
        let rest = self.cursor.rest();
        let end = rest.find(|c: char| !matches!(c, 'a'..='z' | '!' | '[')).unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end).unwrap_or_default();
        if !after.is_empty()
            && !after.starts_with([' ', '\t', '\n', ';', '&', '|', ')', '(', '<', '>'])
        {
            return Ok(None);
        }
        match name {
            "time" if after.trim_start().starts_with(['(', '{', '!']) => {
                self.cursor.advance(end);
                Ok(Some(None))
            }
            "if" | "then" | "elif" | "else" | "while" | "until" | "do" | "!" | "coproc" => {
                self.cursor.advance(end);
                self.line_breaks();
                Ok(Some(None))
            }
            "fi" | "done" | "esac" => {
                self.cursor.advance(end);
                if name == "esac" {
                    self.cases = self.cases.saturating_sub(1);
                }
                Ok(Some(Some(Stage::default())))
            }
            "for" | "select" => {
                self.cursor.advance(end);
                self.each().map(|stage| Some(Some(stage)))
            }
            "case" => {
                self.cursor.advance(end);
                self.case().map(|stage| Some(Some(stage)))
            }
            "function" => {
                self.cursor.advance(end);
                self.cursor.blanks();
                let name = self.word()?.join().text;
                self.cursor.blanks();
                if self.cursor.eat("(") {
                    self.cursor.blanks();
                    self.cursor.eat(")");
                }
                self.function(name).map(|stage| Some(Some(stage)))
            }
            "[[" => {
                self.cursor.advance(end);
                self.condition().map(|stage| Some(Some(stage)))
            }
            _ => Ok(None),
        }
    }

    /// The head of a loop: its variable takes each of the words.
    fn each(&mut self) -> Result<Stage, Unparsed> {
        self.cursor.blanks();
        if self.cursor.rest().starts_with("((") && self.arithmetic()? {
            return Ok(Stage::default());
        }
        let name = self.word()?.join().text;
        self.line_breaks();
        let mut values = Vec::new();
        if self.cursor.eat("in") {
            loop {
                self.cursor.blanks();
                if self.cursor.peek().is_none_or(|c| matches!(c, '\n' | ';' | '&' | '|' | ')')) {
                    break;
                }
                values.extend(self.any_word()?);
            }
        }
        if values.is_empty() {
            values.push(Word { text: format!("${name}"), dynamic: true, ..Word::default() });
        }
        self.variables.each(&name, &values);
        Ok(Stage { nested: std::mem::take(&mut self.nested), ..Stage::default() })
    }

    /// The head of a `case`, up to its first command.
    fn case(&mut self) -> Result<Stage, Unparsed> {
        self.cursor.blanks();
        self.word()?;
        self.line_breaks();
        if !self.cursor.eat("in") {
            return Err(Unparsed::Unexpected);
        }
        self.cases = self.cases.saturating_add(1);
        self.pattern();
        Ok(Stage { nested: std::mem::take(&mut self.nested), ..Stage::default() })
    }

    /// Steps over `;;` and the next pattern.
    pub(super) fn next_case(&mut self) {
        while matches!(self.cursor.peek(), Some(';' | '&')) {
            self.cursor.bump();
        }
        self.pattern();
    }

    fn pattern(&mut self) {
        self.line_breaks();
        if self.cursor.rest().starts_with("esac") {
            return;
        }
        self.cursor.eat("(");
        while let Some(c) = self.cursor.bump() {
            match c {
                ')' => return,
                '\\' => {
                    self.cursor.bump();
                }
                '\'' | '"' => while self.cursor.bump().is_some_and(|inner| inner != c) {},
                _ => {}
            }
        }
    }

    /// What stands between `[[` and `]]`: nothing of it is run but substitutions.
    fn condition(&mut self) -> Result<Stage, Unparsed> {
        loop {
            self.cursor.blanks();
            match self.cursor.peek() {
                None => return Err(Unparsed::Unterminated),
                Some('\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>') => {
                    self.cursor.bump();
                }
                Some(_) => {
                    if self.word()?.finish().first().is_some_and(|word| word.text == "]]") {
                        let nested = std::mem::take(&mut self.nested);
                        return Ok(Stage { nested, ..Stage::default() });
                    }
                }
            }
        }
    }

    /// Reads `(( ))`, at which it stands; whether it is that, and not two groups.
    pub(super) fn arithmetic(&mut self) -> Result<bool, Unparsed> {
        let rest = self.cursor.rest();
        let mut open = 0_usize;
        let mut before = ' ';
        for (at, c) in rest.char_indices() {
            match c {
                '(' => open = open.saturating_add(1),
                ')' => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 {
                if before != ')' {
                    return Ok(false);
                }
                let inner = rest.get(2..at.saturating_sub(1)).unwrap_or_default();
                // It may hold substitutions, which run.
                self.expanded(inner)?;
                self.cursor.advance(at.saturating_add(1));
                return Ok(true);
            }
            before = c;
        }
        Ok(false)
    }
}
