//! Finds US social security numbers written in three groups.

use super::chars::is_dash;
use super::entity::Entity;
use super::groups::{Group, Sep, groups};
use super::window::{Candidate, Window};

const VOID: [(&str, &str, &str); 2] = [("078", "05", "1120"), ("219", "09", "9999")];

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    for start in window.digit_runs() {
        if stands_alone_before(window, start)
            && let [area, group, serial, ..] = *groups(window, start).as_slice()
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
    shaped
        && !matches!(digits(area).as_bytes(), b"000" | b"666" | [b'9', ..])
        && digits(group) != "00"
        && digits(serial) != "0000"
        // Printed in advertisements, and void since.
        && !VOID.contains(&(digits(area), digits(group), digits(serial)))
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
