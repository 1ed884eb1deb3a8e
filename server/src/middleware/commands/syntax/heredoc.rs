//! Here-documents: `<<EOF` takes the following lines as input.

use super::{
    Redirect, RedirectKind, Word,
    parser::{Parser, Unparsed},
    word::Words,
};

/// How many here-documents a text may have: each may be looked for in all lines.
const MOST: usize = 64;

impl Parser<'_> {
    /// Reads a here-document after its `<<` or `<<-`.
    pub(super) fn heredoc(&mut self, indented: bool) -> Result<Redirect, Unparsed> {
        self.documents = self.documents.saturating_add(1);
        if self.documents > MOST {
            return Err(Unparsed::TooLarge);
        }
        self.cursor.blanks();
        let quoted = self.cursor.rest().starts_with(['\'', '"', '\\']);
        let delimiter = self.word()?.join().text;
        let lines = self.cursor.next_lines().unwrap_or_default();
        let (body, remains) = cut(lines, &delimiter, indented);
        self.cursor.skip_to(remains);
        let target = if quoted { Word::plain(body) } else { self.expanded(body)? };
        Ok(Redirect { kind: RedirectKind::Text, target })
    }

    /// Expands a text that stands in no quotes, but in which quotes mean nothing.
    pub(super) fn expanded(&mut self, text: &str) -> Result<Word, Unparsed> {
        if !text.contains(['$', '`']) {
            return Ok(Word::plain(text));
        }
        let mut inner = Parser::inside(text, self)?;
        let mut words = Words::new();
        words.start();
        let result = inner.quoted(&mut words, None);
        let mut nested = std::mem::take(&mut inner.nested);
        let offset = self.nested.len();
        self.nested.append(&mut nested);
        result?;
        let mut word = words.join();
        word.source = word.source.map(|source| source.saturating_add(offset));
        Ok(word)
    }
}

/// Cuts lines at the delimiter's line: the document, and what remains.
///
/// A delimiter that `)` follows ends the document too, as shells take it inside
/// of `$( )`.
fn cut<'a>(lines: &'a str, delimiter: &str, indented: bool) -> (&'a str, &'a str) {
    let mut at = 0_usize;
    for line in lines.split_inclusive('\n') {
        let mut content = line.trim_end_matches(['\n', '\r']);
        if indented {
            content = content.trim_start_matches('\t');
        }
        let after = content.strip_prefix(delimiter).filter(|_| !delimiter.is_empty());
        if after.is_some_and(|after| after.is_empty() || after.starts_with(')')) {
            let end = match after {
                Some("") | None => line.len(),
                Some(after) => {
                    line.trim_end_matches(['\n', '\r']).len().saturating_sub(after.len())
                }
            };
            let remains = lines.get(at.saturating_add(end)..).unwrap_or_default();
            return (lines.get(..at).unwrap_or_default(), remains);
        }
        at = at.saturating_add(line.len());
    }
    (lines, "")
}
