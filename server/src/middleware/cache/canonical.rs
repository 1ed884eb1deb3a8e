//! JSON in one form, however it was written: keys sorted, numbers by value.

use serde_json::{Number, Value};
use std::io::{self, Write};

/// Writes `value` in its canonical form. Two values give the same bytes if they are equal, whatever
/// the order of keys, the spaces, the escapes and the spelling of numbers.
///
/// # Errors
///
/// What `out` says.
pub(super) fn write(value: &Value, out: &mut impl Write) -> io::Result<()> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => text(value, out),
        Value::Number(number) => out.write_all(spelled(number).as_bytes()),
        Value::Array(values) => {
            out.write_all(b"[")?;
            for (index, value) in values.iter().enumerate() {
                separate(index, out)?;
                write(value, out)?;
            }
            out.write_all(b"]")
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            out.write_all(b"{")?;
            for (index, (key, value)) in members.into_iter().enumerate() {
                separate(index, out)?;
                text(key, out)?;
                out.write_all(b":")?;
                write(value, out)?;
            }
            out.write_all(b"}")
        }
    }
}

fn separate(index: usize, out: &mut impl Write) -> io::Result<()> {
    if index == 0 { Ok(()) } else { out.write_all(b",") }
}

fn text(value: &(impl serde::Serialize + ?Sized), out: &mut impl Write) -> io::Result<()> {
    Ok(serde_json::to_writer(out, value)?)
}

/// A number as its digits without zeros at either end and a power of ten: `120.0` is `12e1`.
fn spelled(number: &Number) -> String {
    let written = number.to_string();
    // A power that does not fit 64 bits leaves the number as it is written.
    normal(&written).unwrap_or(written)
}

fn normal(written: &str) -> Option<String> {
    let (sign, unsigned) = match written.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", written),
    };
    let (mantissa, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    let short = significant.trim_end_matches('0');
    if short.is_empty() {
        return Some("0".into());
    }
    let zeros = i64::try_from(significant.len() - short.len()).ok()?;
    let fraction = i64::try_from(fraction.len()).ok()?;
    let power: i64 = power.parse().ok()?;
    let power = power.checked_add(zeros)?.checked_sub(fraction)?;
    Some(format!("{sign}{short}e{power}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn canonical(json: &str) -> String {
        let mut out = Vec::new();
        write(&serde_json::from_str(json).unwrap(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[track_caller]
    fn check_equal(spellings: &[&str]) {
        for spelling in spellings {
            assert_eq!(canonical(spelling), canonical(spellings[0]), "{spelling}");
        }
    }

    #[test]
    fn the_order_of_keys_spaces_and_escapes_do_not_matter() {
        check_equal(&[
            r#"{"a":{"x":1,"y":[]},"b":"é"}"#,
            "{ \"b\" :\"\\u00e9\", \"a\":{\"y\":[],\"x\":1} }",
        ]);
    }

    #[test]
    fn numbers_are_equal_by_value() {
        check_equal(&["1", "1.0", "1e0", "10e-1", "0.1E+1", "100.00e-2"]);
        check_equal(&["0", "-0", "0.0", "0e99"]);
        check_equal(&["-120", "-1.2e2", "-12E1"]);
        check_equal(&["9007199254740993", "9007199254740993.0"]);
        check_equal(&["1e400", "10e399"]);
    }

    #[test]
    fn values_that_differ_stay_apart() {
        let values = [
            "1",
            "-1",
            "10",
            "0.1",
            "\"1\"",
            "[1]",
            "[1,1]",
            "[[1],1]",
            "9007199254740993",
            "9007199254740992",
            "1e400",
            "1e401",
            "null",
            "false",
            "0",
            "\"\"",
            "{}",
            "[]",
            r#"{"a":1}"#,
            r#"{"b":1}"#,
            r#"{"a":"1"}"#,
            "1e99999999999999999999",
        ];
        for (index, one) in values.iter().enumerate() {
            for other in &values[..index] {
                assert_ne!(canonical(one), canonical(other));
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_a_form_of_its_own(n in any::<i64>(), zeros in 0..9_usize, text in ".*") {
            let number = format!("{n}.{}", "0".repeat(zeros + 1));
            prop_assert_eq!(canonical(&number), canonical(&n.to_string()));
            let json = serde_json::json!({ "t": text, "n": n }).to_string();
            prop_assert_eq!(canonical(&canonical(&json)), canonical(&json));
        }
    }
}
