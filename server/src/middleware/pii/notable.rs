//! Steps over text that holds nothing: the fast path of every scan.

use super::chars::{Class, class};
use super::segments::{Needs, Signals};

/// How many bytes are looked at together, which the compiler turns into few
/// instructions.
const BLOCK: usize = 32;

/// The next byte that a finding may have: a digit, `@`, a colon, and the first
/// byte of a wide `@`.
pub(super) fn next(bytes: &[u8], from: usize, needs: Needs) -> Option<usize> {
    if needs.all {
        return (from < bytes.len()).then_some(from);
    }
    let rest = bytes.get(from..)?;
    let (blocks, tail) = rest.as_chunks::<BLOCK>();
    for (place, block) in blocks.iter().enumerate() {
        if holds(block, needs) {
            let inside = block.iter().position(|byte| is_notable(*byte, needs))?;
            return Some(from + place * BLOCK + inside);
        }
    }
    let inside = tail.iter().position(|byte| is_notable(*byte, needs))?;
    Some(bytes.len() - tail.len() + inside)
}

fn is_notable(byte: u8, needs: Needs) -> bool {
    is_plain(byte) || (needs.webs && byte == b'.') || (needs.cards && byte == b'-')
}

/// Notable whatever is looked for. Digits and the colon stand side by side.
fn is_plain(byte: u8) -> bool {
    byte.wrapping_sub(b'0') <= 10 || byte == b'@' || byte == 0xef
}

/// Whether one of them is notable. No early end, so that it is a few wide steps.
fn holds(block: &[u8; BLOCK], needs: Needs) -> bool {
    let plain = block.iter().fold(false, |any, byte| any | is_plain(*byte));
    plain || (needs.webs && block.contains(&b'.')) || (needs.cards && block.contains(&b'-'))
}

/// From a notable byte to the next place at which a segment begins whatever came
/// before it: where that is, and what was seen on the way, at least.
pub(super) fn reach(bytes: &[u8], notable: usize) -> (usize, Signals) {
    let mut signals = Signals::default();
    let mut last = Class::Break;
    for (at, byte) in bytes.iter().enumerate().skip(notable) {
        let class = if byte.is_ascii() { class(char::from(*byte)) } else { Class::Upper };
        match class {
            Class::Space | Class::Break => return (at + 1, signals),
            Class::Joiner if ends_before_space(last) && at > notable => return (at + 1, signals),
            _ => {}
        }
        last = class;
        signals.digits += usize::from(byte.is_ascii_digit());
        signals.ats += usize::from(*byte == b'@' || *byte == 0xef);
        signals.colons += usize::from(*byte == b':');
        signals.dots += usize::from(*byte == b'.');
        signals.dashes += usize::from(*byte == b'-');
    }
    (bytes.len(), signals)
}

/// A single space behind such a character always ends a segment.
fn ends_before_space(class: Class) -> bool {
    matches!(class, Class::Lower | Class::Mark | Class::Open)
}

/// The last place up to a notable byte at which a segment begins whatever came
/// before it.
pub(super) fn beginning(bytes: &[u8], from: usize, notable: usize) -> usize {
    let mut at = notable;
    while at > from {
        let ascii = |at: usize| bytes.get(at).filter(|byte| byte.is_ascii());
        let class_at = |at: usize| ascii(at).map(|byte| class(char::from(*byte)));
        match class_at(at - 1) {
            Some(Class::Space | Class::Break) => return at,
            Some(Class::Joiner) => {
                let before = at.checked_sub(2).and_then(class_at);
                if before.is_some_and(ends_before_space) {
                    return at;
                }
            }
            _ => {}
        }
        at -= 1;
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_that_counts_is_found_in_blocks_and_behind_them() {
        for at in [0, 5, 31, 32, 63, 64, 70] {
            let mut text = vec![b'a'; 71];
            text[at] = b'7';
            assert_eq!(next(&text, 0, Needs::default()), Some(at));
            assert_eq!(next(&text, at + 1, Needs::default()), None);
        }
    }

    #[test]
    fn it_goes_back_to_where_a_segment_must_begin() {
        let text = b"Call me, Bob 415 555 ";
        assert_eq!(beginning(text, 0, 13), 13);
        assert_eq!(beginning(text, 0, 17), 13);
        assert_eq!(beginning(b"A1 B2", 0, 4), 0);
    }
}
