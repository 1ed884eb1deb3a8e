//! Replaces what was found, such that nothing is found afterwards.

use std::borrow::Cow;

use super::chars::{NEUTRAL, is_at};
use super::counts::Counts;
use super::entity::Entity;
use super::scanner::Scanner;
use super::segments::{Cut, segments};
use super::window::Window;

/// What stands in the place of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// A shape that shows the kind and little more: `****-****-****-0366`,
    /// `u***@****.com`, `*.*.*.4`.
    Mask,
    /// The kind only: `[REDACTED_EMAIL]`.
    Redact,
}

/// Masks texts. Cheap to make and to copy.
///
/// Masking is idempotent, and a masked text holds no finding: what a mask and
/// the text beside it form together is masked as well. In a run longer than
/// [`super::MAX_SEGMENT`] bytes the characters of a finding are replaced one by
/// one, in either style, because there the length of the text decides where it
/// is cut.
#[derive(Debug, Clone, Copy)]
pub struct Masker {
    scanner: Scanner,
    style: Style,
}

impl Masker {
    /// Masks what `scanner` finds.
    #[must_use]
    pub fn new(scanner: Scanner, style: Style) -> Self {
        Self { scanner, style }
    }

    /// The masked text, borrowed when nothing was found, and what was masked.
    #[must_use]
    pub fn mask_text<'t>(&self, text: &'t str) -> (Cow<'t, str>, Counts) {
        let mut counts = Counts::default();
        let masked =
            rewrite_segments(text, |segment, cut| self.mask_cut(segment, cut, &mut counts));
        (masked.map_or(Cow::Borrowed(text), Cow::Owned), counts)
    }

    /// One segment masked until nothing is left to find; `None` if there never
    /// was.
    pub(super) fn mask_cut(&self, text: &str, cut: &Cut, counts: &mut Counts) -> Option<String> {
        let mut masked = self.mask_once(text, cut, counts)?;
        // Ends: a mask holds fewer digits than what it replaces, or makes its
        // `@` or colons useless.
        while let Some(again) = match cut.edges.forced {
            true => self.mask_once(&masked, cut, counts),
            false => rewrite_segments(&masked, |text, cut| self.mask_once(text, cut, counts)),
        } {
            masked = again;
        }
        Some(masked)
    }

    fn mask_once(&self, text: &str, cut: &Cut, counts: &mut Counts) -> Option<String> {
        if !cut.signals.may_matter() {
            return None;
        }
        let findings = self.scanner.search(&Window::new(text, cut.edges));
        if findings.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len() + 16);
        let mut copied = 0;
        for found in &findings {
            out.push_str(text.get(copied..found.start)?);
            let value = text.get(found.start..found.end)?;
            match self.style {
                _ if cut.edges.forced => neutralise(value, &mut out),
                Style::Mask => mask(found.entity, value, &mut out),
                Style::Redact => out.push_str(found.entity.redaction()),
            }
            counts.add(found.entity);
            copied = found.end;
        }
        out.push_str(text.get(copied..)?);
        Some(out)
    }
}

/// `text` with some of its segments replaced; `None` when none was.
fn rewrite_segments(
    text: &str,
    mut rewrite: impl FnMut(&str, &Cut) -> Option<String>,
) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    for segment in segments(text) {
        if let Some(masked) = rewrite(segment.text, &segment.cut) {
            out.push_str(text.get(copied..segment.start)?);
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

/// The shape of [`Style::Mask`].
///
/// A mask ends with the last character of the value, so that the text behind it
/// is cut and read as before.
fn mask(entity: Entity, value: &str, out: &mut String) {
    match entity {
        Entity::Email => mask_email(value, out),
        Entity::CreditCard => {
            out.push_str("****-****-****-");
            push_last_digits(value, 4, out);
        }
        Entity::UsSsn => {
            out.push_str("***-**-");
            push_last_digits(value, 4, out);
        }
        Entity::Phone => {
            out.push_str("***-***-**");
            push_last_digits(value, 2, out);
        }
        Entity::Iban => {
            out.extend(value.chars().take(2));
            out.push_str("****");
            let tail: Vec<char> =
                value.chars().rev().filter(char::is_ascii_alphanumeric).take(4).collect();
            out.extend(tail.iter().rev());
        }
        Entity::Ipv4 => {
            out.push_str("*.*.*.");
            out.push_str(value.rsplit('.').next().unwrap_or_default());
        }
        Entity::Ipv6 => {
            out.push_str("*:*:*:");
            out.push_str(value.rsplit([':', '.']).next().unwrap_or_default());
        }
    }
}

/// The first character of the local part, unless that is all of it, and the
/// top-level domain.
fn mask_email(value: &str, out: &mut String) {
    let (local, domain) = value.rsplit_once(is_at).unwrap_or_default();
    let mut local = local.chars();
    let first = local.next();
    out.extend(first.filter(|_| local.next().is_some()));
    out.push_str("***@****.");
    out.push_str(domain.rsplit('.').next().unwrap_or_default());
}

fn push_last_digits(value: &str, count: usize, out: &mut String) {
    let total = value.bytes().filter(u8::is_ascii_digit).count();
    out.extend(value.chars().filter(char::is_ascii_digit).skip(total.saturating_sub(count)));
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
