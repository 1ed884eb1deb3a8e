//! What the check digits of many countries are made of: weighted sums, Luhn,
//! Verhoeff, ISO 7064 and dates. All take the characters without separators,
//! letters as capitals.

/// The digit at a place; 0 for what is none.
pub(super) fn digit(number: &[u8], place: usize) -> u32 {
    match number.get(place) {
        Some(byte @ b'0'..=b'9') => u32::from(byte - b'0'),
        _ => 0,
    }
}

/// Digits as they are, letters from 10 on.
pub(super) fn value(number: &[u8], place: usize) -> u32 {
    number.get(place).and_then(|byte| char::from(*byte).to_digit(36)).unwrap_or(0)
}

/// The digits of a stretch as one number; letters count as 0.
pub(super) fn number(number: &[u8], places: std::ops::Range<usize>) -> u64 {
    places.fold(0, |n, place| n * 10 + u64::from(digit(number, place)))
}

/// The sum of the first digits, each times its weight.
pub(super) fn weighted(number: &[u8], weights: &[u32]) -> u32 {
    weights.iter().enumerate().map(|(place, weight)| digit(number, place) * weight).sum()
}

/// Luhn, over everything.
pub(super) fn luhn(number: &[u8]) -> bool {
    luhn_sum(number).is_multiple_of(10)
}

/// The sum that Luhn wants to be a multiple of ten.
pub(super) fn luhn_sum(number: &[u8]) -> u32 {
    let len = number.len();
    (0..len)
        .map(|place| match (digit(number, place), (len - place).is_multiple_of(2)) {
            (digit, true) => digit * 2 - if digit > 4 { 9 } else { 0 },
            (digit, false) => digit,
        })
        .sum()
}

/// Verhoeff, over everything: the symmetries of a pentagon.
pub(super) fn verhoeff(number: &[u8]) -> bool {
    /// One turn of the permutation.
    const NEXT: [u32; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let turned = |digit: u32, times: usize| {
        (0..times).fold(digit, |d, _| NEXT.get(d as usize).copied().unwrap_or(0))
    };
    let end = (0..number.len()).fold(0, |left, from_end| {
        let place = number.len() - 1 - from_end;
        symmetry(left, turned(digit(number, place), from_end % 8))
    });
    end == 0
}

/// The product of two symmetries: 0 to 4 turn, 5 to 9 turn and mirror.
fn symmetry(left: u32, right: u32) -> u32 {
    match (left < 5, right < 5) {
        (true, true) => (left + right) % 5,
        (true, false) => 5 + (left + right) % 5,
        (false, true) => 5 + (left + 10 - right) % 5,
        (false, false) => (left + 5 - right % 5) % 5,
    }
}

/// ISO 7064 mod 11,10, over everything.
pub(super) fn mod_11_10(number: &[u8]) -> bool {
    let Some(last) = number.len().checked_sub(1) else { return false };
    let product = (0..last).fold(10, |product, place| {
        let sum = (digit(number, place) + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    (11 - product) % 10 == digit(number, last)
}

/// Whether a calendar may hold this day, in some year.
pub(super) fn is_date(month: u64, day: u64) -> bool {
    let days = match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// `YYMMDD` from a place on.
pub(super) fn is_year_month_day(compact: &[u8], at: usize) -> bool {
    is_date(number(compact, at + 2..at + 4), number(compact, at + 4..at + 6))
}

/// `DDMMYY` from a place on.
pub(super) fn is_day_month_year(compact: &[u8], at: usize) -> bool {
    is_date(number(compact, at + 2..at + 4), number(compact, at..at + 2))
}

/// Not one digit again and again.
pub(super) fn is_varied(number: &[u8]) -> bool {
    number.iter().any(|byte| Some(byte) != number.first())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_examples_check_out_and_their_neighbours_do_not() {
        assert!(luhn(b"79927398713") && !luhn(b"79927398710"));
        assert!(verhoeff(b"2363") && !verhoeff(b"2364"));
        assert!(mod_11_10(b"36574261809") && !mod_11_10(b"36574261808"));
    }

    #[test]
    fn verhoeff_finds_every_wrong_digit_and_swapped_neighbours() {
        let right = *b"845786301237";
        let fixed = (b'0'..=b'9').map(|last| [&right[..], &[last]].concat()).find(|n| verhoeff(n));
        let right = fixed.unwrap();
        for place in 0..right.len() {
            let mut wrong = right.clone();
            wrong[place] = b'0' + (wrong[place] - b'0' + 3) % 10;
            assert!(!verhoeff(&wrong));
            let mut swapped = right.clone();
            swapped.swap(place, (place + 1).min(right.len() - 1));
            assert!(swapped == right || !verhoeff(&swapped));
        }
    }

    #[test]
    fn days_that_no_calendar_has_are_no_dates() {
        assert!(is_date(2, 29) && is_date(12, 31));
        for (month, day) in [(2, 30), (4, 31), (13, 1), (0, 1), (1, 0)] {
            assert!(!is_date(month, day), "{month} {day}");
        }
    }
}
