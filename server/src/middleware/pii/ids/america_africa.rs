//! Check digits of the Americas and Africa.

use super::check::{
    digit, is_varied, is_year_month_day, luhn, luhn_sum, number, verhoeff, weighted,
};

/// Brazil: a digit by what 11 leaves of the digits before it.
fn brazilian(n: &[u8], weights: &[u32], place: usize) -> bool {
    let rest = weighted(n, weights) % 11;
    digit(n, place) == if rest < 2 { 0 } else { 11 - rest }
}

/// Brazil, persons.
pub(super) fn br_cpf(n: &[u8]) -> bool {
    is_varied(n)
        && brazilian(n, &[10, 9, 8, 7, 6, 5, 4, 3, 2], 9)
        && brazilian(n, &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2], 10)
}

/// Brazil, companies.
pub(super) fn br_cnpj(n: &[u8]) -> bool {
    is_varied(n)
        && brazilian(n, &[5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], 12)
        && brazilian(n, &[6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], 13)
}

/// Canada: Luhn; 0 and 8 begin no number.
pub(super) fn ca_sin(n: &[u8]) -> bool {
    !matches!(digit(n, 0), 0 | 8) && is_varied(n) && luhn(n)
}

/// US, providers of health care: Luhn with 80840 before it.
pub(super) fn us_npi(n: &[u8]) -> bool {
    (luhn_sum(n) + 24).is_multiple_of(10)
}

/// NPIs begin with 1 or 2.
pub(super) fn is_npi(n: &[u8]) -> bool {
    matches!(digit(n, 0), 1 | 2) && number(n, 1..9) != 11_111_111
}

/// US, prescribers.
pub(super) fn us_dea(n: &[u8]) -> bool {
    let digits = n.get(2..).unwrap_or_default();
    weighted(digits, &[1, 2, 1, 2, 1, 2]) % 10 == digit(digits, 6)
}

/// US, banks: weights 3, 7, 1, and numbers that some region has.
pub(super) fn us_aba(n: &[u8]) -> bool {
    let sum = weighted(n, &[3, 7, 1, 3, 7, 1, 3, 7, 1]);
    sum > 0 && sum.is_multiple_of(10) && matches!(number(n, 0..2), 0..=12 | 21..=32 | 61..=72 | 80)
}

/// US, taxpayers without a social security number.
pub(super) fn us_itin(n: &[u8]) -> bool {
    digit(n, 0) == 9 && matches!(number(n, 3..5), 50..=65 | 70..=88 | 90..=92 | 94..=99)
}

/// US, Medicare: letters that look like digits are never given.
pub(super) fn us_mbi(n: &[u8]) -> bool {
    digit(n, 0) > 0 && !n.iter().any(|byte| b"SLOIBZ".contains(byte))
}

/// South Africa: a date, citizenship, Luhn.
pub(super) fn za_id(n: &[u8]) -> bool {
    is_year_month_day(n, 0) && digit(n, 10) <= 2 && luhn(n)
}

/// Nigeria: Verhoeff.
pub(super) fn ng_nin(n: &[u8]) -> bool {
    digit(n, 0) > 0 && is_varied(n) && verhoeff(n)
}
