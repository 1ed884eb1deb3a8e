//! Check digits of Germany and Austria.

use super::check::{digit, is_date, mod_11_10, number, value, weighted};

/// The sum of a product's digits.
fn cross_sum(product: u32) -> u32 {
    product / 10 + product % 10
}

/// Austria: the fourth digit checks the others; a date follows.
pub(super) fn at_ssn(n: &[u8]) -> bool {
    let sum = weighted(n, &[3, 7, 9, 0, 5, 8, 4, 2, 1, 6]);
    // Months over twelve stand where a day had no number left.
    let date = is_date(number(n, 6..8), number(n, 4..6)) || (13..=15).contains(&number(n, 6..8));
    digit(n, 0) > 0 && date && sum % 11 == digit(n, 3)
}

/// Germany, pension: the letter counts as two digits.
pub(super) fn de_svnr(n: &[u8]) -> bool {
    let letter = value(n, 8).saturating_sub(9);
    let mut digits: Vec<u32> = (0..8).map(|place| digit(n, place)).collect();
    digits.extend([letter / 10, letter % 10, digit(n, 9), digit(n, 10)]);
    let weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
    let sum: u32 = digits.iter().zip(weights).map(|(digit, by)| cross_sum(digit * by)).sum();
    is_date(number(n, 4..6), number(n, 2..4).clamp(1, 31)) && sum % 10 == digit(n, 11)
}

/// Germany, cards and passports: nine characters by 7, 3, 1.
pub(super) fn de_id_card(n: &[u8]) -> bool {
    let sum: u32 = (0..9).zip([7, 3, 1].iter().cycle()).map(|(p, by)| value(n, p) * by).sum();
    // Vowels and letters that look like others are never given.
    let given = |byte: &u8| byte.is_ascii_digit() || b"CFGHJKLMNPRTVWXYZ".contains(byte);
    n.first().is_some_and(u8::is_ascii_alphabetic)
        && n.iter().take(9).all(given)
        && sum % 10 == digit(n, 9)
}

/// Germany, tax: one digit of the first ten is there twice or three times.
pub(super) fn de_tax_id(n: &[u8]) -> bool {
    let times = |wanted: u8| n.iter().take(10).filter(|byte| **byte == wanted).count();
    let most = (b'0'..=b'9').map(times).max().unwrap_or(0);
    digit(n, 0) > 0 && (2..=3).contains(&most) && mod_11_10(n)
}

/// Germany, health: the letter counts as two digits.
pub(super) fn de_health_insurance(n: &[u8]) -> bool {
    let letter = value(n, 0).saturating_sub(9);
    let digits = [letter / 10, letter % 10].into_iter().chain((1..9).map(|place| digit(n, place)));
    let sum: u32 = digits.zip([1, 2].iter().cycle()).map(|(digit, by)| cross_sum(digit * by)).sum();
    sum % 10 == digit(n, 9)
}
