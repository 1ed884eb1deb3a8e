//! Finds US social security numbers: in three groups, and without any where a word
//! says that one follows.

use super::chars::is_dash;
use super::entity::Entity;
use super::groups::{Group, Sep, groups};
use super::window::{Candidate, Window};

const VOID: [(&str, &str, &str); 2] = [("078", "05", "1120"), ("219", "09", "9999")];

/// Words before nine plain digits.
const WORDS: [&str; 6] =
    ["ssn", "social security", "social-security", "soc sec", "ss number", "social security no"];

/// Digits that people type instead of a number.
const SAMPLES: [&str; 2] = ["123456789", "987654321"];

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    for start in window.digit_runs() {
        if !matches!(window.digits_from(start), 3 | 9) {
            continue;
        }
        let groups = groups::<3>(window, start);
        if let [plain, ..] = *groups
            && is_plain(window, plain)
            && stands_alone_before(window, start)
            && stands_alone_after(window, plain.end)
            && (window.is_alone(Entity::UsSsn, start, plain.end) || window.said(start, &WORDS))
        {
            out.push(Candidate { start, end: plain.end, entity: Entity::UsSsn });
        }
        if stands_alone_before(window, start)
            && let [area, group, serial] = *groups
            && is_number(window, area, group, serial)
            && stands_alone_after(window, serial.end)
        {
            out.push(Candidate { start, end: serial.end, entity: Entity::UsSsn });
        }
    }
}

fn is_number(window: &Window<'_>, area: Group, group: Group, serial: Group) -> bool {
    let shaped = (area.len, group.len, serial.len) == (3, 2, 4)
        && !(area.in_parens || group.in_parens || serial.in_parens)
        && group.sep == serial.sep
        && matches!(group.sep, Sep::Dash | Sep::Space | Sep::Dot);
    let digits = |g: Group| window.text.get(g.start..g.end).unwrap_or_default();
    shaped && is_issued(digits(area), digits(group), digits(serial))
}

/// Nine digits without anything between them.
fn is_plain(window: &Window<'_>, group: Group) -> bool {
    let digits = window.text.get(group.start..group.end).unwrap_or_default();
    let parts = (digits.get(..3), digits.get(3..5), digits.get(5..9));
    let (Some(area), Some(middle), Some(serial)) = parts else { return false };
    let varied = digits.bytes().any(|byte| !digits.starts_with(char::from(byte)));
    (group.len, group.in_parens) == (9, false)
        && varied
        && !SAMPLES.contains(&digits)
        && is_issued(area, middle, serial)
}

fn is_issued(area: &str, group: &str, serial: &str) -> bool {
    !matches!(area.as_bytes(), b"000" | b"666" | [b'9', ..])
        && group != "00"
        && serial != "0000"
        // Printed in advertisements, and void since.
        && !VOID.contains(&(area, group, serial))
}

/// Not the end of a longer number: `12-345-67-8901`, `12 345 67 8901`.
fn stands_alone_before(window: &Window<'_>, start: usize) -> bool {
    let (last, second) = window.last_two(start);
    let in_number = last.is_some_and(continues) && second.is_some_and(|c| c.is_ascii_digit());
    window.begins_word(start) && !in_number
}

fn stands_alone_after(window: &Window<'_>, end: usize) -> bool {
    let (next, second) = window.next_two(end);
    let in_number = next.is_some_and(continues) && second.is_some_and(|c| c.is_ascii_digit());
    window.ends_word(end) && !in_number
}

fn continues(c: char) -> bool {
    is_dash(c) || matches!(c, '.' | ' ' | '/')
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    fn finds(text: &str, expected: &[&str]) {
        check(Entity::UsSsn, text, expected);
    }

    #[test]
    fn three_groups_are_found_with_dashes_spaces_or_dots() {
        for ssn in ["123-45-6789", "078 05 1123", "078.05.1123", "123\u{2011}45\u{2011}6789"] {
            finds(&format!("SSN: {ssn}."), &[ssn]);
        }
    }

    #[test]
    fn nine_plain_digits_need_a_word_before_them() {
        finds("my SSN is 078051123.", &["078051123"]);
        finds("Social Security Number: 219098888", &["219098888"]);
        for text in ["order 078051123", "ssn 078051120", "ssn 123456789", "ssn 111111111"] {
            finds(text, &[]);
        }
    }

    #[test]
    fn numbers_that_are_never_issued_are_left_alone() {
        for text in [
            "078-05-1120",
            "000-45-6789",
            "666-45-6789",
            "912-45-6789",
            "123-00-6789",
            "123-45-0000",
        ] {
            finds(text, &[]);
        }
    }

    #[test]
    fn other_groupings_and_plain_digits_are_left_alone() {
        for text in [
            "123456789",
            "693-09.4444",
            "12-345-6789",
            "123-45-67890",
            "123-45-6789-1",
            "4 123 45 6789",
        ] {
            finds(text, &[]);
        }
    }
}
