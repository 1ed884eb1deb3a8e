//! Cuts a text into segments that are searched one by one. This is the only
//! place that decides it, for whole texts and for streams, which is why both
//! find the same.
//!
//! A segment ends after white space or a [`Class::Break`] character, unless
//! the white space is a single space between two parts that may belong to one
//! number (`415 555`, `(08) 87`, `GB29 NWBK`), or to its label (`phone: 415`). Nothing but the next character
//! is looked at ahead. Where no such place comes for [`MAX_SEGMENT`] bytes, the
//! text is cut anyway: a finding that crosses such a *forced* cut is missed.

use super::chars::{Class, class, is_at};
use super::notable;

/// The longest segment in bytes, and with it the most that a stream holds back
/// (one character that ends the segment may come on top).
pub const MAX_SEGMENT: usize = 2048;

/// What occurs in a segment: most hold nothing worth searching.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signals {
    /// ASCII digits.
    pub(super) digits: usize,
    /// `@` and `:`, without which there is no email and no IPv6 address.
    pub(super) ats: usize,
    pub(super) colons: usize,
    /// Full stops, of which a web address has some.
    pub(super) dots: usize,
    /// Dashes, which stand in hardware addresses.
    pub(super) dashes: usize,
}

/// Which segments may hold something that is looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Web addresses are looked for: a colon or a full stop is enough.
    pub(super) webs: bool,
    /// Hardware addresses are looked for, which may have letters and dashes only.
    pub(super) cards: bool,
    /// Long names with a checksum are looked for, which may have one digit only.
    pub(super) coins: bool,
    /// Anything may be looked for.
    pub(super) all: bool,
}

impl Signals {
    /// Whether such a segment can hold a finding. An estimate from above: the
    /// shortest IPv4 address has four digits, and everything else without `@`
    /// or two colons has more.
    #[inline]
    pub(super) fn may_matter(self, needs: Needs) -> bool {
        self.digits >= 4
            || self.ats > 0
            || self.colons >= 2
            || (needs.webs && (self.dots > 0 || self.colons > 0))
            || (needs.cards && (self.dashes >= 5 || self.digits > 0))
            || (needs.coins && self.digits > 0)
            || needs.all
    }
}

/// How a segment begins and ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Edges {
    /// One of its edges is a forced cut.
    pub(super) forced: bool,
    /// It begins in the middle of a word.
    pub(super) open_start: bool,
    /// It ends in the middle of a word.
    pub(super) open_end: bool,
    /// It is the whole text.
    pub(super) whole: bool,
}

/// A complete segment: its length in bytes and what is known about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) len: usize,
    pub(super) edges: Edges,
    pub(super) signals: Signals,
}

/// The state between two characters. Fed every character of a text once.
#[derive(Debug, Clone)]
pub(super) struct Cutter {
    /// Bytes since the last cut.
    len: usize,
    /// Where in them the last space inside the segment ends; 0 without one.
    spaced: usize,
    /// The class before the current position, or before `gap`.
    last: Class,
    /// A single space was just seen, and what follows decides.
    gap: bool,
    /// The word that ends here holds a digit.
    numbered: bool,
    edges: Edges,
    signals: Signals,
    /// Nothing was cut off yet.
    first: bool,
}

impl Cutter {
    /// A cutter at the start of a text.
    pub(super) fn new() -> Self {
        Self { first: true, ..Self::fresh() }
    }

    /// A cutter behind a cut.
    fn fresh() -> Self {
        Self {
            first: false,
            len: 0,
            spaced: 0,
            last: Class::Break,
            gap: false,
            numbered: false,
            edges: Edges::default(),
            signals: Signals::default(),
        }
    }

    /// Takes the next character. `Some` when that completes a segment, which
    /// may end before or after the character.
    #[inline]
    pub(super) fn feed(&mut self, c: char) -> Option<Cut> {
        let class = class(c);
        let width = c.len_utf8();
        if class == Class::Lower && !self.gap && self.len + width <= MAX_SEGMENT {
            // Nearly every character of prose.
            self.numbered &= self.in_word();
            self.len += width;
            self.last = class;
            return None;
        }
        match class {
            Class::Space | Class::Break => Some(self.end_after(width)),
            Class::Joiner if self.gap || !may_continue(self.last) => Some(self.end_after(width)),
            Class::Joiner => {
                self.gap = true;
                self.len += width;
                self.spaced = self.len;
                None
            }
            _ => {
                let cut = if self.gap && !joined(self.last, self.numbered, class) {
                    Some(self.end_after(0))
                } else if self.len + width > MAX_SEGMENT {
                    Some(self.force())
                } else {
                    None
                };
                self.take(c, class, width);
                cut
            }
        }
    }

    /// The rest, when the text has ended. `None` when there is none.
    pub(super) fn finish(&mut self) -> Option<Cut> {
        let whole = self.first && !self.edges.forced;
        let last = (self.len > 0).then(|| self.end_after(0));
        self.first = true;
        last.map(|cut| Cut { edges: Edges { whole, ..cut.edges }, ..cut })
    }

    /// Whether what follows is cut as if nothing came before the last cut.
    fn is_independent(&self) -> bool {
        !self.edges.forced
    }

    fn take(&mut self, c: char, class: Class, width: usize) {
        let digit = matches!(class, Class::Digit | Class::Neutral);
        self.numbered = digit || (self.numbered && self.in_word());
        self.gap = false;
        self.last = class;
        self.len += width;
        self.signals.digits += usize::from(class == Class::Digit);
        self.signals.ats += usize::from(class == Class::Mark && is_at(c));
        self.signals.colons += usize::from(class == Class::Colon);
        self.signals.dots += usize::from(c == '.');
        self.signals.dashes += usize::from(c == '-');
    }

    fn in_word(&self) -> bool {
        !self.gap
            && matches!(self.last, Class::Digit | Class::Neutral | Class::Upper | Class::Lower)
    }

    fn end_after(&mut self, width: usize) -> Cut {
        let cut = Cut { len: self.len + width, edges: self.edges, signals: self.signals };
        *self = Self::fresh();
        cut
    }

    /// Cuts at the last space of the second half, otherwise right here. Counted
    /// from the segment's start only, so that it does not depend on chunks.
    fn force(&mut self) -> Cut {
        let at = if self.spaced > MAX_SEGMENT / 2 { self.spaced } else { self.len };
        let open = at != self.spaced;
        let edges = Edges { forced: true, open_end: open, ..self.edges };
        let cut = Cut { len: at, edges, signals: self.signals };
        self.first = false;
        self.len -= at;
        self.spaced = 0;
        self.edges = Edges { forced: true, open_start: open, ..Edges::default() };
        // The signals stay: part of the text they speak of is still here, and
        // too many cost only time.
        cut
    }
}

fn may_continue(last: Class) -> bool {
    matches!(last, Class::Digit | Class::Neutral | Class::Close | Class::Upper | Class::Colon)
}

/// Whether the parts on both sides of a single space may belong to one number.
fn joined(left: Class, numbered: bool, right: Class) -> bool {
    let digit = |class| matches!(class, Class::Digit | Class::Neutral);
    match right {
        Class::Open => may_continue(left) && left != Class::Upper,
        Class::Upper => digit(left) || (left == Class::Upper && numbered),
        _ => digit(right) && may_continue(left),
    }
}

/// One segment of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment<'t> {
    pub(super) start: usize,
    pub(super) text: &'t str,
    pub(super) cut: Cut,
}

/// The segments of a text that may hold something, in order.
///
/// Most of a text is stepped over: from a byte that a finding has, it goes back
/// to the last place where a segment begins whatever came before, and cuts from
/// there on.
#[derive(Debug)]
pub(super) struct Segments<'t> {
    text: &'t str,
    needs: Needs,
    /// Where the cutter stands, and where its segment began.
    at: usize,
    start: usize,
    cutter: Cutter,
    /// The cutter stands at a beginning, and nothing notable was seen yet.
    searching: bool,
    /// The byte that is to be cut over.
    notable: usize,
}

impl<'t> Segments<'t> {
    /// The segments that may matter.
    pub(super) fn new(text: &'t str, needs: Needs) -> Self {
        let cutter = Cutter::new();
        Self { text, needs, at: 0, start: 0, cutter, searching: true, notable: 0 }
    }

    /// Steps to the next notable byte; false when there is none.
    fn step(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let mut from = self.at;
        loop {
            let Some(notable) = notable::next(bytes, from, self.needs) else { return false };
            let (end, signals) = notable::reach(bytes, notable);
            if !signals.may_matter(self.needs) {
                from = end;
                continue;
            }
            let begin = notable::beginning(bytes, from, notable);
            if begin > 0 {
                self.cutter = Cutter::fresh();
            }
            (self.at, self.start, self.notable, self.searching) = (begin, begin, notable, false);
            return true;
        }
    }

    /// The next segment from the cutter on, whatever it holds.
    fn cut(&mut self) -> Option<Segment<'t>> {
        let rest = self.text.get(self.at..)?;
        let mut at = self.at;
        let cut = rest
            .chars()
            .find_map(|c| {
                at += c.len_utf8();
                self.cutter.feed(c)
            })
            .or_else(|| self.cutter.finish())?;
        let start = self.start;
        self.at = at;
        self.start += cut.len;
        if self.start > self.notable && self.cutter.is_independent() {
            // What the cutter took of the next segment is read again.
            self.at = self.start;
            self.cutter = Cutter::fresh();
            self.searching = true;
        }
        Some(Segment { start, text: self.text.get(start..start + cut.len)?, cut })
    }
}

impl<'t> Iterator for Segments<'t> {
    type Item = Segment<'t>;

    fn next(&mut self) -> Option<Segment<'t>> {
        loop {
            if self.searching && !self.step() {
                return None;
            }
            let segment = self.cut()?;
            if segment.cut.signals.may_matter(self.needs) {
                return Some(segment);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::texts::{overlong, text};
    use super::*;
    use proptest::prelude::*;

    const ALL: Needs = Needs { webs: false, cards: false, coins: false, all: true };

    fn segments(text: &str) -> Segments<'_> {
        Segments::new(text, ALL)
    }

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = segments(text).map(|segment| segment.text).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn prose_is_cut_after_every_word() {
        check("Call me, Bob.\nNow", &["Call ", "me, ", "Bob.\n", "Now"]);
        check("ALL CAPS TOO", &["ALL ", "CAPS ", "TOO"]);
    }

    #[test]
    fn the_groups_of_one_number_stay_together() {
        check("at (08) 8747 6301 or", &["at ", "(08) 8747 6301 ", "or"]);
        check("GB29 NWBK 6016 1331", &["GB29 NWBK 6016 1331"]);
        check("MU17 000M UR now", &["MU17 000M UR ", "now"]);
        check("my phone: (415) 555 and: no", &["my ", "phone: (415) 555 ", "and: ", "no"]);
    }

    #[test]
    fn double_spaces_and_line_ends_always_cut() {
        check("12  34\n56\t78", &["12  ", "34\n", "56\t", "78"]);
    }

    #[test]
    fn an_overlong_run_is_cut_by_counting_from_its_start() {
        let long = "7".repeat(MAX_SEGMENT * 2 + 5);
        let lens: Vec<usize> = segments(&long).map(|s| s.text.len()).collect();
        assert_eq!(lens, [MAX_SEGMENT, MAX_SEGMENT, 5]);
    }

    #[test]
    fn an_overlong_run_with_spaces_is_cut_at_one() {
        let long = "12345 ".repeat(1000);
        assert!(segments(&long).all(|s| s.text.ends_with(' ') && s.text.len() <= MAX_SEGMENT));
    }

    /// Every segment, by feeding the cutter with everything.
    fn slowly(text: &str, needs: Needs) -> Vec<(usize, Cut)> {
        let mut cutter = Cutter::new();
        let mut cuts: Vec<Cut> = text.chars().filter_map(|c| cutter.feed(c)).collect();
        cuts.extend(cutter.finish());
        let mut start = 0;
        let placed = cuts.into_iter().map(|cut| {
            start += cut.len;
            (start - cut.len, cut)
        });
        placed.filter(|(_, cut)| cut.signals.may_matter(needs)).collect()
    }

    proptest! {
        #[test]
        fn stepping_over_text_finds_the_same_segments(text in prop_oneof![text(), any::<String>(), overlong()], webs: bool, cards: bool, coins: bool) {
            let needs = Needs { webs, cards, coins, all: false };
            let found: Vec<_> = Segments::new(&text, needs).map(|s| (s.start, s.cut)).collect();
            prop_assert_eq!(found, slowly(&text, needs));
        }
    }
}
