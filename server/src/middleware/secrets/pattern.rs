//! The form of a token: literals and character classes with a count.
//!
//! A class takes as much as it can and never gives back, so that a match costs
//! no more than the token is long.

use super::bytes::{ByteSet, View};
use std::ops::Range;

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Element {
    Literal(Box<[u8]>),
    Class { set: ByteSet, min: u16, max: u16 },
}

/// A compiled pattern, around the literal that is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Before the anchor, nearest first.
    before: Box<[Element]>,
    anchor: Box<[u8]>,
    after: Box<[Element]>,
    /// Where the secret begins and ends, counted in parts of the whole pattern.
    secret: (u8, u8),
}

/// Why a pattern cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct BadPattern(pub(super) String);

/// Where a pattern matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Match {
    /// The secret in it.
    pub(super) secret: Range<usize>,
    /// All of it.
    pub(super) whole: Range<usize>,
}

impl Pattern {
    /// Reads a pattern such as `key-[0-9a-f]{32}`.
    pub(super) fn parse(text: &str) -> Result<Self, BadPattern> {
        let (elements, secret) = Reader { rest: text }.read()?;
        let mut anchor: Option<(usize, usize)> = None;
        for (at, element) in elements.iter().enumerate() {
            let Element::Literal(literal) = element else { continue };
            // A class before the anchor could take what a literal before it needs.
            if anchor.is_none_or(|(length, _)| literal.len() > length + 1) {
                anchor = Some((literal.len(), at));
            }
        }
        let (length, at) = anchor.ok_or_else(|| BadPattern(format!("`{text}` has no literal")))?;
        if length < 2 && !text.contains('|') {
            return Err(BadPattern(format!("`{text}` has no literal of two characters")));
        }
        let mut before = elements;
        let mut after = before.split_off(at);
        let Element::Literal(anchor) = after.remove(0) else { return Err(BadPattern(text.into())) };
        before.reverse();
        Ok(Self { before: before.into(), anchor, after: after.into(), secret })
    }

    /// What a text is searched for.
    pub(super) fn anchor(&self) -> &[u8] {
        &self.anchor
    }

    /// Matches around the anchor that may stand at `at`, in whatever case.
    pub(super) fn matches(&self, view: &View<'_>, at: usize) -> Option<Match> {
        let end = at + self.anchor.len();
        if view.slice(at, end) != &*self.anchor {
            return None;
        }
        let anchor = u8::try_from(self.before.len()).ok()?;
        let (mut start, mut stop) = (at, end);
        let (mut secret_start, mut secret_end) =
            (at, if anchor < self.secret.1 { end } else { at });
        let mut part = anchor;
        for element in &self.before {
            start = element.back(view, start)?;
            part -= 1;
            if part >= self.secret.0 {
                secret_start = start;
            }
            if part >= self.secret.1 {
                secret_end = start;
            }
        }
        let glued = view.text.get(start).is_some_and(u8::is_ascii_alphanumeric);
        if glued && !view.begins(start) {
            return None;
        }
        for (index, element) in self.after.iter().enumerate() {
            let from = stop;
            stop = element.ahead(view, stop)?;
            let part = anchor + 1 + u8::try_from(index).ok()?;
            if part == self.secret.0 {
                secret_start = from;
            }
            if part < self.secret.1 {
                secret_end = stop;
            }
        }
        let last = self.after.last();
        if let (Some(Element::Class { set, .. }), Some(next)) = (last, view.at(stop))
            && set.has(next)
        {
            return None;
        }
        let ends = !view
            .at(stop)
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'#' | b'*'));
        ends.then_some(Match { secret: secret_start..secret_end, whole: start..stop })
    }
}

impl Element {
    fn ahead(&self, view: &View<'_>, at: usize) -> Option<usize> {
        match self {
            Self::Literal(literal) => {
                let end = at + literal.len();
                (view.slice(at, end) == &**literal).then_some(end)
            }
            Self::Class { set, min, max } => {
                let run = set.run(view.text, at, usize::from(*max));
                (run >= usize::from(*min)).then_some(at + run)
            }
        }
    }

    fn back(&self, view: &View<'_>, at: usize) -> Option<usize> {
        match self {
            Self::Literal(literal) => {
                let start = at.checked_sub(literal.len())?;
                (view.slice(start, at) == &**literal).then_some(start)
            }
            Self::Class { set, min, max } => {
                let run = set.run_back(view.text, at, usize::from(*max));
                (run >= usize::from(*min)).then_some(at - run)
            }
        }
    }
}

struct Reader<'p> {
    rest: &'p str,
}

impl Reader<'_> {
    fn read(mut self) -> Result<(Vec<Element>, (u8, u8)), BadPattern> {
        let mut elements = Vec::new();
        let mut literal = Vec::new();
        let (mut start, mut end) = (0, None);
        let flush = |literal: &mut Vec<u8>, elements: &mut Vec<Element>| {
            if !literal.is_empty() {
                elements.push(Element::Literal(std::mem::take(literal).into()));
            }
        };
        while let Some(c) = self.next() {
            match c {
                '[' => {
                    flush(&mut literal, &mut elements);
                    elements.push(self.class()?);
                }
                '(' | ')' => {
                    flush(&mut literal, &mut elements);
                    if c == '(' { start = elements.len() } else { end = Some(elements.len()) }
                }
                c if c.is_ascii() => literal.push(c as u8),
                c => return Err(BadPattern(format!("`{c}` is not ASCII"))),
            }
        }
        flush(&mut literal, &mut elements);
        let place = |at: usize| u8::try_from(at).map_err(|error| BadPattern(error.to_string()));
        let secret = (place(start)?, place(end.unwrap_or(elements.len()))?);
        Ok((elements, secret))
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next();
        self.rest = chars.as_str();
        c
    }

    fn class(&mut self) -> Result<Element, BadPattern> {
        let bad = |what: &str| BadPattern(format!("a class {what}"));
        let (inside, rest) = self.rest.split_once(']').ok_or_else(|| bad("has no end"))?;
        let (count, rest) = match rest.strip_prefix('{') {
            Some(rest) => rest.split_once('}').ok_or_else(|| bad("has a count without an end"))?,
            None => ("1", rest),
        };
        self.rest = rest;
        let (min, max) = count.split_once(',').unwrap_or((count, count));
        let number =
            |text: &str| text.parse().map_err(|error| bad(&format!("has a bad count: {error}")));
        let (min, max) = (number(min)?, number(max)?);
        let mut set = ByteSet::default();
        let bytes = inside.as_bytes();
        let mut rest = bytes;
        while let Some((first, tail)) = rest.split_first() {
            rest = match tail {
                [b'-', last, tail @ ..] if first < last => {
                    set = set.with_range(*first, *last);
                    tail
                }
                tail => {
                    set = set.with(*first);
                    tail
                }
            };
        }
        if min > max || max == 0 {
            Err(bad("counts down"))
        } else {
            Ok(Element::Class { set, min, max })
        }
    }
}

/// Makes tokens for tests.
#[cfg(test)]
impl Pattern {
    /// A token of this form; `next` chooses among so many.
    pub(super) fn sample(&self, mut next: impl FnMut(usize) -> usize) -> String {
        let anchor = Element::Literal(self.anchor.clone());
        let elements = self.before.iter().rev().chain([&anchor]).chain(&*self.after);
        let mut out = Vec::new();
        for element in elements {
            match element {
                Element::Literal(literal) => out.extend_from_slice(literal),
                Element::Class { set, min, max } => {
                    let count = (*min).max(max / 2).min(100).max(*min);
                    let all: Vec<u8> = (b'!'..=b'~').filter(|byte| set.has(*byte)).collect();
                    let all = if all.is_empty() { vec![b' '] } else { all };
                    out.extend((0..count).map(|_| all[next(all.len())]));
                }
            }
        }
        String::from_utf8(out).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, secret: Option<&str>) {
        let pattern = Pattern::parse(pattern).unwrap();
        let anchor = std::str::from_utf8(pattern.anchor()).unwrap();
        let at = text.find(anchor).unwrap();
        let view = View { text: text.as_bytes(), open_start: false, open_end: false };
        let found = pattern.matches(&view, at).map(|found| text.get(found.secret).unwrap());
        assert_eq!(found, secret, "in {text:?}");
    }

    #[test]
    fn the_longest_literal_is_searched_for_and_the_rest_read_from_there() {
        check("[0-9]{2,3}-us[0-9]{1,2}", "a 123-us4.", Some("123-us4"));
        check("[0-9]{2,3}-us[0-9]{1,2}", "a 1-us4.", None);
        check("ab[x]{1}_cde", "abx_cde", Some("abx_cde"));
    }

    #[test]
    fn parentheses_say_what_is_secret() {
        check("/catch/([0-9a-z]{3,5})", "go/catch/12ab", Some("12ab"));
        check("([0-9]{4})@host", "1234@host", Some("1234"));
        check("id=[0-9]{1,4};key=([a-f]{2})==", "id=12;key=ab==", Some("ab"));
    }

    #[test]
    fn what_is_longer_or_glued_to_a_word_is_something_else() {
        check("key-[0-9]{4}", "key-12345", None);
        check("key-[0-9]{4}", "monkey-1234", None);
        check("key-[0-9]{4}", r"\nkey-1234", Some("key-1234"));
    }

    #[test]
    fn a_pattern_that_cannot_be_searched_for_is_refused() {
        for bad in ["[0-9]{4}", "a[0-9]{2}", "ab[0-9]{x}", "ab[0-9]{4,2}", "ab[0-9{4}"] {
            Pattern::parse(bad).unwrap_err();
        }
    }
}
