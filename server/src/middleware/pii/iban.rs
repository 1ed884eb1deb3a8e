//! Finds bank account numbers (IBAN) by country, length and checksum.

use super::chars::{is_dash, is_joiner};
use super::entity::Entity;
use super::window::{Candidate, Window};

/// Countries by the length of their numbers (SWIFT registry).
const COUNTRIES: [(usize, &str); 18] = [
    (15, "NO"),
    (16, "BE"),
    (18, "DK FK FI FO GL NL SD"),
    (19, "MK SI"),
    (20, "AT BA EE KZ LT LU MN XK"),
    (21, "CH HR LI LV"),
    (22, "BG BH CR DE GB GE IE ME RS VA"),
    (23, "AE GI IL IQ OM SO TL"),
    (24, "AD CZ ES MD PK RO SA SE SK TN VG YE"),
    (25, "LY PT ST"),
    (26, "IS TR DZ"),
    (27, "BI DJ FR GR IT MC MR SM"),
    (28, "AL AZ BY CY DO GT HN HU LB NI PL SV"),
    (29, "BR EG PS QA UA"),
    (30, "JO KW MU"),
    (31, "MT SC"),
    (32, "LC"),
    (33, "RU"),
];

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    let bytes = window.text.as_bytes();
    for (start, pair) in bytes.windows(4).enumerate() {
        if let [a, b, c, d] = *pair
            && a.is_ascii_alphabetic()
            && b.is_ascii_alphabetic()
            && c.is_ascii_digit()
            && d.is_ascii_digit()
            && window.begins_word(start)
            && let Some(end) = account_end(window, start, length_of(a, b))
            && is_one_case(window.text.get(start..end).unwrap_or_default())
        {
            out.push(Candidate { start, end, entity: Entity::Iban });
        }
    }
}

/// Nobody mixes capitals and small letters in one.
fn is_one_case(account: &str) -> bool {
    let lower = account.bytes().any(|byte| byte.is_ascii_lowercase());
    !(lower && account.bytes().any(|byte| byte.is_ascii_uppercase()))
}

fn length_of(a: u8, b: u8) -> usize {
    let country = [a.to_ascii_uppercase(), b.to_ascii_uppercase()];
    COUNTRIES
        .iter()
        .find(|(_, names)| names.split(' ').any(|name| name.as_bytes() == country))
        .map_or(0, |(length, _)| *length)
}

/// The end of an account number of `length` letters and digits that begins
/// here, with at most one separator between two of them.
fn account_end(window: &Window<'_>, start: usize, length: usize) -> Option<usize> {
    let mut account = Vec::with_capacity(length);
    let mut separated = false;
    for (at, c) in window.text.get(start..)?.char_indices() {
        if c.is_ascii_alphanumeric() {
            account.push(c.to_ascii_uppercase());
            separated = false;
            if account.len() == length {
                let end = start + at + 1;
                return (window.ends_word(end) && checks_out(&account)).then_some(end);
            }
        } else if separated || !(is_joiner(c) || is_dash(c)) || account.len() < 4 {
            return None;
        } else {
            separated = true;
        }
        if account.len() > length {
            return None;
        }
    }
    None
}

/// ISO 7064 mod 97-10, the first four characters moved to the end.
fn checks_out(account: &[char]) -> bool {
    let (head, tail) = account.split_at(account.len().min(4));
    let rest = tail.iter().chain(head).filter_map(|c| c.to_digit(36)).fold(0, |rest, value| {
        let shift = if value > 9 { 100 } else { 10 };
        (rest * shift + value) % 97
    });
    rest == 1
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    fn finds(text: &str, expected: &[&str]) {
        check(Entity::Iban, text, expected);
    }

    #[test]
    fn an_account_is_found_compact_and_in_groups() {
        for iban in [
            "GB29NWBK60161331926819",
            "GB29 NWBK 6016 1331 9268 19",
            "GB29-NWBK-6016-1331-9268-19",
            "gb29nwbk60161331926819",
            "NO93 8601 1117 947",
            "MU17 BOMM 0101 1010 3030 0200 000M UR",
            "LC55 HEMM 0001 0001 0012 0012 0002 3015",
        ] {
            finds(&format!("IBAN:{iban}, please"), &[iban]);
            finds(&format!("pay {iban} NOW"), &[iban]);
        }
    }

    #[test]
    fn a_wrong_checksum_length_or_country_is_left_alone() {
        for text in [
            "GB28NWBK60161331926819",
            "gB29NWBK60161331926819",
            "GB29NWBK6016133192681",
            "XX29NWBK60161331926819",
        ] {
            finds(text, &[]);
        }
    }

    #[test]
    fn an_account_inside_a_longer_token_is_left_alone() {
        for text in ["AGB29NWBK60161331926819", "GB29NWBK60161331926819X"] {
            finds(text, &[]);
        }
    }
}
