//! Finds payment card numbers by issuer prefix, length and Luhn checksum.

use super::chars::is_word;
use super::entity::Entity;
use super::groups::{Sep, digits, groups};
use super::window::{Candidate, Window};

/// The shortest and longest card number.
pub(super) const LENGTHS: std::ops::RangeInclusive<usize> = 12..=19;

/// More groups of four have more digits.
const MAX_GROUPS: usize = 6;

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    for start in window.digit_runs() {
        // Groups of a card have four to eight digits, or all of them.
        let first = window.digits_from(start);
        if matches!(first, 4..=8 | 12..=19)
            && begins_clean(window, start)
            && let Some(end) = longest_card(window, start)
        {
            out.push(Candidate { start, end, entity: Entity::CreditCard });
        }
    }
}

fn begins_clean(window: &Window<'_>, start: usize) -> bool {
    let (last, second) = window.last_two(start);
    let in_number = matches!(last, Some('-' | '.')) && second.is_some_and(|c| c.is_ascii_digit());
    window.begins_word(start) && !in_number
}

/// The end of the longest card number that begins here. Groups may follow that
/// are no part of it, such as an expiry date.
fn longest_card(window: &Window<'_>, start: usize) -> Option<usize> {
    let mut total = 0;
    let mut end = None;
    let mut dashed = false;
    let groups = groups::<MAX_GROUPS>(window, start);
    // People write groups of four to eight; only the last may be shorter.
    let mut printed = true;
    for (place, group) in groups.iter().enumerate() {
        let separated = !group.in_parens && matches!(group.sep, Sep::None | Sep::Space | Sep::Dash);
        total += group.len;
        if !separated || !printed || total > *LENGTHS.end() || (place > 0 && group.len > 8) {
            break;
        }
        printed = (4..=8).contains(&group.len);
        dashed |= group.sep == Sep::Dash;
        let text = window.text.get(start..group.end)?;
        if LENGTHS.contains(&total) && ends_clean(window, group.end, dashed) && is_card(text, total)
        {
            end = Some(group.end);
        }
    }
    end
}

fn ends_clean(window: &Window<'_>, end: usize, dashed: bool) -> bool {
    let (next, second) = window.next_two(end);
    let goes_on = match next {
        // `4532-0151-1283-0366-b66c`: some other id.
        Some('-') if dashed => second.is_some_and(is_word),
        Some('-' | '.') => second.is_some_and(|c| c.is_ascii_digit()),
        _ => false,
    };
    window.ends_word(end) && !goes_on
}

fn is_card(text: &str, len: usize) -> bool {
    let prefix = |count| digits(text).take(count).fold(0_u32, |n, d| n * 10 + u32::from(d));
    let varied = digits(text).any(|d| Some(d) != digits(text).next());
    varied && is_issued(len, prefix(4), prefix(6)) && passes_luhn(text, len)
}

/// Whether an issuer gives out numbers of this length with this beginning.
fn is_issued(len: usize, four: u32, six: u32) -> bool {
    match four {
        1800 | 2131 => len == 15,               // JCB, older
        1000..=1999 => len == 15,               // UATP, of airlines
        2200..=2205 => matches!(len, 16..=19),  // Mir
        3400..=3499 | 3700..=3799 => len == 15, // American Express
        3000..=3059 | 3095 | 3600..=3699 | 3800..=3999 => matches!(len, 14 | 16 | 19), // Diners
        3500..=3589 => matches!(len, 16..=19),  // JCB, and a range beside it
        4000..=4999 => matches!(len, 13 | 16 | 19), // Visa
        2221..=2720 | 5100..=5599 => len == 16, // Mastercard
        6011 | 6440..=6599 => matches!(len, 16..=19), // Discover
        6221..=6229 if (622_126..=622_925).contains(&six) => matches!(len, 16..=19),
        6200..=6299 | 8100..=8199 => matches!(len, 16..=19), // UnionPay
        8200..=8299 | 9792 => len == 16,                     // RuPay, Troy
        5000..=5099 | 5600..=5899 | 6000..=6999 => LENGTHS.contains(&len), // Maestro
        _ => false,
    }
}

fn passes_luhn(text: &str, len: usize) -> bool {
    let sum: u32 = digits(text)
        .enumerate()
        .map(|(place, digit)| match (len - place).is_multiple_of(2) {
            true => u32::from(digit) * 2 - if digit > 4 { 9 } else { 0 },
            false => u32::from(digit),
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    fn finds(text: &str, expected: &[&str]) {
        check(Entity::CreditCard, text, expected);
    }

    #[test]
    fn every_issuer_and_length_is_found() {
        for card in [
            "4532015112830366",
            "4222222222222",
            "378282246310005",
            "30569309025904",
            "5555555555554444",
            "2223003122003222",
            "6011111111111117",
            "3530111333300000",
            "6200000000000005",
            "6759649826438453",
            "676770000005",
            "122000000000003",
            "2200000000000004",
        ] {
            finds(card, &[card]);
            finds(&format!("card {card}, thanks"), &[card]);
        }
    }

    #[test]
    fn groups_may_be_separated_by_what_typesetters_use() {
        for sep in ["-", " ", "\u{a0}", "\u{2013}"] {
            let card = ["4532", "0151", "1283", "0366"].join(sep);
            finds(&format!("card {card}."), &[&card]);
        }
        finds("3782 822463 10005", &["3782 822463 10005"]);
        finds("45320151 12830366", &["45320151 12830366"]);
    }

    #[test]
    fn a_number_that_fails_luhn_is_left_alone() {
        finds("1242-2341-3673-9999", &[]);
        finds("4532015112830367", &[]);
    }

    #[test]
    fn equal_digits_and_unknown_issuers_are_left_alone() {
        finds("0000000000000000", &[]);
        finds("4444444444444444", &[]);
        finds("9999999999999995", &[]);
    }

    #[test]
    fn groups_nobody_writes_and_parts_of_ids_are_left_alone() {
        finds("45320151-1283-0366-b66c-f2db26efb20c", &[]);
        finds("453201511-2830366", &[]);
        finds("453 201 511 283 036 6", &[]);
    }

    #[test]
    fn a_card_inside_a_longer_token_is_left_alone() {
        for text in
            ["x4532015112830366", "45320151128303660", "4532015112830366_1", "1.4532015112830366"]
        {
            finds(text, &[]);
        }
    }

    #[test]
    fn what_stands_beside_a_card_does_not_hide_it() {
        finds("1 4532 0151 1283 0366 12/27", &["4532 0151 1283 0366"]);
        finds("4532 4532 0151 1283 0366 123", &["4532 0151 1283 0366"]);
    }
}
