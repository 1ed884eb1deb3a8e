//! Replaces what was found, such that nothing is found afterwards.

use std::borrow::Cow;
use std::sync::Arc;

use super::chars::{NEUTRAL, is_at};
use super::counts::Counts;
use super::entity::{Entity, KINDS};
use super::scanner::Scanner;
use super::segments::{Cut, Segments};
use super::style::{self, Style};
use super::tokens::Tokens;
use super::window::{Candidate, Window};
use super::words;
use crate::middleware::HashKey;

/// Masks texts. Cheap to copy.
///
/// Masking is idempotent, and a masked text holds no finding: what a mask and
/// the text beside it form together is masked as well. In a run longer than
/// [`super::MAX_SEGMENT`] bytes the characters of a finding are replaced one by
/// one, in any style, because there the length of the text decides where it
/// is cut.
#[derive(Debug, Clone)]
pub struct Masker(Arc<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    scanner: Scanner,
    styles: [Style; KINDS],
    key: Option<HashKey>,
}

/// What is collected while texts are masked.
#[derive(Debug, Clone, Default)]
pub struct Masking {
    /// What was masked.
    pub counts: Counts,
    /// The tokens that were given out.
    pub tokens: Tokens,
}

impl Masker {
    /// Masks what `scanner` finds.
    #[must_use]
    pub fn new(scanner: Scanner, style: Style) -> Self {
        Self(Arc::new(Inner { scanner, styles: [style; KINDS], key: None }))
    }

    /// With a style of its own for one kind.
    #[must_use]
    pub fn with(mut self, entity: Entity, style: Style) -> Self {
        if let Some(place) = Arc::make_mut(&mut self.0).styles.get_mut(entity.rank()) {
            *place = style;
        }
        self
    }

    /// With the key of pseudonyms. Without one, what is to be hashed is redacted.
    #[must_use]
    pub fn keyed(mut self, key: Option<HashKey>) -> Self {
        Arc::make_mut(&mut self.0).key = key;
        self
    }

    /// What it looks for.
    #[must_use]
    pub fn scanner(&self) -> &Scanner {
        &self.0.scanner
    }

    /// Whether something that it finds becomes a token.
    #[must_use]
    pub fn gives_tokens(&self) -> bool {
        self.0.styles.contains(&Style::Token)
    }

    /// The masked text, borrowed when nothing was found, and what was masked.
    #[must_use]
    pub fn mask_text<'t>(&self, text: &'t str) -> (Cow<'t, str>, Counts) {
        let mut masking = Masking::default();
        let masked = self.mask_into(text, &mut masking);
        (masked, masking.counts)
    }

    /// The masked text, borrowed when nothing was found.
    pub fn mask_into<'t>(&self, text: &'t str, masking: &mut Masking) -> Cow<'t, str> {
        self.mask_member("", text, masking)
    }

    /// The masked value of a member of JSON, whose name counts as words before it.
    pub fn mask_member<'t>(
        &self,
        name: &str,
        text: &'t str,
        masking: &mut Masking,
    ) -> Cow<'t, str> {
        let masked = self.rewrite(text, &words::of_name(name), |segment, cut, written| {
            self.mask_cut(segment, cut, written, masking)
        });
        masked.map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// One segment masked until nothing is left to find; `None` if there never
    /// was. `written` is what was made of the text before it.
    pub(super) fn mask_cut(
        &self,
        text: &str,
        cut: &Cut,
        written: &str,
        masking: &mut Masking,
    ) -> Option<String> {
        let mut masked = self.mask_once(text, cut, written, masking, true)?;
        // Ends: what replaces a finding holds fewer digits, or makes its `@` or
        // colons useless. The configuration's own kinds may find anything, so
        // they are asked once.
        while let Some(again) = match cut.edges.forced {
            true => self.mask_once(&masked, cut, written, masking, false),
            false => self.rewrite(&masked, written, |text, cut, written| {
                self.mask_once(text, cut, written, masking, false)
            }),
        } {
            masked = again;
        }
        Some(masked)
    }

    fn mask_once(
        &self,
        text: &str,
        cut: &Cut,
        written: &str,
        masking: &mut Masking,
        with_custom: bool,
    ) -> Option<String> {
        let scanner = &self.0.scanner;
        if !scanner.needs().may_be_met(&cut.signals, text.len()) {
            return None;
        }
        let window = Window::new(text, cut.edges, written, scanner.wanted());
        let findings = scanner.search(&window, cut.signals, with_custom);
        if findings.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len() + 16);
        let mut copied = 0;
        for found in &findings {
            out.push_str(text.get(copied..found.start)?);
            let value = text.get(found.start..found.end)?;
            match cut.edges.forced {
                true => neutralise(value, &mut out),
                false => self.replace(found, value, &mut masking.tokens, &mut out),
            }
            masking.counts.add(found.entity);
            copied = found.end;
        }
        out.push_str(text.get(copied..)?);
        Some(out)
    }

    fn replace(&self, found: &Candidate, value: &str, tokens: &mut Tokens, out: &mut String) {
        let entity = found.entity;
        let name = self.0.scanner.wanted().name(entity);
        let style = self.0.styles.get(entity.rank()).copied().unwrap_or(Style::Redact);
        match (style, &self.0.key) {
            (Style::Mask, _) => style::mask(entity, value, out),
            (Style::Hash, Some(key)) => style::hash(key, entity, name, value, out),
            (Style::Token, _) => match tokens.token(name, value) {
                Some(token) => out.push_str(&token),
                None => style::redact(name, out),
            },
            (Style::Redact | Style::Hash, _) => style::redact(name, out),
        }
    }

    /// `text` with some of its segments replaced; `None` when none was. Each is
    /// shown the end of what was written before it.
    fn rewrite(
        &self,
        text: &str,
        before: &str,
        mut rewrite: impl FnMut(&str, &Cut, &str) -> Option<String>,
    ) -> Option<String> {
        let mut out = String::new();
        let mut copied = 0;
        for segment in Segments::new(text, self.0.scanner.needs()) {
            let since = text.get(copied..segment.start)?;
            // Mostly nothing was replaced near by, and no copy is needed.
            let near = if since.len() >= words::REACH || (copied == 0 && before.is_empty()) {
                Cow::Borrowed(words::tail(since))
            } else {
                Cow::Owned([words::tail(before), words::tail(&out), since].concat())
            };
            if let Some(masked) = rewrite(segment.text, &segment.cut, words::tail(&near)) {
                out.push_str(since);
                out.push_str(&masked);
                copied = segment.start + segment.text.len();
            }
        }
        if copied == 0 {
            return None;
        }
        out.push_str(text.get(copied..)?);
        Some(out)
    }
}

/// Replaces every character by one that is to the segmenter what it was, and
/// of the same length.
fn neutralise(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            c if c.is_ascii_digit() || is_at(c) => {
                out.extend(std::iter::repeat_n(NEUTRAL, c.len_utf8()));
            }
            'A'..='Z' => out.push('X'),
            'a'..='z' => out.push('x'),
            c if c.is_alphanumeric() => out.extend(std::iter::repeat_n('x', c.len_utf8())),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
#[path = "mask_tests.rs"]
mod tests;
