//! Lists, pipelines and groups.

use super::{Pipeline, Script, Stage, Variables, cursor::Cursor};

/// Why a text could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unparsed {
    /// A quote, a group or a substitution does not end.
    Unterminated,
    /// Something stands where nothing may.
    Unexpected,
    /// It is nested too deeply, or too long.
    TooLarge,
}

/// Reads a text as a shell would.
///
/// # Errors
///
/// When it does not follow the grammar, or is too large.
pub(crate) fn parse(text: &str, variables: &mut Variables) -> Result<Script, Unparsed> {
    if text.len() > LONGEST {
        return Err(Unparsed::TooLarge);
    }
    let mut parser = Parser::new(text, variables, 0);
    parser.list(End::Text)
}

/// The longest text that is parsed, in bytes.
const LONGEST: usize = 1 << 18;

/// How deeply groups and substitutions may be nested.
const DEEPEST: u8 = 24;

/// Reads a text as a shell would.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) variables: &'a mut Variables,
    /// What runs inside the words of the command that is read.
    pub(super) nested: Vec<Script>,
    /// How many `case` are open.
    pub(super) cases: usize,
    /// How many here-documents were read.
    pub(super) documents: usize,
    depth: u8,
}

/// What ends a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Text,
    Parenthesis,
    Brace,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, variables: &'a mut Variables, depth: u8) -> Self {
        Self {
            cursor: Cursor::new(text),
            variables,
            nested: Vec::new(),
            cases: 0,
            documents: 0,
            depth,
        }
    }

    /// A parser of a text inside of another.
    pub(super) fn inside(text: &'a str, outer: &'a mut Parser<'_>) -> Result<Self, Unparsed> {
        let depth = outer.depth.saturating_add(1);
        if depth > DEEPEST {
            return Err(Unparsed::TooLarge);
        }
        Ok(Self::new(text, outer.variables, depth))
    }

    pub(super) fn list(&mut self, end: End) -> Result<Script, Unparsed> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > DEEPEST {
            return Err(Unparsed::TooLarge);
        }
        let outer = std::mem::take(&mut self.nested);
        let result = self.pipelines(end);
        self.nested = outer;
        self.depth = self.depth.saturating_sub(1);
        result
    }

    fn pipelines(&mut self, end: End) -> Result<Script, Unparsed> {
        let mut script = Script::default();
        loop {
            self.cursor.blanks();
            match (self.cursor.peek(), end) {
                (None, End::Text) => return Ok(script),
                (None, _) => return Err(Unparsed::Unterminated),
                (Some(')'), End::Parenthesis) | (Some('}'), End::Brace) => {
                    self.cursor.bump();
                    return Ok(script);
                }
                (Some(')'), _) => return Err(Unparsed::Unexpected),
                (Some('#'), _) => self.cursor.line(),
                (Some(';'), _) if self.cases > 0 && self.cursor.second() == Some(';') => {
                    self.next_case();
                }
                (Some('\n' | ';' | '&' | '|' | '}'), _) => {
                    self.cursor.bump();
                }
                _ => script.pipelines.push(self.pipeline()?),
            }
        }
    }

    fn pipeline(&mut self) -> Result<Pipeline, Unparsed> {
        let mut pipeline = Pipeline::default();
        loop {
            pipeline.stages.push(self.stage()?);
            self.cursor.blanks();
            let piped = self.cursor.peek() == Some('|') && self.cursor.second() != Some('|');
            if !piped {
                break;
            }
            self.cursor.bump();
            self.cursor.eat("&");
            self.line_breaks();
        }
        if self.cursor.peek() == Some('&') && self.cursor.second() != Some('&') {
            self.cursor.bump();
            pipeline.background = true;
        }
        Ok(pipeline)
    }

    fn stage(&mut self) -> Result<Stage, Unparsed> {
        loop {
            self.cursor.blanks();
            if self.cursor.rest().starts_with("((") && self.arithmetic()? {
                return self.redirected(Stage::default());
            }
            if self.cursor.eat("(") {
                let body = Some(self.list(End::Parenthesis)?);
                return self.redirected(Stage { body, ..Stage::default() });
            }
            let rest = self.cursor.rest();
            if rest.starts_with('{') && rest.get(1..2).is_none_or(|next| next.trim().is_empty()) {
                self.cursor.bump();
                let body = Some(self.list(End::Brace)?);
                return self.redirected(Stage { body, ..Stage::default() });
            }
            match self.keyword()? {
                None => return self.simple(),
                Some(Some(stage)) => return self.redirected(stage),
                // What follows is a command of its own.
                Some(None) => {}
            }
        }
    }

    /// The body of a function whose name and parentheses are read.
    pub(super) fn function(&mut self, name: String) -> Result<Stage, Unparsed> {
        self.line_breaks();
        self.depth = self.depth.saturating_add(1);
        if self.depth > DEEPEST {
            return Err(Unparsed::TooLarge);
        }
        let inner = self.stage()?;
        self.depth = self.depth.saturating_sub(1);
        let pipeline = Pipeline { stages: vec![inner], background: false };
        let body = Some(Script { pipelines: vec![pipeline] });
        Ok(Stage { body, function: Some(name), ..Stage::default() })
    }

    /// Skips blanks and line breaks.
    pub(super) fn line_breaks(&mut self) {
        self.cursor.blanks();
        while self.cursor.eat("\n") {
            self.cursor.blanks();
        }
    }
}
