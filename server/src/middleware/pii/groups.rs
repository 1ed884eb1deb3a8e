//! Reads the digit groups of a number: `415-555 0132` is three groups and what
//! separates them. Cards, social security and phone numbers all look like that.

use super::chars::{is_dash, is_joiner};
use super::window::Window;

/// What stands before a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sep {
    /// Nothing: the first group, or one right behind parentheses.
    None,
    Space,
    Dash,
    Dot,
    Slash,
}

/// One run of digits, with the parentheses around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) sep: Sep,
    /// Where it begins and ends, parentheses included.
    pub(super) start: usize,
    pub(super) end: usize,
    /// How many digits it has.
    pub(super) len: usize,
    pub(super) in_parens: bool,
}

/// No number has more groups: a 15-digit phone number in twos, and some.
const MAX_GROUPS: usize = 10;

/// The groups from `start` on, which must be a digit or `(`; empty otherwise.
/// Between two groups stands at most one separator.
pub(super) fn groups(window: &Window<'_>, start: usize) -> Vec<Group> {
    let mut found = Vec::new();
    let mut sep = Sep::None;
    let mut at = start;
    while found.len() < MAX_GROUPS
        && let Some(group) = group(window, at, sep)
    {
        at = group.end;
        found.push(group);
        sep = separator(window.after(at));
        if sep != Sep::None {
            at += window.after(at).map_or(0, char::len_utf8);
        }
    }
    found
}

fn group(window: &Window<'_>, start: usize, sep: Sep) -> Option<Group> {
    let in_parens = window.byte(start) == Some(b'(');
    let first = start + usize::from(in_parens);
    let digits = window.text.as_bytes().get(first..)?;
    let len = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    let end = first + len;
    if len == 0 || (in_parens && window.byte(end) != Some(b')')) {
        return None;
    }
    Some(Group { sep, start, end: end + usize::from(in_parens), len, in_parens })
}

fn separator(c: Option<char>) -> Sep {
    match c {
        Some('.') => Sep::Dot,
        Some('/') => Sep::Slash,
        Some(c) if is_joiner(c) => Sep::Space,
        Some(c) if is_dash(c) => Sep::Dash,
        _ => Sep::None,
    }
}

/// Every digit of a stretch, as numbers.
pub(super) fn digits(text: &str) -> impl Iterator<Item = u8> + Clone {
    text.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0')
}
