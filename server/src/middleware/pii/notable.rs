//! Steps over text that holds nothing: the fast path of every scan.

use super::chars::{self, Class};
use super::gaps::{is_numbered, splits};
use super::needs::Needs;
use super::signals::{Signals, fact};

/// How many bytes are looked at together, which the compiler turns into few
/// instructions.
const BLOCK: usize = 32;

/// The first byte of a wide `@`, and the whole.
const WIDE: u8 = 0xef;
const WIDE_AT: [u8; 3] = [WIDE, 0xbc, 0xa0];

/// The next byte that a finding may have: a digit, `@`, a colon, and the first
/// byte of a wide `@`; a full stop or a dash only where they are needed.
pub(super) fn next(bytes: &[u8], from: usize, needs: Needs) -> Option<usize> {
    if needs.all {
        return (from < bytes.len()).then_some(from);
    }
    match (needs.names, needs.dashes) {
        (false, false) => next_of::<false, false>(bytes, from),
        (false, true) => next_of::<false, true>(bytes, from),
        (true, false) => next_of::<true, false>(bytes, from),
        (true, true) => next_of::<true, true>(bytes, from),
    }
}

fn next_of<const NAMES: bool, const DASHES: bool>(bytes: &[u8], from: usize) -> Option<usize> {
    let (blocks, tail) = bytes.get(from..)?.as_chunks::<BLOCK>();
    for (place, block) in blocks.iter().enumerate() {
        // No early end, so that it is a few wide steps.
        let holds = block.iter().fold(false, |any, byte| any | is_notable::<NAMES, DASHES>(*byte));
        if holds {
            return Some(from + place * BLOCK + first::<NAMES, DASHES>(block));
        }
    }
    let inside = tail.iter().position(|byte| is_notable::<NAMES, DASHES>(*byte))?;
    Some(bytes.len() - tail.len() + inside)
}

/// The place of the first notable byte in a block that has one.
fn first<const NAMES: bool, const DASHES: bool>(block: &[u8; BLOCK]) -> usize {
    let mut marks = [0; BLOCK];
    for (mark, byte) in marks.iter_mut().zip(block) {
        *mark = u8::from(is_notable::<NAMES, DASHES>(*byte));
    }
    let (halves, _) = marks.as_chunks::<{ BLOCK / 2 }>();
    let zeros = halves.iter().map(|half| u128::from_le_bytes(*half).trailing_zeros() as usize / 8);
    let mut at = 0;
    for zeros in zeros {
        at += zeros;
        if zeros < BLOCK / 2 {
            break;
        }
    }
    at
}

/// Digits and the colon stand side by side.
fn is_notable<const NAMES: bool, const DASHES: bool>(byte: u8) -> bool {
    (byte.wrapping_sub(b'0') <= 10)
        | (byte == b'@')
        | (byte == WIDE)
        | (NAMES & (byte == b'.'))
        | (DASHES & (byte == b'-'))
}

/// Whether a notable byte is one only by its first look: most full stops end a
/// sentence, most colons a phrase, and many characters begin like a wide `@`.
pub(super) fn is_idle(bytes: &[u8], at: usize, needs: Needs) -> bool {
    let behind = bytes.get(at + 1).copied();
    match bytes.get(at) {
        _ if needs.all => false,
        Some(b'.') => !behind.is_some_and(|byte| byte.is_ascii_alphabetic() || byte >= 0x80),
        Some(b':') => !behind.is_some_and(|byte| byte.is_ascii_hexdigit() || byte == b':'),
        Some(&WIDE) => !bytes.get(at..).is_some_and(|rest| rest.starts_with(&WIDE_AT)),
        _ => false,
    }
}

/// The last place up to a notable byte at which a segment surely begins, whatever
/// came before it.
pub(super) fn beginning(text: &str, from: usize, notable: usize) -> usize {
    let mut at = notable;
    while at > from
        && let Some((class, width)) = before(text, at)
    {
        let begins = match class {
            Class::Space | Class::Break => true,
            Class::Joiner => {
                let left = before(text, at - width).map_or(Class::Break, |(class, _)| class);
                splits(left, true, behind(text, at))
            }
            _ => false,
        };
        if begins {
            return at;
        }
        at -= width;
    }
    from
}

/// A segment, as it is without a forced cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub(super) end: usize,
    pub(super) signals: Signals,
    /// It ends although the text goes on, or may.
    pub(super) ended: bool,
}

/// The segment from a place at which one begins.
pub(super) fn stretch(text: &str, begin: usize) -> Stretch {
    let bytes = text.as_bytes();
    let mut signals = Signals::default();
    let (mut at, mut last, mut numbered) = (begin, Class::Break, false);
    while let Some(byte) = bytes.get(at) {
        let fact = fact(*byte);
        signals.add_fact(fact);
        let mut class = fact.class;
        at += 1;
        if !byte.is_ascii()
            && let Some(c) = text.get(at - 1..).and_then(|rest| rest.chars().next())
        {
            let end = at + c.len_utf8() - 1;
            bytes.get(at..end).unwrap_or_default().iter().for_each(|byte| signals.add(*byte));
            class = chars::class(c);
            at = end;
        }
        let ended = match class {
            Class::Space | Class::Break => true,
            Class::Joiner => splits(last, numbered, behind(text, at)),
            _ => false,
        };
        if ended {
            return Stretch { end: at, signals, ended };
        }
        numbered = is_numbered(numbered, last, class);
        last = class;
    }
    Stretch { end: bytes.len(), signals, ended: false }
}

/// The class and the width of the character before a place.
fn before(text: &str, at: usize) -> Option<(Class, usize)> {
    match text.as_bytes().get(at.checked_sub(1)?)? {
        byte if byte.is_ascii() => Some((fact(*byte).class, 1)),
        _ => text.get(..at)?.chars().next_back().map(|c| (chars::class(c), c.len_utf8())),
    }
}

/// The class of the character at a place.
fn behind(text: &str, at: usize) -> Option<Class> {
    match text.as_bytes().get(at)? {
        byte if byte.is_ascii() => Some(fact(*byte).class),
        _ => text.get(at..)?.chars().next().map(chars::class),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_that_counts_is_found_in_blocks_and_behind_them() {
        for at in [0, 5, 15, 16, 31, 32, 63, 64, 70] {
            let mut text = vec![b'a'; 71];
            text[at] = b'7';
            assert_eq!(next(&text, 0, Needs::default()), Some(at));
            assert_eq!(next(&text, at + 1, Needs::default()), None);
        }
    }

    #[test]
    fn it_goes_back_to_where_a_segment_must_begin() {
        for (text, notable, begins) in [
            ("Call me, Bob 415 555 ", 13, 13),
            ("Call me, Bob 415 555 ", 17, 13),
            ("A1 B2", 4, 0),
            ("A1 b2", 4, 3),
            ("à 12 13", 6, 3),
            ("一12", 4, 3),
        ] {
            assert_eq!(beginning(text, 0, notable), begins, "{text}");
        }
    }

    #[test]
    fn it_goes_on_to_where_a_segment_ends() {
        for (text, end, ended) in [
            ("415 555 Bob said", 12, true),
            ("415 seats", 4, true),
            ("415, 5", 5, true),
            ("415 ", 4, false),
            ("415\n", 4, true),
            ("415", 3, false),
            ("1é 2", 4, true),
            ("1\u{a0}2 3", 6, false),
        ] {
            let found = stretch(text, 0);
            assert_eq!((found.end, found.ended), (end, ended), "{text}");
        }
    }
}
