//! Finds national numbers: reads what may be one, once, and asks the rows whose
//! numbers are as long.

use super::super::chars::{is_dash, is_joiner, is_word};
use super::super::entity::Entity;
use super::super::window::{Candidate, Window};
use super::{
    america_africa::is_npi,
    rows::{COMMON, ROWS, Row},
};

/// The shortest and the longest number.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=18;

/// No number is written in more groups.
const MAX_GROUPS: usize = 7;

pub(in super::super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    let bytes = window.text.as_bytes();
    let mut before = window.before(0);
    for (start, byte) in bytes.iter().enumerate() {
        let begins = byte.is_ascii_alphanumeric() && !before.is_some_and(is_word);
        before = window.text.get(..=start).and_then(|head| head.chars().next_back());
        if begins && begins_clean(window, start) {
            read(window, start, out);
        }
    }
}

/// Not the next group of a longer number.
fn begins_clean(window: &Window<'_>, start: usize) -> bool {
    let (last, second) = window.last_two(start);
    let inside = last.is_some_and(|c| is_dash(c) || matches!(c, '.' | '/' | '$' | '#' | '@'));
    !inside || !second.is_some_and(is_word)
}

/// Reads groups from `start` on, and asks after each.
fn read(window: &Window<'_>, start: usize, out: &mut Vec<Candidate>) {
    let mut compact: Vec<u8> = Vec::with_capacity(*LENGTHS.end());
    let mut digits = 0;
    let mut groups = 1;
    let tail = window.text.get(start..).unwrap_or_default();
    let mut separated = false;
    for (at, c) in tail.char_indices() {
        if c.is_ascii_alphanumeric() {
            if compact.len() == *LENGTHS.end() {
                return;
            }
            compact.push(c.to_ascii_uppercase() as u8);
            digits += usize::from(c.is_ascii_digit());
            separated = false;
            let end = start + at + 1;
            let ends = !window.after(end).is_some_and(is_word);
            if ends && LENGTHS.contains(&compact.len()) && digits >= 4 {
                ask(window, (start, end), groups, &compact, out);
            }
        } else if separated || !is_separator(c) || groups == MAX_GROUPS {
            return;
        } else {
            separated = true;
            groups += 1;
        }
    }
}

fn is_separator(c: char) -> bool {
    is_joiner(c) || is_dash(c) || matches!(c, '.' | '/')
}

fn ask(
    window: &Window<'_>,
    (start, end): (usize, usize),
    groups: usize,
    compact: &[u8],
    out: &mut Vec<Candidate>,
) {
    if !ends_clean(window, end) {
        return;
    }
    for row in ROWS {
        let plausible = row.entity != Entity::UsNpi || is_npi(compact);
        if window.wants(row.entity)
            && row.accepts(compact)
            && plausible
            && (is_telling(row, groups, compact) || is_announced(window, row, (start, end)))
        {
            out.push(Candidate { start, end, entity: row.entity });
        }
    }
}

/// Of a telling form: mostly those with a letter in the middle.
fn is_telling(row: &Row, groups: usize, compact: &[u8]) -> bool {
    let lettered = row.entity == Entity::FiHetu && compact.len() == 11 && groups == 1;
    (row.telling && groups <= 6) || lettered
}

fn is_announced(window: &Window<'_>, row: &Row, (start, end): (usize, usize)) -> bool {
    window.is_alone(row.entity, start, end)
        || window.said(start, row.words)
        || window.said(start, COMMON)
}

/// Not the first group of a longer number.
fn ends_clean(window: &Window<'_>, end: usize) -> bool {
    let (next, second) = window.next_two(end);
    let goes_on = next.is_some_and(|c| is_dash(c) || matches!(c, '.' | '/' | '@' | '%' | ','));
    !goes_on || !second.is_some_and(|c| c.is_ascii_digit() || (next == Some('@') && is_word(c)))
}
