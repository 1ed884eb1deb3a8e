//! What a `$` or a backquote stands for.

use super::{
    Script, Word,
    output::output,
    parser::{End, Parser, Unparsed},
    variables::Variable,
    word::Words,
};

impl Parser<'_> {
    /// Reads an expansion, at whose `$` it stands.
    pub(super) fn dollar(&mut self, words: &mut Words, quoted: bool) -> Result<(), Unparsed> {
        self.cursor.bump();
        let rest = self.cursor.rest();
        match self.cursor.peek() {
            Some('(') if rest.starts_with("((") && self.arithmetic()? => {
                words.push_str("$(())");
                words.dynamic();
            }
            Some('(') => {
                self.cursor.bump();
                let script = self.list(End::Parenthesis)?;
                self.substitute(words, script, quoted);
            }
            Some('\'') if !quoted => self.ansi(words)?,
            Some('"') if !quoted => self.quote(words, '"')?,
            Some('{') => self.parameter(words, quoted)?,
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                self.cursor.advance(name.len());
                self.value(words, name, quoted);
            }
            Some(c) if c.is_ascii_digit() || "@*#?$!-".contains(c) => {
                self.cursor.bump();
                words.push('$');
                words.push(c);
                words.dynamic();
            }
            _ => words.push('$'),
        }
        Ok(())
    }

    /// Reads `` `…` ``, at whose first quote it stands.
    pub(super) fn backquote(&mut self, words: &mut Words, quoted: bool) -> Result<(), Unparsed> {
        self.cursor.bump();
        let mut inner = String::new();
        loop {
            match self.cursor.bump() {
                None => return Err(Unparsed::Unterminated),
                Some('`') => break,
                Some('\\') => match self.cursor.peek() {
                    Some(c @ ('`' | '\\' | '$')) => {
                        self.cursor.bump();
                        inner.push(c);
                    }
                    _ => inner.push('\\'),
                },
                Some(c) => inner.push(c),
            }
        }
        let script = Parser::inside(&inner, self)?.list(End::Text)?;
        self.substitute(words, script, quoted);
        Ok(())
    }

    fn substitute(&mut self, words: &mut Words, script: Script, quoted: bool) {
        match output(&script) {
            Some(text) if quoted => words.push_str(text.trim_end_matches('\n')),
            Some(text) => words.push_split(text.trim_end_matches('\n')),
            None => {
                words.push_str("$()");
                words.dynamic();
            }
        }
        let index = self.nest(script);
        words.source(index);
    }

    /// Reads `${…}`, at whose brace it stands.
    fn parameter(&mut self, words: &mut Words, quoted: bool) -> Result<(), Unparsed> {
        self.cursor.bump();
        let rest = self.cursor.rest();
        let inner = rest.get(..closing(rest).ok_or(Unparsed::Unterminated)?).unwrap_or_default();
        self.cursor.advance(inner.len().saturating_add(1));
        let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, operation) =
            inner.split_at_checked(end.unwrap_or(inner.len())).unwrap_or_default();
        let known = self.variables.get(name).is_some_and(|known| !known.value.dynamic);
        match operation {
            "" => self.value(words, name, quoted),
            "[@]" | "[*]" => self.value(words, name, quoted),
            ",," | "^^" if known => {
                let text = self.variables.get(name).map(|known| known.value.text.clone());
                let text = text.unwrap_or_default();
                let lower = operation == ",,";
                words.push_str(&if lower { text.to_lowercase() } else { text.to_uppercase() });
            }
            _ => self.operation(words, name, operation, quoted)?,
        }
        Ok(())
    }

    fn operation(
        &mut self,
        words: &mut Words,
        name: &str,
        operation: &str,
        quoted: bool,
    ) -> Result<(), Unparsed> {
        let plain = operation.trim_start_matches(':');
        let default = plain.strip_prefix(['-', '=']);
        let known = self.variables.get(name).is_some();
        match (default, known) {
            (Some(default), false) => {
                let value = self.expanded(default)?;
                push(words, &Variable { value, list: false }, quoted);
            }
            (Some(_), true) => self.value(words, name, quoted),
            (None, _) if plain.starts_with('?') => self.value(words, name, quoted),
            _ => {
                // It may hold a substitution, which runs.
                self.expanded(operation)?;
                words.push_str("${");
                words.push_str(name);
                words.push('}');
                words.dynamic();
            }
        }
        Ok(())
    }

    fn value(&mut self, words: &mut Words, name: &str, quoted: bool) {
        let length = self.variables.get(name).map(|variable| variable.value.text.len());
        let fits = length.is_some_and(|length| self.variables.spend(length));
        match self.variables.get(name).filter(|_| fits) {
            Some(variable) => push(words, variable, quoted),
            None => {
                words.push('$');
                words.push_str(name);
                words.dynamic();
            }
        }
    }
}

fn push(words: &mut Words, variable: &Variable, quoted: bool) {
    let Word { text, dynamic, glob, .. } = &variable.value;
    if quoted && !variable.list {
        words.push_str(text);
    } else {
        words.push_split(text);
        if *glob {
            words.glob();
        }
    }
    if *dynamic {
        words.dynamic();
    }
}

/// Where the brace that is open closes.
fn closing(text: &str) -> Option<usize> {
    let mut open = 1_usize;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => open = open.saturating_add(1),
            '}' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
