//! Check digits of the east and the north of Europe.

use super::check::{digit, is_date, is_day_month_year, is_year_month_day, luhn, number, weighted};

/// Estonia and Lithuania: one round of weights, and another if that leaves ten.
pub(super) fn baltic(n: &[u8]) -> bool {
    let first = weighted(n, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
    let second = weighted(n, &[3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11 % 10;
    (1..=8).contains(&digit(n, 0))
        && is_year_month_day(n, 1)
        && digit(n, 10) == if first == 10 { second } else { first }
}

/// Latvia: numbers from 2017 on begin with 32 and say nothing of their owner.
pub(super) fn lv_personal_code(n: &[u8]) -> bool {
    let sum = weighted(n, &[1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    let checked = (1101 - sum) % 11 % 10 == digit(n, 10);
    n.starts_with(b"32") || (is_day_month_year(n, 0) && checked)
}

/// Bulgaria: the month says the century.
pub(super) fn bg_egn(n: &[u8]) -> bool {
    let sum = weighted(n, &[2, 4, 8, 5, 10, 9, 7, 3, 6]);
    is_date(number(n, 2..4) % 20, number(n, 4..6)) && sum % 11 % 10 == digit(n, 9)
}

/// Romania.
pub(super) fn ro_cnp(n: &[u8]) -> bool {
    let rest = weighted(n, &[2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
    digit(n, 0) > 0 && is_year_month_day(n, 1) && digit(n, 12) == if rest == 10 { 1 } else { rest }
}

/// Slovenia and its neighbours.
pub(super) fn si_emso(n: &[u8]) -> bool {
    let sum = weighted(n, &[7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]);
    is_day_month_year(n, 0) && (11 - sum % 11) % 11 == digit(n, 12)
}

/// Czechia and Slovakia: a multiple of eleven, since 1954.
pub(super) fn cz_birth_number(n: &[u8]) -> bool {
    let month = number(n, 2..4) % 50;
    match n.len() {
        9 => true,
        _ => {
            let rest = number(n, 0..9) % 11 % 10;
            is_date(if month > 20 { month - 20 } else { month }, number(n, 4..6))
                && rest == u64::from(digit(n, 9))
        }
    }
}

/// Poland, persons.
pub(super) fn pl_pesel(n: &[u8]) -> bool {
    let sum = weighted(n, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]);
    sum > 0 && sum.is_multiple_of(10)
}

/// Poland, tax.
pub(super) fn pl_nip(n: &[u8]) -> bool {
    let n = n.strip_prefix(b"PL").unwrap_or(n);
    let sum = weighted(n, &[6, 5, 7, 2, 3, 4, 5, 6, 7]);
    sum > 0 && sum % 11 == digit(n, 9)
}

/// Hungary, tax of persons.
pub(super) fn hu_tin(n: &[u8]) -> bool {
    weighted(n, &[1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 == digit(n, 9)
}

/// Greece, social security.
pub(super) fn gr_amka(n: &[u8]) -> bool {
    luhn(n) && number(n, 0..11) > 0
}

/// Greece, tax: powers of two.
pub(super) fn gr_afm(n: &[u8]) -> bool {
    let sum = weighted(n, &[256, 128, 64, 32, 16, 8, 4, 2]);
    sum > 0 && sum % 11 % 10 == digit(n, 8)
}

/// Finland: a letter by what 31 leaves.
pub(super) fn fi_hetu(n: &[u8]) -> bool {
    const LETTERS: &[u8; 31] = b"0123456789ABCDEFHJKLMNPRSTUVWXY";
    // The sign of the century is a dash, which is gone, or a letter.
    let serial = n.len().saturating_sub(4);
    let rest = (number(n, 0..6) * 1000 + number(n, serial..serial + 3)) % 31;
    let century = n.len() == 10 || n.get(6).is_some_and(|c| b"ABCDEFUVWXY".contains(c));
    is_day_month_year(n, 0) && century && LETTERS.get(rest as usize) == n.last()
}

/// Sweden: Luhn over ten digits; the day of a coordination number is 60 more.
pub(super) fn se_personnummer(n: &[u8]) -> bool {
    let century = matches!(number(n, 0..2), 18..=20);
    let short = if n.len() == 12 && century { n.get(2..).unwrap_or_default() } else { n };
    let (month, day) = (number(short, 2..4), number(short, 4..6));
    let coordinated = (61..=91).contains(&day) && month <= 12;
    short.len() == 10 && luhn(short) && (is_date(month, day) || coordinated)
}
