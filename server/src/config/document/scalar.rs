//! What a plain YAML scalar means, by the core schema of YAML 1.2.

use serde_json::{Number, Value};

/// The value of the unquoted `text`: `1` is a number, `true` a boolean, `yes` a text.
///
/// `.inf` and `.nan` stay texts, because JSON has no such numbers.
pub(super) fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

/// Reads a number with all its digits, written as JSON writes numbers.
fn number(text: &str) -> Option<Number> {
    let radix = |digits: &str, radix| {
        let all_digits = digits.chars().all(|c| c.is_digit(radix));
        // `from_str_radix` would accept a sign.
        all_digits.then(|| u64::from_str_radix(digits, radix).ok()).flatten().map(Number::from)
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty());
    if !has_digits || !are_digits(whole) || !fraction.is_none_or(are_digits) {
        return None;
    }
    let mut json = format!("{sign}{}", or_zero(whole.trim_start_matches('0')));
    if let Some(fraction) = fraction {
        json = format!("{json}.{}", or_zero(fraction));
    }
    if let Some(exponent) = exponent {
        json = format!("{json}e{exponent}");
    }
    // JSON's own grammar judges the exponent.
    serde_json::from_str(&json).ok()
}

fn or_zero(digits: &str) -> &str {
    if digits.is_empty() { "0" } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits_and_become_json() {
        let cases = [
            ("7", "7"),
            ("007", "7"),
            ("+7", "7"),
            ("-0", "-0"),
            ("9007199254740993", "9007199254740993"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1.50", "1.50"),
            (".5", "0.5"),
            ("5.", "5.0"),
            ("1e3", "1e+3"),
            ("0x1F", "31"),
            ("0o17", "15"),
        ];
        for (text, json) in cases {
            assert_eq!(plain(text).to_string(), json, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_number_is_a_text() {
        for text in [
            "1_000", "0x", "0x+1", "0b1", ".", "-", "+", "e3", "1e", "1.2.3", "30m", ".inf",
            ".nan", "--1",
        ] {
            assert_eq!(plain(text), Value::String(text.into()), "{text}");
        }
    }

    #[test]
    fn only_true_and_false_are_booleans() {
        for text in ["yes", "no", "on", "off", "y", "tRUE"] {
            assert_eq!(plain(text), Value::String(text.into()), "{text}");
        }
        assert_eq!(plain("True"), Value::Bool(true));
        assert_eq!(plain("NULL"), Value::Null);
    }
}
