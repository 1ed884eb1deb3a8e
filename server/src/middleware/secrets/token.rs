//! Tokens that are known by their own form.

use super::bytes::{ByteSet, View, contains_ignoring_case};
use super::placeholder::{ends_as_example, is_reference};
use super::rules::TokenRule;
use super::{examples, random};
use std::ops::Range;

/// How far before a token a word stands that it needs.
const NEAR: usize = 80;

/// What an address is made of, up to the token at its end.
const ADDRESS: ByteSet =
    ByteSet::ALNUM.with(b'.').with(b':').with(b'/').with(b'-').with(b'@').with(b'_');

/// The token of a rule whose literal stands at `at`.
pub(super) fn find(view: &View<'_>, rule: &TokenRule, at: usize) -> Option<Range<usize>> {
    let found = rule.pattern.matches(view, at)?;
    let token = view.slice(found.secret.start, found.secret.end);
    let genuine = rule.checksum.is_some_and(|checksum| checksum.holds(token));
    let span = if rule.url {
        let start = found.whole.start - ADDRESS.run_back(view.text, found.whole.start, 200);
        start..found.whole.end
    } else {
        found.secret
    };
    let looks_real = genuine || is_plausible(rule, token);
    let near = rule.near.is_empty() || {
        let before = view.slice(span.start.saturating_sub(NEAR), span.start);
        rule.near.iter().any(|word| contains_ignoring_case(before, word))
    };
    (looks_real && near).then_some(span)
}

/// Whether a token of the right form may be a real one.
fn is_plausible(rule: &TokenRule, token: &[u8]) -> bool {
    let body = body(token);
    let mixed = random::is_mixed(body) && !body.iter().all(u8::is_ascii_digit);
    let example = rule.entropy > 0.0 && ends_as_example(token);
    random::entropy(body) >= rule.entropy
        && (mixed || !rule.mixed)
        && !(example || is_reference(token) || is_masked(token) || examples::is_published(token))
}

/// A token without its prefix, which would only add to its entropy.
fn body(token: &[u8]) -> &[u8] {
    let end = token.iter().take(12).rposition(|byte| matches!(byte, b'_' | b'-' | b'.'));
    end.and_then(|end| token.get(end + 1..)).filter(|body| body.len() >= 16).unwrap_or(token)
}

/// Whether a third of it or more is `x` or `*`.
fn is_masked(token: &[u8]) -> bool {
    let hidden = token.iter().filter(|byte| matches!(byte, b'x' | b'X' | b'*')).count();
    token.len() >= 8 && hidden * 3 >= token.len()
}
