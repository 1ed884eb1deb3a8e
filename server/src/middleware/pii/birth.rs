//! Finds dates of birth: a date in figures behind a word that says so.

use super::chars::{is_dash, is_word};
use super::entity::Entity;
use super::window::{Candidate, Window};

const WORDS: [&str; 26] = [
    "born",
    "date of birth",
    "dob",
    "d.o.b",
    "birthday",
    "birthdate",
    "birth date",
    "birth",
    "geboren",
    "geb",
    "geburtsdatum",
    "geburtstag",
    "né le",
    "née le",
    "date de naissance",
    "naissance",
    "nacido",
    "nacida",
    "fecha de nacimiento",
    "nacimiento",
    "nascimento",
    "nascido",
    "nascida",
    "data di nascita",
    "nato il",
    "nata il",
];

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The longest date.
const MAX: usize = 17;

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    for start in window.digit_runs() {
        let clean = !matches!(window.before(start), Some('.' | '-' | '/'));
        if clean
            && window.begins_word(start)
            && let Some(end) = date_end(window, start)
            && window.said(start, &WORDS)
        {
            out.push(Candidate { start, end, entity: Entity::DateOfBirth });
        }
    }
}

/// The end of three parts with one separator between each two.
fn date_end(window: &Window<'_>, start: usize) -> Option<usize> {
    let tail = window.text.get(start..)?;
    let mut parts = [""; 3];
    let mut count = 0;
    let mut at = 0;
    let mut separator = None;
    loop {
        let rest = tail.get(at..)?;
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        *parts.get_mut(count)? = rest.get(..len)?;
        count += 1;
        at += len;
        if count == 3 || at > MAX {
            break;
        }
        let c = tail.get(at..)?.chars().next().filter(|c| is_separator(*c))?;
        if separator.is_some_and(|known| known != c) {
            return None;
        }
        separator = Some(c);
        at += c.len_utf8();
    }
    let end = start + at;
    let (next, second) = window.next_two(end);
    let goes_on =
        next.is_some_and(is_separator) && second.is_some_and(is_word) && next != Some(' ');
    let ended = window.ends_word(end) && !goes_on;
    (ended && is_date(parts.get(..count)?, separator == Some(' '))).then_some(end)
}

fn is_separator(c: char) -> bool {
    is_dash(c) || matches!(c, '.' | '/' | ' ')
}

fn is_date(parts: &[&str], spaced: bool) -> bool {
    let [first, second, third] = parts else { return false };
    let small = |part: &str, most: u32| {
        part.len() <= 2 && part.parse::<u32>().is_ok_and(|number| (1..=most).contains(&number))
    };
    let year = |part: &str| match part.len() {
        4 => part.parse::<u32>().is_ok_and(|year| (1850..=2100).contains(&year)),
        2 => !spaced && part.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    let named = |part: &str| {
        part.get(..3)
            .is_some_and(|head| MONTHS.iter().any(|month| head.eq_ignore_ascii_case(month)))
    };
    (small(first, 31)
        && small(second, 31)
        && (small(first, 12) || small(second, 12))
        && year(third))
        || (first.len() == 4 && year(first) && small(second, 12) && small(third, 31))
        || (small(first, 31) && named(second) && year(third))
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    fn finds(text: &str, expected: &[&str]) {
        check(Entity::DateOfBirth, text, expected);
    }

    #[test]
    fn a_date_behind_a_word_for_birth_is_found() {
        finds("born on 04/05/1978.", &["04/05/1978"]);
        finds("DOB: 1978-05-04, male", &["1978-05-04"]);
        finds("Date of birth 4-May-1978", &["4-May-1978"]);
        finds("geboren am 4.5.1978 in Ulm", &["4.5.1978"]);
    }

    #[test]
    fn other_dates_and_numbers_are_left_alone() {
        for text in [
            "due on 04/05/1978",
            "born in 1978",
            "DOB: 99/99/1978",
            "born 1.2.3.4",
            "birth 2024-13-01",
        ] {
            finds(text, &[]);
        }
    }
}
