//! What stands between a name and its value: `=`, `: "`, ` => '`, `("…", "`.

use super::bytes::{ByteSet, View};
use super::word;

/// The most that may stand between a name and its value.
const MAX: usize = 48;

const LETTERS: ByteSet = ByteSet::of(b"").with_range(b'a', b'z').with_range(b'A', b'Z');

/// How a value begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Connector {
    /// Where the value begins.
    pub(super) value: usize,
    /// What it is quoted by, and whether the quotes are escaped.
    pub(super) quote: Option<(u8, bool)>,
    /// It is assigned, compared or passed, not only near.
    pub(super) assigned: bool,
    /// By nothing but a `=`, as in an environment file.
    pub(super) tight: bool,
    /// By `=>`, which quotes every text.
    pub(super) arrow: bool,
}

/// Reads on from the end of a name.
pub(super) fn read(view: &View<'_>, from: usize) -> Option<Connector> {
    let mut found =
        Connector { value: from, quote: None, assigned: false, tight: false, arrow: false };
    let (mut lines, mut words) = (0, 0);
    let mut at = from;
    found.tight = view.at(at) == Some(b'=');
    while at <= from + MAX {
        let byte = view.text.get(at).copied()?;
        match byte {
            b'"' | b'\'' | b'`' => {
                let spaced = view.before(at).is_some_and(|b| matches!(b, b' ' | b'\t' | b'\n'));
                let escaped = view.before(at) == Some(b'\\');
                let opened = found.quote.is_some();
                if found.assigned || spaced || opened {
                    found.quote = Some((byte, escaped));
                }
                at += 1;
                if found.quote.is_some() && !next_is_quote(view, at) {
                    found.value = at;
                    return Some(found);
                }
                continue;
            }
            b'=' | b':' | b'>' | b',' | b'(' | b'|' => {
                found.assigned = true;
                found.arrow |= byte == b'>' && view.before(at) == Some(b'=');
            }
            b'\n' => {
                lines += 1;
                // The next item of a list has its own name.
                let listed = view.before(at) == Some(b',');
                if lines > 1 || listed {
                    return None;
                }
            }
            b' ' | b'\t' | b'\r' | b'[' | b']' | b')' | b'?' | b'!' | b'+' | b'.' | b'-'
            | b'\\' | b'~' => {}
            _ => {
                let run = LETTERS.run(view.text, at, 14);
                let next = view.at(at + run);
                let alone =
                    !next.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
                if run == 0 || !alone || words == 3 || !word::is_filler(view.slice(at, at + run)) {
                    found.value = at;
                    return Some(found);
                }
                words += 1;
                // `is` and `was` say as much as a sign.
                found.assigned |= matches!(view.slice(at, at + run), b"is" | b"was");
                at += run;
                continue;
            }
        }
        at += 1;
    }
    None
}

fn next_is_quote(view: &View<'_>, at: usize) -> bool {
    matches!(view.text.get(at), Some(b'"' | b'\'' | b'`'))
        && view.text.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, value: &str, assigned: bool, quoted: bool) {
        let view = View { text: text.as_bytes(), open_start: false, open_end: false };
        let found = read(&view, 0).unwrap();
        assert!(text.get(found.value..).unwrap().starts_with(value), "in {text:?}: {found:?}");
        assert_eq!((found.assigned, found.quote.is_some()), (assigned, quoted), "in {text:?}");
    }

    #[test]
    fn names_and_values_are_connected_in_many_ways() {
        check("=abc1", "abc1", true, false);
        check("\": \"abc\"", "abc", true, true);
        check(" := `abc`", "abc", true, true);
        check("' => 'abc'", "abc", true, true);
        check("\", \"abc\")", "abc", true, true);
        check(">\n  abc1\n</", "abc1", true, false);
        check(" string = \"abc\"", "abc", true, true);
        check(": Bearer abc1", "abc1", true, false);
        check(" key abc1", "abc1", false, false);
        check("\" value=\"abc\"", "abc", true, true);
        check("\\\": \\\"abc\\\"", "abc", true, true);
        check(" => '\"abc\"'", "abc", true, true);
        check(" 'abc'", "abc", false, true);
        check("=$abc", "$abc", true, false);
    }

    #[test]
    fn a_name_at_the_end_has_no_value() {
        let view = View { text: b" =  ", open_start: false, open_end: false };
        assert_eq!(read(&view, 0), None);
    }
}
