//! Finds hardware addresses of network cards: six pairs of hexadecimal digits, or
//! three groups of four.

use super::entity::Entity;
use super::window::{Candidate, Window};

/// `00:1A:2B:3C:4D:5E` and `001A.2B3C.4D5E`.
const FORMS: [(u8, usize, usize); 3] = [(b':', 2, 6), (b'-', 2, 6), (b'.', 4, 3)];

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    let bytes = window.text.as_bytes();
    for start in 0..bytes.len() {
        let rest = bytes.get(start..).unwrap_or_default();
        for (separator, width, groups) in FORMS {
            let len = (width + 1) * groups - 1;
            if rest.get(width) == Some(&separator)
                && let Some(text) = rest.get(..len)
                && is_address(text, separator, width)
                && stands_apart(window, start, start + len, separator)
            {
                out.push(Candidate { start, end: start + len, entity: Entity::MacAddress });
            }
        }
    }
}

fn is_address(text: &[u8], separator: u8, width: usize) -> bool {
    let formed = text.iter().enumerate().all(|(place, byte)| match place % (width + 1) == width {
        true => *byte == separator,
        false => byte.is_ascii_hexdigit(),
    });
    let mut digits = text.iter().filter(|byte| **byte != separator).map(u8::to_ascii_lowercase);
    let first = digits.next();
    // Zeros and the address of everybody name no card.
    let varied = digits.any(|byte| Some(byte) != first);
    formed && (varied || !matches!(first, Some(b'0' | b'f')))
}

fn stands_apart(window: &Window<'_>, start: usize, end: usize, separator: u8) -> bool {
    let near = |c: Option<char>| c == Some(char::from(separator));
    let (next, second) = window.next_two(end);
    window.begins_word(start)
        && window.ends_word(end)
        && !near(window.before(start))
        && !(near(next) && second.is_some_and(|c| c.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    #[test]
    fn every_form_is_found() {
        for address in ["00:1A:2B:3C:4D:5E", "aa-bb-cc-dd-ee-01", "0012.3456.789a"] {
            check(Entity::MacAddress, &format!("card {address}, up"), &[address]);
        }
        check(Entity::MacAddress, "aa:bb:cc:dd:ee:ff", &["aa:bb:cc:dd:ee:ff"]);
    }

    #[test]
    fn what_is_no_address_is_left_alone() {
        for text in [
            "00:1A:2B:3C:4D",
            "00:00:00:00:00:00",
            "FF:FF:FF:FF:FF:FF",
            "00:1A:2B-3C-4D-5E",
            "00:1A:2B:3C:4D:5E:6F",
            "x00:1A:2B:3C:4D:5E",
            "10:30:00:11:30",
        ] {
            check(Entity::MacAddress, text, &[]);
        }
    }
}
