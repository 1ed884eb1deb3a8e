//! A command with its assignments, words and redirections.

use super::{
    Redirect, RedirectKind, Script, Stage, Word,
    parser::{End, Parser, Unparsed},
    word::Words,
};

impl Parser<'_> {
    pub(super) fn simple(&mut self) -> Result<Stage, Unparsed> {
        let mut stage = Stage::default();
        let outer = std::mem::take(&mut self.nested);
        loop {
            self.cursor.blanks();
            if let Some(redirect) = self.redirect()? {
                stage.redirects.push(redirect);
                continue;
            }
            match self.cursor.peek() {
                None | Some('\n' | ';' | '&' | '|' | ')') => break,
                Some('#') => {
                    self.cursor.line();
                    break;
                }
                Some('(') => {
                    if let [name] = stage.words.as_slice() {
                        let name = name.text.clone();
                        if self.empty_parentheses() {
                            self.nested = outer;
                            return self.function(name);
                        }
                    }
                    return Err(Unparsed::Unexpected);
                }
                Some(_) if stage.words.is_empty() && self.assignment()? => {}
                Some(_) => stage.words.extend(self.any_word()?),
            }
        }
        self.declare(&stage.words);
        stage.nested = std::mem::replace(&mut self.nested, outer);
        Ok(stage)
    }

    /// Adds the redirections that follow a group.
    pub(super) fn redirected(&mut self, mut stage: Stage) -> Result<Stage, Unparsed> {
        loop {
            self.cursor.blanks();
            let Some(redirect) = self.redirect()? else { break };
            stage.redirects.push(redirect);
        }
        stage.nested.append(&mut self.nested);
        Ok(stage)
    }

    fn empty_parentheses(&mut self) -> bool {
        let rest = self.cursor.rest();
        let inner = rest.trim_start_matches(['(', ' ']);
        let empty = inner.starts_with(')');
        if empty {
            self.cursor.advance(rest.len().saturating_sub(inner.len()).saturating_add(1));
        }
        empty
    }

    /// Reads `NAME=value`, if that is what follows.
    fn assignment(&mut self) -> Result<bool, Unparsed> {
        let rest = self.cursor.rest();
        let Some((name, adds)) = assigned(rest) else { return Ok(false) };
        let skip = name.len().saturating_add(if adds { 2 } else { 1 });
        self.cursor.advance(skip);
        let value = if self.cursor.eat("(") {
            let mut values = Vec::new();
            loop {
                self.line_breaks();
                match self.cursor.peek() {
                    None => return Err(Unparsed::Unterminated),
                    Some(')') => {
                        self.cursor.bump();
                        break;
                    }
                    Some(c) if is_end(c) => {
                        self.cursor.bump();
                    }
                    Some(_) => values.extend(self.word()?.finish()),
                }
            }
            self.variables.each(name, &values);
            return Ok(true);
        } else {
            self.word()?.join()
        };
        if adds {
            self.variables.append(name, &value);
        } else {
            self.variables.set(name, value);
        }
        Ok(true)
    }

    /// Takes over what `export`, `declare` and `read` say of variables.
    fn declare(&mut self, words: &[Word]) {
        let Some((command, arguments)) = words.split_first() else { return };
        match command.text.as_str() {
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                for word in arguments {
                    if let Some((name, _)) = assigned(&word.text) {
                        let value = word.text.split_once('=').map_or("", |(_, value)| value);
                        let value = Word { text: value.to_owned(), ..word.clone() };
                        self.variables.set(name, value);
                    }
                }
            }
            "read" | "mapfile" | "readarray" => {
                for word in arguments.iter().filter(|word| !word.text.starts_with('-')) {
                    let text = format!("${}", word.text);
                    self.variables.set(&word.text, Word { text, dynamic: true, ..Word::default() });
                }
            }
            _ => {}
        }
    }

    /// A word, or a process substitution that stands for one.
    pub(super) fn any_word(&mut self) -> Result<Vec<Word>, Unparsed> {
        if self.cursor.rest().starts_with("<(") || self.cursor.rest().starts_with(">(") {
            self.cursor.advance(2);
            let script = self.list(End::Parenthesis)?;
            let text = "/dev/fd/63".to_owned();
            let source = Some(self.nest(script));
            return Ok(vec![Word { text, dynamic: true, glob: false, source }]);
        }
        let before = self.cursor.rest().len();
        let words = self.word()?.finish();
        if self.cursor.rest().len() == before {
            return Err(Unparsed::Unexpected);
        }
        Ok(words)
    }

    /// Keeps a nested script, and says where.
    pub(super) fn nest(&mut self, script: Script) -> usize {
        self.nested.push(script);
        self.nested.len().saturating_sub(1)
    }

    /// Reads a redirection, if that is what follows.
    fn redirect(&mut self) -> Result<Option<Redirect>, Unparsed> {
        let rest = self.cursor.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let operator = rest.get(digits..).unwrap_or_default();
        let substitutes = operator.starts_with("<(") || operator.starts_with(">(");
        let (kind, length) = match operator.as_bytes() {
            _ if substitutes => return Ok(None),
            [b'&', b'>', b'>', ..] if digits == 0 => (RedirectKind::Append, 3),
            [b'&', b'>', ..] if digits == 0 => (RedirectKind::Write, 2),
            [b'<', b'<', b'<', ..] => (RedirectKind::Text, 3),
            [b'<', b'<', next, ..] => {
                let indented = *next == b'-';
                self.cursor.advance(digits.saturating_add(if indented { 3 } else { 2 }));
                return self.heredoc(indented).map(Some);
            }
            [b'>', b'>', ..] => (RedirectKind::Append, 2),
            [b'>' | b'<', b'&', ..] => (RedirectKind::Descriptor, 2),
            [b'>', b'|', ..] | [b'<', b'>', ..] => (RedirectKind::Write, 2),
            [b'>', ..] => (RedirectKind::Write, 1),
            [b'<', ..] => (RedirectKind::Read, 1),
            _ => return Ok(None),
        };
        self.cursor.advance(digits.saturating_add(length));
        self.cursor.blanks();
        let target = match self.cursor.rest().starts_with(['<', '>']) {
            true => self.any_word()?.into_iter().next().unwrap_or_default(),
            false => self.word()?.join(),
        };
        let copies = kind == RedirectKind::Descriptor
            && target.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let kind = match kind {
            // `>& file` writes to a file.
            RedirectKind::Descriptor if !copies => RedirectKind::Write,
            kind => kind,
        };
        Ok(Some(Redirect { kind, target }))
    }

    /// Reads a word: what it becomes may be several, or none.
    pub(super) fn word(&mut self) -> Result<Words, Unparsed> {
        let mut words = Words::new();
        while let Some(c) = self.cursor.peek() {
            match c {
                c if is_end(c) => break,
                '\'' | '"' => self.quote(&mut words, c)?,
                '\\' => self.escape(&mut words),
                '$' => self.dollar(&mut words, false)?,
                '`' => self.backquote(&mut words, false)?,
                '{' => self.braces(&mut words),
                c => {
                    self.cursor.bump();
                    words.push(c);
                    if matches!(c, '*' | '?' | '[') {
                        words.glob();
                    }
                }
            }
        }
        if words.too_many { Err(Unparsed::TooLarge) } else { Ok(words) }
    }
}

fn is_end(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>')
}

/// The name before `=` or `+=`, if the text starts so.
fn assigned(text: &str) -> Option<(&str, bool)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, after) = text.split_at_checked(end)?;
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let adds = after.starts_with("+=");
    (named && (adds || after.starts_with('='))).then_some((name, adds))
}
