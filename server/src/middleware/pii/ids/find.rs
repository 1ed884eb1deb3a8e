//! Finds national numbers: reads what may be one, once, and asks the rows whose
//! numbers are as long.

use super::super::chars::{is_dash, is_joiner, is_word};
use super::super::entity::Entity;
use super::super::window::{Candidate, Window};
use super::super::words;
use super::{
    america_africa::is_npi,
    rows::{COMMON, Row, rows_of},
};
use std::{borrow::Cow, cell::OnceCell};

/// The shortest and the longest number.
const MIN: usize = 8;
const MAX: usize = 18;

/// No number is written in more groups.
const MAX_GROUPS: usize = 7;

pub(in super::super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    let mut glued = window.before(0).is_some_and(is_word);
    for (start, c) in window.text.char_indices() {
        let begins = c.is_ascii_alphanumeric() && !glued;
        glued = is_word(c);
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
    let mut number = Number::new(window, start);
    let mut digits = 0;
    let tail = window.text.get(start..).unwrap_or_default();
    let mut separated = false;
    for (at, c) in tail.char_indices() {
        if c.is_ascii_alphanumeric() {
            let Some(place) = number.compact.get_mut(number.len) else { return };
            *place = c.to_ascii_uppercase() as u8;
            number.len += 1;
            digits += usize::from(c.is_ascii_digit());
            separated = false;
            let end = start + at + 1;
            if number.len >= MIN && digits >= 4 && window.ends_word(end) {
                number.ask(end, out);
            }
        } else if separated || !is_separator(c) || number.groups == MAX_GROUPS {
            return;
        } else {
            separated = true;
            number.groups += 1;
        }
    }
}

fn is_separator(c: char) -> bool {
    is_joiner(c) || is_dash(c) || matches!(c, '.' | '/')
}

/// What was read so far.
struct Number<'w, 't> {
    window: &'w Window<'t>,
    start: usize,
    /// Its letters and digits.
    compact: [u8; MAX],
    len: usize,
    groups: usize,
    /// The words before it, when they are asked for.
    before: OnceCell<Cow<'t, str>>,
    /// Whether one of them announces numbers of any country.
    common: OnceCell<bool>,
}

impl<'w, 't> Number<'w, 't> {
    fn new(window: &'w Window<'t>, start: usize) -> Self {
        let (before, common) = (OnceCell::new(), OnceCell::new());
        Self { window, start, compact: [0; MAX], len: 0, groups: 1, before, common }
    }

    /// Asks the rows whose numbers are as long.
    fn ask(&self, end: usize, out: &mut Vec<Candidate>) {
        if !ends_clean(self.window, end) {
            return;
        }
        let compact = self.compact.get(..self.len).unwrap_or_default();
        for row in rows_of(self.len) {
            let plausible = row.entity != Entity::UsNpi || is_npi(compact);
            if self.window.wants(row.entity)
                && row.accepts(compact)
                && plausible
                && (self.is_telling(row) || self.is_announced(row, end))
            {
                out.push(Candidate { start: self.start, end, entity: row.entity });
            }
        }
    }

    /// Of a telling form: mostly those with a letter in the middle.
    fn is_telling(&self, row: &Row) -> bool {
        let lettered = row.entity == Entity::FiHetu && self.len == 11 && self.groups == 1;
        (row.telling && self.groups <= 6) || lettered
    }

    fn is_announced(&self, row: &Row, end: usize) -> bool {
        let before = self.before.get_or_init(|| self.window.before_here(self.start));
        self.window.is_alone(row.entity, self.start, end)
            || words::any(before, row.words)
            || *self.common.get_or_init(|| words::any(before, COMMON))
    }
}

/// Not the first group of a longer number.
fn ends_clean(window: &Window<'_>, end: usize) -> bool {
    let (next, second) = window.next_two(end);
    let goes_on = next.is_some_and(|c| is_dash(c) || matches!(c, '.' | '/' | '@' | '%' | ','));
    !goes_on || !second.is_some_and(|c| c.is_ascii_digit() || (next == Some('@') && is_word(c)))
}
