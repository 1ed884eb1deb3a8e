//! Finds IPv4 addresses in dotted decimal form.

use super::chars::is_word;
use super::entity::Entity;
use super::window::{Candidate, Window};
use std::net::Ipv4Addr;

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    for start in window.digit_runs() {
        let first = window.digits_from(start);
        if first <= 3
            && window.byte(start + first) == Some(b'.')
            && window.begins_word(start)
            && window.before(start) != Some('.')
            && let Some(end) = address_end(window, start)
            && ends_clean(window, end)
            && (window.wanted.noise || !is_noise(window.text.get(start..end).unwrap_or_default()))
            && !window.said(start, &VERSIONS)
        {
            let end = network_end(window, end, 32);
            out.push(Candidate { start, end, entity: Entity::Ipv4 });
        }
    }
}

/// Words before what looks like an address and counts releases.
const VERSIONS: [&str; 5] = ["version", "release", "firmware", "build", "chapter"];

/// Addresses that name nobody's machine: any, this one, and all.
fn is_noise(address: &str) -> bool {
    let address: Option<Ipv4Addr> = address.parse().ok();
    address.is_some_and(|a| a.is_unspecified() || a.is_loopback() || a.is_broadcast())
}

/// The end of `/24` right behind an address, which names its network.
pub(super) fn network_end(window: &Window<'_>, end: usize, most: u8) -> usize {
    let tail = window.text.get(end..).unwrap_or_default();
    let Some(bits) = tail.strip_prefix('/') else { return end };
    let len = bits.bytes().take_while(u8::is_ascii_digit).count();
    let after = end + 1 + len;
    let (next, second) = window.next_two(after);
    let goes_on = next == Some('/') || (next == Some('.') && second.is_some_and(is_word));
    let right = bits.get(..len).and_then(|bits| bits.parse::<u8>().ok()).is_some_and(|b| b <= most);
    if right && window.ends_word(after) && !goes_on { after } else { end }
}

/// The end of four octets that begin here.
fn address_end(window: &Window<'_>, start: usize) -> Option<usize> {
    let mut at = start;
    for place in 0..4 {
        if place > 0 {
            at = (window.byte(at) == Some(b'.')).then_some(at + 1)?;
        }
        let tail = window.text.get(at..)?;
        let octet = tail.get(..tail.bytes().take_while(u8::is_ascii_digit).count())?;
        let padded = octet.len() > 1 && octet.starts_with('0');
        // Also refuses an empty octet and one over 255.
        octet.parse::<u8>().ok().filter(|_| !padded)?;
        at += octet.len();
    }
    Some(at)
}

/// A fifth part or a suffix makes it a version: `1.2.3.4.5`, `1.2.3.4-beta`.
fn ends_clean(window: &Window<'_>, end: usize) -> bool {
    let (next, second) = window.next_two(end);
    let goes_on = match next {
        Some('.') => second.is_some_and(is_word),
        Some('-') => second.is_some_and(char::is_alphabetic),
        _ => false,
    };
    window.ends_word(end) && !goes_on
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    fn finds(text: &str, expected: &[&str]) {
        check(Entity::Ipv4, text, expected);
    }

    #[test]
    fn an_address_is_found_with_a_port_a_mask_or_a_full_stop_behind_it() {
        finds("from 10.0.0.4.", &["10.0.0.4"]);
        finds("http://192.168.1.1:8080/x", &["192.168.1.1"]);
        finds("10.0.0.0/8, 10.0.0.1-10.0.0.9", &["10.0.0.0/8", "10.0.0.1", "10.0.0.9"]);
    }

    #[test]
    fn what_is_no_address_is_left_alone() {
        for text in [
            "256.1.1.1",
            "1.2.3",
            "1.2.3.4.5",
            "v1.2.3.4",
            "1.2.3.4-beta",
            "01.2.3.4",
            "0.0.0.0",
            "127.0.0.1",
            "255.255.255.255",
            "version 1.2.3.4",
            "1.2.3.4x",
        ] {
            finds(text, &[]);
        }
    }
}
