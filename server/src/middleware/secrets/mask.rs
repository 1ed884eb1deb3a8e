//! Replaces what was found.

use super::bytes::View;
use super::candidate::Candidate;
use super::remember::Remembered;
use super::scanner::Scanner;
use crate::middleware::HashKey;
use std::{borrow::Cow, collections::BTreeMap, ops::Range, sync::Arc};

/// What stands in the place of a secret.
#[derive(Debug, Clone)]
pub enum Style {
    /// Whose it was: `[REDACTED_GITHUB_KEY]`.
    Redact,
    /// That there was one: `[REDACTED_SECRET]`.
    Plain,
    /// Its last characters, where they are few of it: `****a1b2`.
    Mask,
    /// A pseudonym that only this key makes, the same each time:
    /// `<github_hash:…>`.
    Hash(HashKey),
}

/// How many secrets of which service were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<String, usize>);

impl Counts {
    /// How many were found.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.values().sum()
    }

    /// Each service and how often, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(service, count)| (service.as_str(), *count))
    }

    /// Adds what was found elsewhere.
    pub fn merge(&mut self, more: &Self) {
        for (service, count) in &more.0 {
            *self.0.entry(service.clone()).or_default() += count;
        }
    }

    fn add(&mut self, service: &str) {
        *self.0.entry(service.to_owned()).or_default() += 1;
    }
}

/// Masks texts. Cheap to copy.
#[derive(Debug, Clone)]
pub struct Masker {
    scanner: Scanner,
    style: Style,
    remembered: Arc<Remembered>,
}

/// The longest text for which the name of its member counts.
const MAX_MEMBER: usize = 512;

impl Masker {
    /// Masks what `scanner` finds.
    #[must_use]
    pub fn new(scanner: Scanner, style: Style) -> Self {
        Self { scanner, style, remembered: Arc::default() }
    }

    /// The masked text, borrowed when nothing was found, and what was masked.
    #[must_use]
    pub fn mask_text<'t>(&self, text: &'t str) -> (Cow<'t, str>, Counts) {
        let found = self.remembered.or(text, || self.scanner.candidates(text));
        self.replaced(text, &found)
    }

    /// A text that is the value of a member with this name, so that
    /// `{"password": "…"}` is masked as `password = "…"` is.
    #[must_use]
    pub fn mask_member<'t>(&self, name: &str, text: &'t str) -> (Cow<'t, str>, Counts) {
        match self.candidates_of(name, text) {
            Some(found) => self.replaced(text, &found),
            None => self.mask_text(text),
        }
    }

    /// What stands in the value of a member with this name, or with none, and whose
    /// it is.
    pub(super) fn find_member(&self, name: &str, text: &str) -> Vec<(Range<usize>, &str)> {
        let found = self.candidates_of(name, text).unwrap_or_else(|| self.scanner.candidates(text));
        let named = |found: Candidate| (found.span, self.scanner.service(found.service));
        found.into_iter().map(named).collect()
    }

    /// What is found because of a member's name; `None` where the name says nothing.
    fn candidates_of(&self, name: &str, text: &str) -> Option<Vec<Candidate>> {
        if text.len() > MAX_MEMBER || !self.scanner.names_secret(name) {
            return None;
        }
        let before = format!("{name}=\"");
        let assigned = format!("{before}{text}\"");
        let shift = before.len();
        let found = self.scanner.candidates(&assigned).into_iter().filter_map(|found| {
            let start = found.span.start.checked_sub(shift)?;
            let end = (found.span.end - shift).min(text.len());
            (start < end).then_some(Candidate { span: start..end, ..found })
        });
        Some(found.collect())
    }

    /// A stretch of a stream, behind what it may depend on.
    pub(super) fn mask_view(
        &self,
        view: &View<'_>,
        from: usize,
        counts: &mut Counts,
    ) -> Option<String> {
        let found = self.scanner.search(view, from);
        if found.is_empty() {
            return None;
        }
        let text = std::str::from_utf8(view.text).ok()?;
        let (masked, more) = self.replaced(text.get(from..)?, &shifted(found, from));
        counts.merge(&more);
        Some(masked.into_owned())
    }

    fn replaced<'t>(&self, text: &'t str, found: &[Candidate]) -> (Cow<'t, str>, Counts) {
        let mut counts = Counts::default();
        if found.is_empty() {
            return (Cow::Borrowed(text), counts);
        }
        let mut out = String::with_capacity(text.len() + 16);
        let mut copied = 0;
        for candidate in found {
            let service = self.scanner.service(candidate.service);
            let value = text.get(candidate.span.clone()).unwrap_or_default();
            out.push_str(text.get(copied..candidate.span.start).unwrap_or_default());
            self.replace(service, value, &mut out);
            counts.add(service);
            copied = candidate.span.end;
        }
        out.push_str(text.get(copied..).unwrap_or_default());
        (Cow::Owned(out), counts)
    }

    fn replace(&self, service: &str, value: &str, out: &mut String) {
        match &self.style {
            Style::Redact => {
                out.push_str("[REDACTED_");
                out.push_str(&label(service));
                out.push(']');
            }
            Style::Plain => out.push_str("[REDACTED_SECRET]"),
            Style::Mask => {
                out.push_str("****");
                // Of what is short, four characters would be too many.
                let ascii = value.is_ascii() && service != "private_key" && value.len() >= 16;
                out.push_str(
                    value
                        .get(value.len().saturating_sub(4)..)
                        .filter(|_| ascii)
                        .unwrap_or_default(),
                );
            }
            Style::Hash(key) => {
                out.push('<');
                out.push_str(service);
                out.push_str("_hash:");
                out.push_str(&key.pseudonym(value));
                out.push('>');
            }
        }
    }
}

fn shifted(found: Vec<Candidate>, from: usize) -> Vec<Candidate> {
    let shift = |found: Candidate| Candidate {
        span: found.span.start - from..found.span.end - from,
        ..found
    };
    found.into_iter().map(shift).collect()
}

/// The name in a redaction.
fn label(service: &str) -> String {
    match service {
        "generic" => "SECRET".to_owned(),
        "password" | "login" | "private_key" | "basic_auth" | "jwt" | "password_hash" => {
            service.to_ascii_uppercase()
        }
        service => format!("{}_KEY", service.to_ascii_uppercase()),
    }
}

#[cfg(test)]
#[path = "mask_tests.rs"]
mod tests;
