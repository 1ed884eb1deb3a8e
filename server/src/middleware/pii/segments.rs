//! Cuts a text into segments that are searched one by one. This is the only
//! place that decides it, for whole texts and for streams, which is why both
//! find the same.
//!
//! A segment ends after white space or a [`Class::Break`] character, unless
//! the white space is a single space between two parts that may belong to one
//! number (`415 555`, `(08) 87`, `GB29 NWBK`), or to its label (`phone: 415`).
//! Nothing but the next character is looked at ahead. Where no such place comes for [`MAX_SEGMENT`] bytes, the
//! text is cut anyway: a finding that crosses such a *forced* cut is missed.

use super::chars::{Class, class};
use super::gaps::{is_numbered, joined, may_continue};
use super::needs::Needs;
use super::notable::{self, Stretch};
use super::signals::Signals;

/// The longest segment in bytes, and with it the most that a stream holds back
/// (one character that ends the segment may come on top).
pub const MAX_SEGMENT: usize = 2048;

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
            self.numbered = is_numbered(self.numbered, self.last, class);
            self.count(c);
            self.len += width;
            self.last = class;
            return None;
        }
        match class {
            Class::Space | Class::Break => {
                self.count(c);
                Some(self.end_after(width))
            }
            Class::Joiner if self.gap || !may_continue(self.last) => {
                self.count(c);
                Some(self.end_after(width))
            }
            Class::Joiner => {
                self.count(c);
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
        let last = if self.gap { Class::Joiner } else { self.last };
        self.numbered = is_numbered(self.numbered, last, class);
        self.gap = false;
        self.count(c);
        self.last = class;
        self.len += width;
    }

    #[inline]
    fn count(&mut self, c: char) {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => self.signals.add(byte),
            _ => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| self.signals.add(byte)),
        }
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
/// to the last place where a segment surely begins, and reads on from there. Only
/// where a segment is too long is it cut with every character looked at.
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

    /// Steps to the next notable byte. `None` when there is none, and a segment when
    /// it was seen whole on the way.
    fn step(&mut self) -> Option<Option<Segment<'t>>> {
        let bytes = self.text.as_bytes();
        // From where on bytes are looked at, and where a segment surely begins.
        let (mut from, mut sure) = (self.at, self.at);
        loop {
            let notable = notable::next(bytes, from, self.needs)?;
            if notable::is_idle(bytes, notable, self.needs) {
                from = notable + 1;
                continue;
            }
            sure = notable::beginning(self.text, sure, notable);
            // Often a single step. Only the last of several can matter.
            while sure <= notable {
                let begin = sure;
                let Stretch { end, signals, ended } = notable::stretch(self.text, begin);
                let len = end - begin;
                if !self.needs.may_be_met(&signals, len) {
                    sure = end;
                } else if len <= MAX_SEGMENT {
                    (self.at, self.start) = (end, end);
                    let text = self.text.get(begin..end)?;
                    let edges = Edges { whole: begin == 0 && !ended, ..Edges::default() };
                    let cut = Cut { len, edges, signals };
                    return Some(Some(Segment { start: begin, text, cut }));
                } else {
                    self.cutter = if begin == 0 { Cutter::new() } else { Cutter::fresh() };
                    (self.at, self.start, self.notable) = (begin, begin, notable);
                    self.searching = false;
                    return Some(None);
                }
            }
            from = sure;
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
            if self.searching
                && let Some(segment) = self.step()?
            {
                return Some(segment);
            }
            let segment = self.cut()?;
            if self.needs.may_be_met(&segment.cut.signals, segment.cut.len) {
                return Some(segment);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entity::Entity;
    use super::super::texts::{overlong, text, tricky};
    use super::super::wanted::Wanted;
    use super::*;
    use proptest::prelude::*;

    fn segments(text: &str) -> Segments<'_> {
        Segments::new(text, Needs::anything())
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
        placed.filter(|(_, cut)| needs.may_be_met(&cut.signals, cut.len)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn stepping_over_text_finds_the_same_segments(
            text in prop_oneof![4 => text(), 4 => tricky(), 1 => any::<String>()],
            wanted in prop::sample::subsequence(Entity::ALL.to_vec(), 0..12),
            noise: bool,
            all in prop::bool::weighted(0.1),
        ) {
            let needs = Needs::of(&Wanted::new(wanted).noise(noise));
            let needs = if all { Needs::anything() } else { needs };
            let found: Vec<_> = Segments::new(&text, needs).map(|s| (s.start, s.cut)).collect();
            prop_assert_eq!(found, slowly(&text, needs));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn so_it_does_in_overlong_runs(
            text in overlong(),
            wanted in prop::sample::subsequence(Entity::ALL.to_vec(), 0..12),
        ) {
            let needs = Needs::of(&Wanted::new(wanted));
            let found: Vec<_> = Segments::new(&text, needs).map(|s| (s.start, s.cut)).collect();
            prop_assert_eq!(found, slowly(&text, needs));
        }
    }
}
