//! Reads the digit groups of a number: `415-555 0132` is three groups and what
//! separates them. Cards, social security and phone numbers all look like that.

use super::chars::{is_dash, is_joiner};
use super::window::Window;

/// What stands before a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Sep {
    /// Nothing: the first group, or one right behind parentheses.
    #[default]
    None,
    Space,
    Dash,
    Dot,
    Slash,
}

/// One run of digits, with the parentheses around it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) sep: Sep,
    /// Where it begins and ends, parentheses included.
    pub(super) start: usize,
    pub(super) end: usize,
    /// How many digits it has.
    pub(super) len: usize,
    pub(super) in_parens: bool,
}

/// The first groups of one number, from left to right.
#[derive(Debug)]
pub(super) struct Groups<const MOST: usize> {
    groups: [Group; MOST],
    count: usize,
}

impl<const MOST: usize> std::ops::Deref for Groups<MOST> {
    type Target = [Group];

    fn deref(&self) -> &[Group] {
        self.groups.get(..self.count).unwrap_or_default()
    }
}

/// The first groups from `start` on, which must be a digit or `(`; none otherwise.
/// Between two groups stands at most one separator.
pub(super) fn groups<const MOST: usize>(window: &Window<'_>, start: usize) -> Groups<MOST> {
    let mut found = Groups { groups: [Group::default(); MOST], count: 0 };
    let mut sep = Sep::None;
    let mut at = start;
    for place in &mut found.groups {
        let Some(group) = group(window, at, sep) else { break };
        at = group.end;
        *place = group;
        found.count += 1;
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
