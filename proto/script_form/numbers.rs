//! Number literals of JSON, and what a double makes of them.

/// A literal with at most so many digits comes back from a double unchanged.
const SAFE_DIGITS: usize = 15;

/// What a literal stands for, exactly. Two literals with the same value are
/// equal here, however they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exact {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    /// Of the last digit, as a power of ten.
    exponent: i64,
}

impl Exact {
    pub(super) fn of(literal: &str) -> Self {
        let (negative, unsigned) =
            literal.strip_prefix('-').map_or((false, literal), |rest| (true, rest));
        let (mantissa, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_end_matches('0');
        let digits = significant.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            return Self { negative: false, digits, exponent: 0 };
        }
        let dropped = as_i64(all.len() - significant.len()) - as_i64(fraction.len());
        Self { negative, digits, exponent: saturating_power(power).saturating_add(dropped) }
    }
}

/// Whether the value changes when JavaScript reads the literal and writes it
/// again.
pub(super) fn is_lossy(literal: &str) -> bool {
    if literal.len() <= SAFE_DIGITS && !literal.contains(['e', 'E']) {
        return false;
    }
    let double = as_double(literal);
    // Rust writes the shortest digits that give the same double, as JavaScript
    // does.
    !double.is_finite() || Exact::of(literal) != Exact::of(&format!("{double:e}"))
}

/// The double that JavaScript reads; infinite when there is none.
pub(super) fn as_double(literal: &str) -> f64 {
    literal.parse().unwrap_or(f64::INFINITY)
}

/// Whether JavaScript keeps nothing of a lossy literal: it reads it as
/// infinite, which it writes as null, or as zero.
pub(super) fn vanishes(literal: &str) -> bool {
    let double = as_double(literal);
    is_lossy(literal) && (!double.is_finite() || double == 0.0)
}

/// A key that is the same for equal doubles, zeros included.
pub(super) fn double_key(double: f64) -> u64 {
    if double == 0.0 { 0 } else { double.to_bits() }
}

fn saturating_power(text: &str) -> i64 {
    let limit = if text.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    text.parse::<i64>().map_or(limit, |power| power.clamp(i64::MIN / 2, i64::MAX / 2))
}

fn as_i64(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_lossy_when_a_double_changes_its_value() {
        for literal in [
            "9007199254740993",
            "-9007199254740993",
            "9007199254740993.0",
            "1e400",
            "-1e400",
            "1e-400",
            "0.1234567890123456789",
            "123456789012345678901",
            "1e99999999999999999999999",
        ] {
            assert!(is_lossy(literal), "{literal}");
        }
        for literal in [
            "0",
            "-0",
            "-0.0",
            "0e999999999999999999999",
            "1.0",
            "0.1",
            "1.50",
            "1E5",
            "1e+21",
            "9007199254740992",
            "9007199254740992.000",
            "123456789012345680000",
            "0.30000000000000004",
            "0.10000000000000000000000",
            "5e-324",
            "1.7976931348623157e308",
        ] {
            assert!(!is_lossy(literal), "{literal}");
        }
    }

    #[test]
    fn equal_values_are_equal_however_they_are_written() {
        for (one, other) in
            [("1", "1.0"), ("100", "1e2"), ("1e2", "1.00E+2"), ("0.05", "5e-2"), ("-0", "0.0")]
        {
            assert_eq!(Exact::of(one), Exact::of(other));
        }
        for (one, other) in [("1", "-1"), ("1", "10"), ("1e400", "1e401"), ("0.1", "0.01")] {
            assert_ne!(Exact::of(one), Exact::of(other));
        }
    }
}
