//! Reads a folded text: its sentences, words and marks, and what they mean.

use super::{
    confusable::leet,
    features::{Group, Hints, Sink},
    fold::{Folded, is_dense, is_letter},
    lexicon::{LEXICON, Lexicon, Meaning, START, step},
    marks,
};

/// The longest sentence, in words; a longer one counts as several.
const LONGEST: u32 = 40;
/// A sentence of fewer words is read together with the next.
const SHORTEST: u32 = 3;
/// How far apart two meanings may stand to count as following, in words.
const NEAR: u32 = 8;
/// How many meanings are remembered.
const RECENT: usize = 3;
/// The first letters of a word of a script without spaces that are looked at.
const DENSE: usize = 8;

/// Reads `folded` into `sink`, and says what is worth a second look.
pub(in super::super) fn read(folded: &Folded<'_>, sink: &mut impl Sink) -> Hints {
    let mut reader = Reader {
        lexicon: &LEXICON,
        sink,
        words: 0,
        previous: START,
        recent: [(0, 0); RECENT],
        held: 0,
        marks: 0,
        spelled: 0,
        hints: Hints::default(),
        known: Known::of(&LEXICON),
    };
    reader.shapes(folded);
    reader.read(&folded.text, folded.raw.unwrap_or_default().as_bytes());
    reader.hints
}

/// Meanings that are asked about by name.
#[derive(Debug, Clone, Copy)]
struct Known {
    rotated: Option<Meaning>,
    reversed: Option<Meaning>,
    ignore: Option<Meaning>,
    instruct: [Option<Meaning>; 4],
}

impl Known {
    fn of(lexicon: &Lexicon) -> Self {
        Self {
            rotated: lexicon.named("rotated"),
            reversed: lexicon.named("reversed"),
            ignore: lexicon.named("ignore"),
            instruct: ["instruct", "prompt", "system", "prior"].map(|name| lexicon.named(name)),
        }
    }
}

struct Reader<'a, S> {
    lexicon: &'a Lexicon,
    sink: &'a mut S,
    /// Words in this sentence.
    words: u32,
    /// The hash of the word before.
    previous: u64,
    /// The last meanings, newest first, and where they stood.
    recent: [(Meaning, u32); RECENT],
    held: usize,
    marks: u32,
    spelled: u32,
    hints: Hints,
    known: Known,
}

impl<S: Sink> Reader<'_, S> {
    /// What holds for the text as a whole, noted with its first sentence.
    fn shapes(&mut self, folded: &Folded<'_>) {
        let shapes = [
            (b'h', folded.hidden > 2),
            (b'm', folded.smuggled.len() > 7),
            (b'k', folded.lookalikes > 2),
            (b'z', folded.stacked > 4),
            (b'c', folded.letters > 20 && folded.capitals * 10 > folded.letters * 6),
        ];
        for (shape, _) in shapes.into_iter().filter(|(_, holds)| *holds) {
            self.sink.feature(Group::Shape, u64::from(shape));
        }
    }

    fn read(&mut self, text: &str, raw: &[u8]) {
        let bytes = text.as_bytes();
        let mut at = 0;
        let mut fresh_line = true;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii_alphanumeric() || byte >= 0x80 {
                if fresh_line && byte < 0x80 {
                    self.role(text.get(at..).unwrap_or_default());
                }
                fresh_line = false;
                at = self.word(text, at);
                continue;
            }
            match byte {
                b' ' => {}
                b'\n' | b'\r' => {
                    fresh_line = true;
                    self.end_sentence(false);
                }
                b'.' | b'!' | b'?' if ends(bytes, raw, at) => {
                    fresh_line = true;
                    self.end_sentence(false);
                }
                b'%' | b'&' => self.hints.escapes += 1,
                _ => at += self.sign_or_mark(text, at),
            }
            at += 1;
        }
        self.end_sentence(true);
    }

    /// A sign; gives by how much a mark is longer than one.
    fn sign_or_mark(&mut self, text: &str, at: usize) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        self.hints.escapes += u32::from(rest.starts_with('\\'));
        match marks::at(rest) {
            Some((mark, length)) => {
                self.mark(mark);
                length - 1
            }
            None => 0,
        }
    }

    /// A line that begins with who speaks.
    fn role(&mut self, line: &str) {
        if let Some(role) = marks::role(line) {
            self.mark(role);
        }
    }

    fn mark(&mut self, mark: u8) {
        self.marks += 1;
        self.sink.feature(Group::Mark, u64::from(mark));
        // What follows a mark counts as following it.
        if mark < marks::RULERS {
            self.remember(Meaning::MAX - mark);
        }
    }

    /// Reads the word at `at`; gives where it ends.
    #[inline]
    fn word(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        let (mut end, mut hash) = (at, START);
        let (mut meaning, mut digits) = (None, false);
        for &byte in bytes.get(at..).unwrap_or_default() {
            if byte.is_ascii_alphanumeric() {
                digits |= byte.is_ascii_digit();
                hash = step(hash, byte);
                // A word of fewer letters is looked up as a whole below.
                if end - at > 1 {
                    meaning = self.lexicon.meaning(hash, false).or(meaning);
                }
            } else if byte >= 0x80 {
                return self.wide_word(text, at);
            } else if byte != b'\'' && byte != b'_' {
                break;
            }
            end += 1;
        }
        self.finish_word(bytes.get(at..end).unwrap_or_default(), hash, meaning, digits);
        end
    }

    /// As `word`, for words with letters beyond ASCII.
    fn wide_word(&mut self, text: &str, at: usize) -> usize {
        let (mut end, mut hash) = (at, START);
        let (mut meaning, mut digits) = (None, false);
        for c in text.get(at..).unwrap_or_default().chars() {
            if is_dense(c) {
                if end == at {
                    return self.dense(text, at, c);
                }
                break;
            }
            if is_letter(c) {
                for &byte in c.encode_utf8(&mut [0; 4]).as_bytes() {
                    hash = step(hash, byte);
                }
                digits |= c.is_ascii_digit();
                if end > at {
                    meaning = self.lexicon.meaning(hash, false).or(meaning);
                }
            } else if end == at {
                self.sign(c);
                return end + c.len_utf8();
            } else if !matches!(c, '\'' | '_' | '’') {
                break;
            }
            end += c.len_utf8();
        }
        self.finish_word(text.as_bytes().get(at..end).unwrap_or_default(), hash, meaning, digits);
        end
    }

    #[inline]
    fn finish_word(&mut self, word: &[u8], hash: u64, stem: Option<Meaning>, digits: bool) {
        let mut meaning = self.lexicon.meaning(hash, true).or(stem);
        let mut hash = hash;
        if digits {
            if word.iter().all(u8::is_ascii_digit) {
                // Numbers are alike.
                hash = step(START, b'0');
            } else {
                meaning = meaning.or_else(|| self.leet(word));
                self.pieces(word);
            }
        } else {
            self.pieces(word);
        }
        self.spelled = if word.len() == 1 { self.spelled + 1 } else { 0 };
        self.hints.spelled = self.hints.spelled.max(self.spelled);
        if word.len() > 15 {
            self.hints.long += 1;
            self.blob(word);
        }
        self.token(hash, meaning);
    }

    /// A word that is none: letters and digits mixed, or too long.
    fn blob(&mut self, word: &[u8]) {
        let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
        let ascii = word.is_ascii();
        if ascii && (digits > 1 || word.len() > 24) {
            self.sink.feature(Group::Shape, if word.len() > 40 { 1 } else { 2 });
        }
    }

    /// The meaning of a word when its digits are read as letters.
    fn leet(&mut self, word: &[u8]) -> Option<Meaning> {
        if word.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let (mut hash, mut found) = (START, None);
        for &byte in word {
            hash = step(hash, leet(byte).unwrap_or(byte));
            found = self.lexicon.meaning(hash, false).or(found);
        }
        let found = self.lexicon.meaning(hash, true).or(found);
        if found.is_some() {
            self.sink.feature(Group::Shape, u64::from(b'l'));
        }
        found
    }

    /// A character of a script without spaces: a word of its own, and maybe the
    /// beginning of one of the list.
    fn dense(&mut self, text: &str, at: usize, c: char) -> usize {
        let (mut hash, mut meaning) = (START, None);
        let mut own = None;
        for c in text.get(at..).unwrap_or_default().chars().take(DENSE) {
            for &byte in c.encode_utf8(&mut [0; 4]).as_bytes() {
                hash = step(hash, byte);
            }
            own = own.or(Some(hash));
            meaning = self.lexicon.meaning(hash, false).or(meaning);
        }
        self.token(own.unwrap_or(hash), meaning);
        at + c.len_utf8()
    }

    /// A sign that is no letter: an emoji, a quote.
    fn sign(&mut self, c: char) {
        let shape = match u32::from(c) {
            0x2800..=0x28FF => 3,
            0x1F300..=0x1FAFF => 4,
            0x2010..=0x2044 | 0xA0..=0xBF => return,
            _ => 5,
        };
        self.sink.feature(Group::Shape, shape);
    }

    #[inline]
    fn pieces(&mut self, word: &[u8]) {
        for piece in word.windows(4) {
            if let Ok(code) = piece.try_into().map(u32::from_le_bytes) {
                self.sink.feature(Group::Piece, u64::from(code).wrapping_mul(START));
            }
        }
    }

    #[inline]
    fn token(&mut self, hash: u64, meaning: Option<Meaning>) {
        self.words += 1;
        self.sink.feature(Group::Word, hash);
        self.sink.feature(Group::Pair, self.previous.rotate_left(17) ^ hash);
        self.previous = hash;
        if let Some(meaning) = meaning {
            self.meant(meaning);
        }
        if self.words >= LONGEST {
            self.end_sentence(true);
        }
    }

    fn meant(&mut self, meaning: Meaning) {
        let is = Some(meaning);
        self.hints.rotated += u32::from(self.known.rotated == is);
        self.hints.reversed += u32::from(self.known.reversed == is);
        if self.known.instruct.contains(&is) {
            let ignored = |(before, at): &(Meaning, u32)| {
                Some(*before) == self.known.ignore && self.words - at <= NEAR
            };
            self.hints.overrides += u32::from(self.recent.iter().take(self.held).any(ignored));
        }
        let own = u64::from(meaning) + 1;
        let mixed = |hash: u64| hash.wrapping_mul(START);
        self.sink.feature(Group::Meaning, mixed(own));
        if self.words <= 2 {
            self.sink.feature(Group::Meaning, mixed(own << 8));
        }
        for (before, at) in self.recent.iter().take(self.held) {
            if self.words - at <= NEAR {
                self.sink.feature(Group::Follows, mixed((own << 8) | (u64::from(*before) + 1)));
            }
        }
        if let [(one, first), (two, _), _] = self.recent
            && self.held > 1
            && self.words - first.min(self.words) <= NEAR
        {
            let chain = (own << 16) | ((u64::from(one) + 1) << 8) | (u64::from(two) + 1);
            self.sink.feature(Group::Triple, mixed(chain));
        }
        self.remember(meaning);
    }

    fn remember(&mut self, meaning: Meaning) {
        self.recent.rotate_right(1);
        if let Some(newest) = self.recent.first_mut() {
            *newest = (meaning, self.words);
        }
        self.held = (self.held + 1).min(RECENT);
    }

    fn end_sentence(&mut self, forced: bool) {
        if self.words < SHORTEST && !forced {
            return;
        }
        if self.words > 0 || self.marks > 0 {
            self.sink.sentence(self.words);
        }
        (self.words, self.held, self.marks, self.previous) = (0, 0, 0, START);
    }
}

/// Whether the sign at `at` ends a sentence: a space follows it, or a capital.
fn ends(bytes: &[u8], raw: &[u8], at: usize) -> bool {
    let next = bytes.get(at + 1);
    next.is_none_or(u8::is_ascii_whitespace) || raw.get(at + 1).is_some_and(u8::is_ascii_uppercase)
}
