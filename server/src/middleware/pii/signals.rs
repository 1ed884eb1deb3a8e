//! What occurs in a segment: counted byte by byte, with few steps for each.

use super::chars::{Class, class_of_byte};

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sign {
    /// An ASCII digit.
    Digit,
    /// `@`, narrow or wide, without which there is no email.
    At,
    /// A hexadecimal digit or a colon right behind a colon, as in IPv6 and hardware
    /// addresses.
    Link,
    /// A colon right behind another.
    Pair,
    /// A full stop.
    Dot,
    /// A full stop right behind a digit.
    Point,
    /// A letter right behind a full stop, as in a web address.
    Name,
    /// A dash, which stands in hardware addresses.
    Dash,
}

/// What occurs in a segment. Of each sign, more than 127 are just many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signals {
    /// A byte for each sign.
    counts: u64,
    /// What the next byte may complete.
    open: u64,
    /// Bytes until a count may be over its bound.
    taken: u8,
    /// Digits since the last byte that stands in no number.
    run: usize,
    longest: usize,
}

impl Signals {
    /// Counts a byte.
    #[inline]
    pub(super) fn add(&mut self, byte: u8) {
        self.add_fact(fact(byte));
    }

    /// Counts a byte of which this is known.
    #[inline]
    pub(super) fn add_fact(&mut self, fact: &Fact) {
        self.counts += fact.counts + (self.open & fact.completes);
        self.open = fact.opens;
        self.run = if fact.in_number { self.run + (fact.counts & 1) as usize } else { 0 };
        self.longest = self.longest.max(self.run);
        self.taken += 1;
        if self.taken == BOUND {
            self.bound();
        }
    }

    /// Lowers every count to 127.
    fn bound(&mut self) {
        let over = self.counts & HIGH;
        self.counts = (self.counts & !HIGH) | (over - (over >> 7));
        self.taken = 0;
    }

    /// How many there are of a sign; many are not told apart.
    #[inline]
    pub(super) fn of(&self, sign: Sign) -> u64 {
        self.counts >> (8 * sign as u32) & 0xff
    }

    /// The digits of the longest stretch that has nothing but digits and what stands
    /// between the groups of a number.
    #[inline]
    pub(super) fn longest_number(&self) -> usize {
        self.longest
    }
}

/// So many more keep a count that is at most 127 below 256.
const BOUND: u8 = 128;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// What is known of a byte.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fact {
    pub(super) class: Class,
    /// The signs that it is by itself.
    counts: u64,
    /// The signs that it is behind a byte that opens them.
    completes: u64,
    opens: u64,
    /// May stand between two groups of one number.
    in_number: bool,
}

/// What is known of a byte.
#[inline]
pub(super) fn fact(byte: u8) -> &'static Fact {
    let [first, ..] = &FACTS;
    FACTS.get(usize::from(byte)).unwrap_or(first)
}

static FACTS: [Fact; 256] = {
    let mut table = [known(0); 256];
    let mut at = 0_u8;
    let mut rest: &mut [Fact] = &mut table;
    while let Some((slot, tail)) = rest.split_first_mut() {
        *slot = known(at);
        rest = tail;
        at = at.wrapping_add(1);
    }
    table
};

/// The last two bytes of a wide `@`.
const WIDE_AT: [u8; 2] = [0xbc, 0xa0];

const fn known(byte: u8) -> Fact {
    const fn one(sign: Sign) -> u64 {
        1 << (8 * sign as u32)
    }
    let [wide, at] = WIDE_AT;
    let name = if byte.is_ascii_alphabetic() || !byte.is_ascii() { one(Sign::Name) } else { 0 };
    let link = if byte.is_ascii_hexdigit() { one(Sign::Link) } else { 0 };
    let (counts, completes, opens) = match byte {
        b'0'..=b'9' => (one(Sign::Digit), link, one(Sign::Point)),
        b'@' => (one(Sign::At), 0, 0),
        b':' => (0, one(Sign::Link) | one(Sign::Pair), one(Sign::Link) | one(Sign::Pair)),
        b'.' => (one(Sign::Dot), one(Sign::Point), one(Sign::Name)),
        b'-' => (one(Sign::Dash), 0, 0),
        _ if byte == wide => (0, name, one(Sign::At)),
        _ if byte == at => (0, name | one(Sign::At), 0),
        _ => (0, name | link, 0),
    };
    let separates = matches!(byte, b' ' | b'.' | b'/' | b'-' | b'(' | b')') || !byte.is_ascii();
    Fact {
        class: class_of_byte(byte),
        counts,
        completes,
        opens,
        in_number: byte.is_ascii_digit() || separates,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(text: &str) -> Signals {
        let mut signals = Signals::default();
        text.bytes().for_each(|byte| signals.add(byte));
        signals
    }

    #[test]
    fn each_sign_is_counted_where_it_stands() {
        for (text, sign, count) in [
            ("a1b23", Sign::Digit, 3),
            ("a@b\u{ff20}c", Sign::At, 2),
            ("a::b:x:1:", Sign::Link, 3),
            ("a::b:::", Sign::Pair, 3),
            ("1.a.b. 2.3", Sign::Dot, 4),
            ("1.a.b. 2.3", Sign::Point, 2),
            ("1.a.b. 2.é", Sign::Name, 3),
            ("a-b-", Sign::Dash, 2),
        ] {
            assert_eq!(signals(text).of(sign), count, "{text}");
        }
    }

    #[test]
    fn many_are_still_many() {
        assert!(signals(&"1".repeat(100_000)).of(Sign::Digit) >= 100);
        assert_eq!(signals(&"1".repeat(100_000)).of(Sign::At), 0);
        assert_eq!(signals(&"1".repeat(100_000)).longest_number(), 100_000);
    }

    #[test]
    fn a_number_goes_on_over_what_separates_its_groups_only() {
        assert_eq!(signals("12 (34)\u{2011}5/6 a 7").longest_number(), 6);
        assert_eq!(signals("1,234,567").longest_number(), 3);
    }
}
