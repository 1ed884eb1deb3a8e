//! Check digits of the west and the south of Europe.

use super::check::{digit, is_date, luhn_sum, number, value, verhoeff, weighted};

/// Belgium: what is left of the first nine digits by 97, with a 2 before them
/// for people born in this century.
pub(super) fn be_national_number(n: &[u8]) -> bool {
    let (body, key) = (number(n, 0..9), number(n, 9..11));
    [body, 2_000_000_000 + body].iter().any(|body| 97 - body % 97 == key)
        && number(n, 2..4) % 20 <= 12
}

/// Netherlands: the eleven test.
pub(super) fn nl_bsn(n: &[u8]) -> bool {
    let sum = weighted(n, &[9, 8, 7, 6, 5, 4, 3, 2]);
    sum > 0 && sum % 11 == digit(n, 8)
}

/// Luxembourg: one digit by Luhn, one by Verhoeff.
pub(super) fn lu_nin(n: &[u8]) -> bool {
    let (Some(head), Some(body)) = (n.get(..12), n.get(..11)) else { return false };
    let second = [body, n.get(12..13).unwrap_or_default()].concat();
    is_date(number(n, 4..6), number(n, 6..8))
        && luhn_sum(head).is_multiple_of(10)
        && verhoeff(&second)
}

/// France: 97 less what is left of the number; Corsica's departments have a
/// letter.
pub(super) fn fr_nir(n: &[u8]) -> bool {
    let body = number(n, 0..13);
    let body = match n.get(5..7) {
        Some(b"2A") => body - 1_000_000,
        Some(b"2B") => body - 2_000_000,
        _ => body,
    };
    let letters = n.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let corsica = matches!(n.get(5..7), Some(b"2A" | b"2B"));
    let digits = letters == usize::from(corsica);
    // Corsica's `2A` reads as 20 here, and stands for 19; `2B` for 18.
    digits && matches!(digit(n, 0), 1..=4 | 7 | 8) && 97 - body % 97 == number(n, 13..15)
}

/// France: the last three digits are what 511 leaves of the others.
pub(super) fn fr_nif(n: &[u8]) -> bool {
    digit(n, 0) <= 3 && number(n, 0..10) % 511 == number(n, 10..13)
}

/// The letter behind a Spanish number.
fn spanish_letter(number: u64) -> u8 {
    const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    LETTERS.get((number % 23) as usize).copied().unwrap_or(0)
}

/// Spain, citizens: seven or eight digits and a letter.
pub(super) fn es_nif(n: &[u8]) -> bool {
    let Some((letter, body)) = n.split_last() else { return false };
    let body = number(body, 0..body.len());
    body > 0 && spanish_letter(body) == *letter
}

/// Spain, foreigners: X, Y or Z counts as a digit.
pub(super) fn es_nie(n: &[u8]) -> bool {
    let first = match n.first() {
        Some(b'X') => 0,
        Some(b'Y') => 1,
        Some(b'Z') => 2,
        _ => return false,
    };
    Some(&spanish_letter(first * 10_000_000 + number(n, 1..8))) == n.get(8)
}

/// Spain, social security: what 97 leaves.
pub(super) fn es_nuss(n: &[u8]) -> bool {
    let (province, serial) = (number(n, 0..2), number(n, 2..10));
    let body = if serial < 10_000_000 { province * 10_000_000 + serial } else { number(n, 0..10) };
    (1..=66).contains(&province) && body % 97 == number(n, 10..12)
}

/// Portugal.
pub(super) fn pt_nif(n: &[u8]) -> bool {
    let rest = 11 - weighted(n, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    digit(n, 0) > 0 && digit(n, 8) == if rest >= 10 { 0 } else { rest }
}

/// Italy: letters and digits have one value at even places, another at odd ones.
pub(super) fn it_fiscal_code(n: &[u8]) -> bool {
    const ODD: [u32; 26] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24,
        23,
    ];
    let plain = |place| match value(n, place) {
        letter @ 10.. => letter - 10,
        digit => digit,
    };
    let sum: u32 = (0..15)
        .map(|place| match place % 2 {
            0 => ODD.get(plain(place) as usize).copied().unwrap_or(0),
            _ => plain(place),
        })
        .sum();
    // In place of digits, letters tell people of the same code apart.
    let digits = [6, 7, 9, 10, 12, 13, 14];
    let stands_for_digit = |byte: u8| byte.is_ascii_digit() || b"LMNPQRSTUV".contains(&byte);
    digits.iter().all(|place| n.get(*place).is_some_and(|byte| stands_for_digit(*byte)))
        && n.get(8).is_some_and(|month| b"ABCDEHLMPRST".contains(month))
        && sum % 26 + 10 == value(n, 15)
}

/// Ireland: a letter by what 23 leaves; a second one counts too.
pub(super) fn ie_pps(n: &[u8]) -> bool {
    let letter = |place| match value(n, place) {
        32 | 0 => 0,
        letter => letter - 9,
    };
    let sum = weighted(n, &[8, 7, 6, 5, 4, 3, 2]) + letter(8) * 9;
    sum % 23 == letter(7)
}

/// United Kingdom: letters that are never given, and a last one from A to D.
pub(super) fn uk_nino(n: &[u8]) -> bool {
    let &[first, second, ..] = n else { return false };
    !b"DFIQUV".contains(&first)
        && !b"DFIOQUV".contains(&second)
        && !matches!(&[first, second], b"BG" | b"GB" | b"NK" | b"KN" | b"TN" | b"NT" | b"ZZ")
        && n.last().is_some_and(|last| b"ABCD".contains(last))
}

/// United Kingdom, health.
pub(super) fn uk_nhs(n: &[u8]) -> bool {
    let rest = 11 - weighted(n, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    digit(n, 9) == if rest == 11 { 0 } else { rest }
}

/// United Kingdom, tax: the first digit checks the others.
pub(super) fn uk_utr(n: &[u8]) -> bool {
    let digits = n.strip_suffix(b"K").unwrap_or(n);
    let digits = digits.strip_prefix(b"000").filter(|rest| rest.len() == 10).unwrap_or(digits);
    let weights = [0, 6, 7, 8, 9, 10, 5, 4, 3, 2];
    let check = match 11 - weighted(digits, &weights) % 11 {
        over @ 10.. => over - 9,
        under => under,
    };
    digits.len() == 10 && digit(digits, 0) == check
}
