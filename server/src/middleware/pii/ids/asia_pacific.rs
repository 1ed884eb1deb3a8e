//! Check digits of Asia, Turkey and Australia.

use super::check::{digit, is_date, is_varied, is_year_month_day, number, verhoeff, weighted};

/// China: ISO 7064 mod 11-2, with an X for ten.
pub(super) fn cn_id(n: &[u8]) -> bool {
    let sum = weighted(n, &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    let check = b"10X98765432".get((sum % 11) as usize);
    let year = number(n, 6..10);
    (1850..=2100).contains(&year)
        && is_date(number(n, 10..12), number(n, 12..14))
        && check == n.get(17)
}

/// India: Verhoeff; no number begins with 0 or 1.
pub(super) fn in_aadhaar(n: &[u8]) -> bool {
    digit(n, 0) >= 2 && is_varied(n) && verhoeff(n)
}

/// India, tax: the fourth letter says what kind of taxpayer it is.
pub(super) fn in_pan(n: &[u8]) -> bool {
    n.get(3).is_some_and(|kind| b"ABCFGHJLPT".contains(kind))
}

/// India, sales tax: a state, a taxpayer's number, and Z before the last.
pub(super) fn in_gstin(n: &[u8]) -> bool {
    matches!(number(n, 0..2), 1..=38 | 97 | 99) && n.get(13) == Some(&b'Z') && digit(n, 12) > 0
}

/// South Korea: a date, and what the seventh digit says of the century.
pub(super) fn kr_rrn(n: &[u8]) -> bool {
    is_year_month_day(n, 0) && matches!(digit(n, 6), 1..=4) && number(n, 7..9) <= 95
}

/// Thailand.
pub(super) fn th_national_id(n: &[u8]) -> bool {
    let sum = weighted(n, &[13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    (1..=8).contains(&digit(n, 0)) && is_varied(n) && (11 - sum % 11) % 10 == digit(n, 12)
}

/// Turkey: two check digits, of the odd and even places and of all.
pub(super) fn tr_national_id(n: &[u8]) -> bool {
    let odd = weighted(n, &[1, 0, 1, 0, 1, 0, 1, 0, 1]);
    let even = weighted(n, &[0, 1, 0, 1, 0, 1, 0, 1]);
    let tenth = (odd * 7 + 90 - even) % 10;
    digit(n, 0) > 0 && tenth == digit(n, 9) && (odd + even + digit(n, 9)) % 10 == digit(n, 10)
}

/// Singapore: a letter by what 11 leaves, another row for foreigners.
pub(super) fn sg_nric(n: &[u8]) -> bool {
    let sum = weighted(n.get(1..).unwrap_or_default(), &[2, 7, 6, 5, 4, 3, 2]);
    let (add, letters) = match n.first() {
        Some(b'S') => (0, b"JZIHGFEDCBA"),
        Some(b'T') => (4, b"JZIHGFEDCBA"),
        Some(b'F') => (0, b"XWUTRQPNMLK"),
        Some(b'G') => (4, b"XWUTRQPNMLK"),
        Some(b'M') => (3, b"XWUTRQPNJLK"),
        _ => return false,
    };
    letters.get(((sum + add) % 11) as usize) == n.get(8)
}

/// Australia, tax: eight digits or nine.
pub(super) fn au_tfn(n: &[u8]) -> bool {
    let sum = match n.len() {
        8 => weighted(n, &[10, 7, 8, 4, 6, 3, 5, 1]),
        _ => weighted(n, &[1, 4, 3, 7, 5, 8, 6, 9, 10]),
    };
    sum > 0 && sum.is_multiple_of(11)
}

/// Australia, health: the ninth digit checks the first eight.
pub(super) fn au_medicare(n: &[u8]) -> bool {
    let sum = weighted(n, &[1, 3, 7, 9, 1, 3, 7, 9]);
    (2..=6).contains(&digit(n, 0)) && sum % 10 == digit(n, 8)
}

/// Australia, businesses.
pub(super) fn au_abn(n: &[u8]) -> bool {
    let sum = weighted(n, &[10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    digit(n, 0) > 0 && (sum - 10).is_multiple_of(89)
}

/// Australia, companies.
pub(super) fn au_acn(n: &[u8]) -> bool {
    let sum = weighted(n, &[8, 7, 6, 5, 4, 3, 2, 1]);
    sum > 0 && (10 - sum % 10) % 10 == digit(n, 8)
}
