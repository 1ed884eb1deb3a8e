//! Finds IPv6 addresses; the standard library says what is one.

use std::net::Ipv6Addr;

use super::entity::Entity;
use super::ipv4::network_end;
use super::window::{Candidate, Window};

/// Eight groups of four with colons, or six and a dotted IPv4 address.
const MAX_LEN: usize = 45;

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    let mut at = 0;
    while let Some(start) = next_part(window.text, at) {
        let tail = window.text.get(start..).unwrap_or_default();
        let run = tail.bytes().position(|byte| !is_part(byte)).unwrap_or(tail.len());
        at = start + run;
        if let Some(end) = address_end(window, start, at)
            && window.begins_word(start)
            && window.ends_word(end)
        {
            let end = network_end(window, zone_end(window, end), 128);
            out.push(Candidate { start, end, entity: Entity::Ipv6 });
        }
    }
}

fn next_part(text: &str, from: usize) -> Option<usize> {
    let found = text.as_bytes().get(from..)?.iter().position(|byte| is_part(*byte))?;
    Some(from + found)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.')
}

/// The end of the address that fills `start..end`, but for punctuation behind.
fn address_end(window: &Window<'_>, start: usize, end: usize) -> Option<usize> {
    let run = window.text.get(start..end)?;
    let body = run.trim_end_matches('.');
    let body = match body.strip_suffix(':') {
        Some(shorter) if !shorter.ends_with(':') => shorter,
        _ => body,
    };
    if body.bytes().filter(|byte| *byte == b':').count() < 2 {
        return None;
    }
    let address: Ipv6Addr = (body.len() <= MAX_LEN).then(|| body.parse().ok())??;
    let noise = address.is_unspecified() || address.is_loopback();
    let counts = if noise { window.wanted.noise } else { is_deliberate(body) };
    counts.then_some(start + body.len())
}

/// The end of `%eth0` right behind an address, which names a network card.
fn zone_end(window: &Window<'_>, end: usize) -> usize {
    let tail = window.text.get(end..).unwrap_or_default();
    let Some(zone) = tail.strip_prefix('%') else { return end };
    let len = zone.bytes().take_while(u8::is_ascii_alphanumeric).count();
    if len == 0 { end } else { end + 1 + len }
}

/// Tells an address from `1::2` (a slice), `a::b` and `Dead::beef` (paths).
fn is_deliberate(body: &str) -> bool {
    let hex = body.bytes().filter(u8::is_ascii_hexdigit).count();
    let digits = body.bytes().filter(u8::is_ascii_digit).count();
    let groups = body.split(':').filter(|group| !group.is_empty()).count();
    hex >= 5 && (digits > 0 || groups >= 4)
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    fn finds(text: &str, expected: &[&str]) {
        check(Entity::Ipv6, text, expected);
    }

    #[test]
    fn every_form_of_an_address_is_found() {
        for address in [
            "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
            "2001:db8::1",
            "fe80::1",
            "::ffff:192.168.1.1",
            "FE80::8A2E:370:7334",
        ] {
            finds(&format!("from {address}, or"), &[address]);
            finds(&format!("[{address}]:80 {address}."), &[address, address]);
        }
        finds("fe80::1%eth0/64", &["fe80::1%eth0/64"]);
    }

    #[test]
    fn what_only_has_colons_is_left_alone() {
        for text in [
            "::",
            "::1",
            "12:30:45",
            "1:2:3:4",
            "aa:bb:cc:dd:ee:ff",
            "a[1::2]",
            "a::b",
            "dead::beef",
            "std::add",
            "2001::db8::1",
            "12345:db8::1",
            "fe80::1text",
        ] {
            finds(text, &[]);
        }
    }
}
