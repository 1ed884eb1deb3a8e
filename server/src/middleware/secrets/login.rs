//! Names with passwords: in addresses, in headers, and as options of commands.

use super::bytes::{ByteSet, View};
use super::placeholder::is_placeholder;
use super::random;
use std::ops::Range;

/// What may stand before the `@` of an address.
const USER_INFO: ByteSet = ByteSet::ALNUM
    .with(b'-')
    .with(b'.')
    .with(b'_')
    .with(b'~')
    .with(b'%')
    .with(b'!')
    .with(b'$')
    .with(b'&')
    .with(b'*')
    .with(b'+')
    .with(b';')
    .with(b'=')
    .with(b':')
    .with(b'^')
    .with(b'#')
    .with(b'{')
    .with(b'}')
    .with(b'(')
    .with(b')')
    .with(b',')
    .with(b'?');

/// The name and password of an address whose `://` ends at `at`.
pub(super) fn in_address(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let mut end = at + USER_INFO.run(view.text, at, 512);
    if view.at(end) != Some(b'@') {
        return None;
    }
    // A password may hold an `@` itself: the last one counts.
    loop {
        let more = USER_INFO.run(view.text, end + 1, 256);
        if view.at(end + 1 + more) != Some(b'@') {
            break;
        }
        end += 1 + more;
    }
    let info = view.slice(at, end);
    let colon = info.iter().position(|byte| *byte == b':')?;
    let password = info.get(colon + 1..)?;
    let real = password.len() >= 3 && !is_placeholder(password);
    real.then_some(at..end)
}

const BASE64: ByteSet = ByteSet::ALNUM.with(b'+').with(b'/').with(b'-').with(b'_');

/// The credentials behind `Basic `: a name and a password in base 64.
pub(super) fn basic(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let run = BASE64.run(view.text, at, 1024);
    let end = at + run + ByteSet::of(b"=").run(view.text, at + run, 2);
    let encoded = view.slice(at, at + run);
    (run >= 12 && decodes_to_a_pair(encoded)).then_some(at..end)
}

fn decodes_to_a_pair(encoded: &[u8]) -> bool {
    let mut bits = 0_u32;
    let mut held = 0;
    let mut colon = false;
    for byte in encoded {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            _ => 63,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            let decoded = (bits >> held) & 0xff;
            bits &= (1 << held) - 1;
            if !(0x20..0x7f).contains(&decoded) {
                return false;
            }
            colon |= decoded == u32::from(b':');
        }
    }
    colon
}

/// The name and password behind an option such as `-u`.
pub(super) fn in_option(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let at = at + ByteSet::of(b" ").run(view.text, at, 4);
    let quote = view.text.get(at).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let start = at + usize::from(quote.is_some());
    let tail = view.slice(start, view.text.len().min(start + 256));
    let mut length =
        tail.iter().take_while(|b| !b.is_ascii_whitespace() && Some(**b) != quote).count();
    if quote.is_some() && tail.get(length + 1) == Some(&b':') {
        length = tail.iter().take_while(|b| !b.is_ascii_whitespace()).count();
    }
    let pair = tail.get(..length)?;
    let colon = pair.iter().position(|byte| *byte == b':')?;
    let (user, password) = (pair.get(..colon)?, pair.get(colon + 1..)?);
    let password = password.strip_prefix(b"\"").unwrap_or(password);
    let digits = password.iter().filter(|b| b.is_ascii_digit()).count();
    let real = colon > 0
        && password.len() >= 4
        && (digits > 0 || random::entropy(password) > 2.8)
        && !is_placeholder(password)
        && !is_placeholder(pair)
        && !user.contains(&b'/');
    real.then_some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str, expected: Option<&str>) {
        let view = View { text: text.as_bytes(), open_start: false, open_end: false };
        let at = text.find("://").unwrap() + 3;
        let found = in_address(&view, at).map(|span| text.get(span).unwrap());
        assert_eq!(found, expected, "in {text:?}");
    }

    #[test]
    fn the_credentials_of_an_address_reach_to_its_last_at() {
        address("postgres://bob:hunter2@db:5432/x", Some("bob:hunter2"));
        address("redis://:p4ss@host", Some(":p4ss"));
        address("amqp://a:p@ss1@host/x", Some("a:p@ss1"));
    }

    #[test]
    fn an_address_without_a_password_has_none() {
        for text in [
            "https://example.com:80/a@b",
            "https://user@host",
            "amqps://bob:$PASSWORD@localhost",
            "ftp://user:password@host",
            "http://[::1]:80/",
        ] {
            address(text, None);
        }
    }

    #[test]
    fn basic_credentials_are_a_pair() {
        let find = |text: &str| {
            let view = View { text: text.as_bytes(), open_start: false, open_end: false };
            basic(&view, 0).is_some()
        };
        assert!(find("Ym9iOmh1bnRlcjI="));
        assert!(!find("education"));
        assert!(!find("Ym9iaHVudGVyMg=="));
    }
}
