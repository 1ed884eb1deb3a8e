//! Rewrites the string and number values inside a JSON text and leaves every
//! other byte as it is: numbers of any size, spacing, order and escapes.
//!
//! A parse into values and back would lose all of these. The reader keeps its
//! own stack, so depth costs memory (a byte a level) and never overflows.

use std::borrow::Cow;
use std::fmt;

/// The text is not JSON (RFC 8259).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotJson {
    /// The byte at which it stops being JSON.
    pub(crate) at: usize,
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not JSON from byte {} on", self.at)
    }
}

impl std::error::Error for NotJson {}

/// Offers every string and number value of `json` to `rewrite`, strings
/// unescaped, numbers as they are written. `Some` replaces the value by that
/// string; keys, `true`, `false` and `null` are never offered. Borrowed when
/// nothing was replaced. Half a surrogate pair is offered as U+FFFD.
///
/// # Errors
///
/// [`NotJson`] when `json` is not exactly one JSON text; `rewrite` may have
/// been asked about the values before that place.
#[cfg(test)]
pub(crate) fn rewrite_leaves(
    json: &str,
    mut rewrite: impl FnMut(&str) -> Option<String>,
) -> Result<Cow<'_, str>, NotJson> {
    rewrite_members(json, |member| rewrite(member.text))
}

/// A value in JSON that is a string or a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member<'a> {
    /// The name of the member that it belongs to, as it is written; none at the
    /// top. A value in a list belongs to the list's member.
    pub(crate) name: Option<&'a str>,
    /// What it says.
    pub(crate) text: &'a str,
    /// The byte at which it begins.
    pub(crate) at: usize,
}

/// As [`rewrite_leaves`], with the name and the place of each value.
///
/// # Errors
///
/// As for [`rewrite_leaves`].
pub(crate) fn rewrite_members(
    json: &str,
    rewrite: impl FnMut(Member<'_>) -> Option<String>,
) -> Result<Cow<'_, str>, NotJson> {
    let mut reader = Reader { json, at: 0, copied: 0, out: String::new(), name: None, rewrite };
    reader.read().ok_or(NotJson { at: reader.at })?;
    if reader.copied == 0 {
        return Ok(Cow::Borrowed(json));
    }
    reader.out.push_str(json.get(reader.copied..).unwrap_or_default());
    Ok(Cow::Owned(reader.out))
}

/// What may come next.
enum Expected {
    Value,
    /// After `[`.
    ValueOrEnd,
    /// After `{`.
    KeyOrEnd,
    /// After `,` in an object.
    Key,
    /// After a value.
    CommaOrEnd,
}

/// A text being read. Every reading method is `None` at the first byte that
/// cannot be JSON, with `at` there.
struct Reader<'j, F> {
    json: &'j str,
    at: usize,
    /// Up to where `json` was taken over into `out`.
    copied: usize,
    out: String,
    /// The last name that was read.
    name: Option<&'j str>,
    rewrite: F,
}

impl<F: FnMut(Member<'_>) -> Option<String>> Reader<'_, F> {
    fn read(&mut self) -> Option<()> {
        // The brackets that close what is open.
        let mut open: Vec<u8> = Vec::new();
        let mut expected = Expected::Value;
        loop {
            self.skip(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
            let Some(byte) = self.peek() else {
                let complete = open.is_empty() && matches!(expected, Expected::CommaOrEnd);
                return complete.then_some(());
            };
            let closes = open.last() == Some(&byte);
            expected = match (expected, byte) {
                (Expected::ValueOrEnd | Expected::KeyOrEnd | Expected::CommaOrEnd, _) if closes => {
                    open.pop();
                    self.at += 1;
                    Expected::CommaOrEnd
                }
                (Expected::CommaOrEnd, b',') if !open.is_empty() => {
                    self.at += 1;
                    if open.last() == Some(&b'}') { Expected::Key } else { Expected::Value }
                }
                (Expected::Key | Expected::KeyOrEnd, b'"') => {
                    self.key()?;
                    Expected::Value
                }
                (Expected::Value | Expected::ValueOrEnd, b'[') => {
                    open.push(b']');
                    self.at += 1;
                    Expected::ValueOrEnd
                }
                (Expected::Value | Expected::ValueOrEnd, b'{') => {
                    open.push(b'}');
                    self.at += 1;
                    Expected::KeyOrEnd
                }
                (Expected::Value | Expected::ValueOrEnd, _) => {
                    self.leaf(byte)?;
                    Expected::CommaOrEnd
                }
                _ => return None,
            };
        }
    }

    fn key(&mut self) -> Option<()> {
        let start = self.at + 1;
        self.string()?;
        self.name = self.json.get(start..self.at - 1);
        self.skip(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
        self.take(b':')
    }

    fn leaf(&mut self, byte: u8) -> Option<()> {
        let start = self.at;
        match byte {
            b'"' => {
                self.string()?;
                let text = unescape(self.json.get(start + 1..self.at - 1)?);
                self.offer(start, &text);
            }
            b't' => self.word("true")?,
            b'f' => self.word("false")?,
            b'n' => self.word("null")?,
            _ => {
                self.number()?;
                self.offer(start, self.json.get(start..self.at)?);
            }
        }
        Some(())
    }

    fn offer(&mut self, start: usize, text: &str) {
        let member = Member { name: self.name, text, at: start };
        if let Some(new) = (self.rewrite)(member) {
            self.out.push_str(self.json.get(self.copied..start).unwrap_or_default());
            escape(&new, &mut self.out);
            self.copied = self.at;
        }
    }

    /// Reads over a string, quotes included.
    fn string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            self.skip(|b| b >= b' ' && b != b'"' && b != b'\\');
            match self.peek()? {
                b'"' => return self.take(b'"'),
                b'\\' => {
                    self.at += 1;
                    match self.peek()? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
                        b'u' => {
                            self.at += 1;
                            for _ in 0..4 {
                                self.peek().filter(u8::is_ascii_hexdigit)?;
                                self.at += 1;
                            }
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }

    fn number(&mut self) -> Option<()> {
        self.skip_one(|b| b == b'-');
        if !self.skip_one(|b| b == b'0') {
            self.digits()?;
        }
        if self.skip_one(|b| b == b'.') {
            self.digits()?;
        }
        if self.skip_one(|b| matches!(b, b'e' | b'E')) {
            self.skip_one(|b| matches!(b, b'+' | b'-'));
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        self.peek().filter(u8::is_ascii_digit)?;
        self.skip(|b| b.is_ascii_digit());
        Some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        word.bytes().try_for_each(|byte| self.take(byte))
    }

    fn peek(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_one(|b| b == byte).then_some(())
    }

    fn skip_one(&mut self, wanted: impl Fn(u8) -> bool) -> bool {
        let found = self.peek().is_some_and(wanted);
        self.at += usize::from(found);
        found
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        let tail = self.json.as_bytes().get(self.at..).unwrap_or_default();
        self.at += tail.iter().take_while(|b| wanted(**b)).count();
    }
}

/// What a valid string literal stands for.
fn unescape(literal: &str) -> Cow<'_, str> {
    if !literal.contains('\\') {
        return Cow::Borrowed(literal);
    }
    let mut units: Vec<u16> = Vec::new();
    let mut out = String::with_capacity(literal.len());
    let mut chars = literal.chars();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next() } else { None };
        if escaped == Some('u') {
            // Kept until something else comes: two may be one character.
            let hex = (0..4).filter_map(|_| chars.next()?.to_digit(16));
            units.push(hex.fold(0, |unit, digit| (unit << 4) | u16::try_from(digit).unwrap_or(0)));
            continue;
        }
        flush(&mut units, &mut out);
        out.push(match escaped {
            None => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(itself) => itself,
        });
    }
    flush(&mut units, &mut out);
    Cow::Owned(out)
}

fn flush(units: &mut Vec<u16>, out: &mut String) {
    out.extend(
        char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)),
    );
}

fn escape(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
