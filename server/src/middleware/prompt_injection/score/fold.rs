//! Folds a text for comparison: case, compatibility forms, accents, characters
//! that nobody sees, and letters that only look like others.

use super::confusable::latin;
use icu_normalizer::DecomposingNormalizerBorrowed;

/// A folded text, and what was found on the way.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(in super::super) struct Folded<'a> {
    /// The text as it came, byte for byte the folded one, when it is ASCII.
    pub(super) raw: Option<&'a str>,
    /// The text in lower case.
    pub(super) text: String,
    /// How many characters were there that nobody sees.
    pub(super) hidden: usize,
    /// What the hidden characters say, where they are a text of their own.
    pub(super) smuggled: String,
    /// How many letters only look like the Latin ones around them.
    pub(super) lookalikes: usize,
    /// How many accents are stacked upon others.
    pub(super) stacked: usize,
    /// How many letters are capitals, and how many there are, ASCII only.
    pub(super) capitals: usize,
    pub(super) letters: usize,
}

/// Folds `text`.
pub(in super::super) fn fold(text: &str) -> Folded<'_> {
    let mut folded = Folded::default();
    if text.is_ascii() {
        folded.raw = Some(text);
        folded.text = text.to_ascii_lowercase();
        folded.capitals = text.bytes().filter(u8::is_ascii_uppercase).count();
        folded.letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    } else {
        let visible = visible(text, &mut folded);
        let decomposed = DecomposingNormalizerBorrowed::new_nfkd().normalize(&visible);
        folded.text.reserve(decomposed.len() + 8);
        unicode(&decomposed, &mut folded);
    }
    folded
}

/// The text without what nobody sees.
fn visible(text: &str, folded: &mut Folded<'_>) -> String {
    let mut visible = String::with_capacity(text.len());
    let mut bits: Vec<bool> = Vec::new();
    for c in text.chars() {
        let code = u32::from(c);
        match code {
            // Tag characters mirror ASCII.
            0xE0020..=0xE007E => {
                folded.smuggled.extend(char::from_u32(code - 0xE0000));
                folded.hidden += 1;
            }
            // Variation selectors carry bytes.
            // The last two choose how a sign is drawn, as in most emoji.
            0xFE0E..=0xFE0F => {}
            0xFE00..=0xFE0D => {
                folded.smuggled.extend(byte(code - 0xFE00));
                folded.hidden += 1;
            }
            0xE0100..=0xE01EF => {
                folded.smuggled.extend(byte(code - 0xE0100 + 16));
                folded.hidden += 1;
            }
            // Two invisible operators carry bits.
            0x2062 | 0x2064 => {
                folded.hidden += 1;
                bits.push(code == 0x2064);
                if bits.len() == 8 {
                    let code = bits.drain(..).fold(0, |code, bit| code << 1 | u32::from(bit));
                    folded.smuggled.extend(byte(code));
                }
            }
            // Joiners are part of emoji and of some scripts; a soft hyphen is of print.
            0xAD | 0x200C | 0x200D => {}
            0x34F
            | 0x61C
            | 0x115F
            | 0x1160
            | 0x17B4
            | 0x17B5
            | 0x180B..=0x180E
            | 0x200B
            | 0x200E
            | 0x200F
            | 0x202A..=0x202E
            | 0x2060..=0x206F
            | 0x3164
            | 0xFEFF
            | 0xFFA0
            | 0xFFF9..=0xFFFB
            | 0xE0000..=0xE007F => folded.hidden += 1,
            _ => visible.push(c),
        }
    }
    visible
}

fn byte(code: u32) -> Option<char> {
    char::from_u32(code).filter(|c| c.is_ascii_graphic() || *c == ' ')
}

fn unicode(text: &str, folded: &mut Folded<'_>) {
    let mut ended = false;
    let mut accents = 0;
    let mut word = Word::default();
    for c in text.chars() {
        if is_accent(c) {
            accents += 1;
            folded.stacked += usize::from(accents > 2);
            continue;
        }
        accents = 0;
        let upper = c.is_uppercase();
        if !is_letter(c) {
            word.finish(folded);
        }
        if ended && (c.is_whitespace() || upper) && !folded.text.ends_with('\n') {
            folded.text.push('\n');
        }
        folded.capitals += usize::from(c.is_ascii_uppercase());
        folded.letters += usize::from(c.is_ascii_alphabetic());
        ended = matches!(c, '.' | '!' | '?');
        if matches!(c, '。' | '！' | '？' | '؟' | '।' | '｡' | '\r' | '\u{2028}' | '\u{2029}')
        {
            folded.text.push('\n');
        } else if c.is_whitespace() {
            folded.text.push(if c == '\n' { '\n' } else { ' ' });
        } else {
            word.note(c, folded.text.len());
            folded.text.extend(c.to_lowercase().filter(|c| !is_accent(*c)));
        }
    }
    word.finish(folded);
}

fn is_accent(c: char) -> bool {
    matches!(u32::from(c),
        0x300..=0x36F | 0x483..=0x489 | 0x591..=0x5C7 | 0x64B..=0x65F | 0x1AB0..=0x1AFF
        | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}

/// The word being read: whether it mixes Latin letters with others.
#[derive(Debug, Default)]
struct Word {
    start: usize,
    open: bool,
    latin: usize,
    other: usize,
}

impl Word {
    fn note(&mut self, c: char, at: usize) {
        if !is_letter(c) {
            return;
        }
        if !self.open {
            *self = Self { start: at, open: true, latin: 0, other: 0 };
        }
        if c.is_ascii_alphanumeric() {
            self.latin += 1;
        } else if c.is_alphabetic() && !is_dense(c) {
            self.other += 1;
        }
    }

    /// Maps the look-alikes of a word that has Latin letters too, or that
    /// would have nothing else when they are mapped and is not of a language
    /// that is written so.
    fn finish(&mut self, folded: &mut Folded<'_>) {
        if !std::mem::take(&mut self.open) || self.other == 0 {
            return;
        }
        let Some(word) = folded.text.get(self.start..) else { return };
        let mapped: String = word.chars().map(|c| latin(c).unwrap_or(c)).collect();
        let full = mapped.is_ascii() && self.latin == 0 && rare(word);
        if self.latin > 0 && mapped.is_ascii() || full {
            folded.lookalikes += self.other;
            folded.text.truncate(self.start);
            folded.text.push_str(&mapped);
        }
    }
}

/// Whether a word is of letters that no language uses for words: small
/// capitals, phonetic signs, old syllabics.
fn rare(word: &str) -> bool {
    word.chars().all(|c| matches!(u32::from(c), 0x250..=0x2AF | 0x1D00..=0x1D7F | 0x13A0..=0x13FF | 0x1400..=0x167F | 0xA700..=0xA7FF))
}

/// Whether a character is part of a word. The signs of Indic scripts are.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(u32::from(c), 0x900..=0x963 | 0x966..=0xDFF)
}

/// Whether a letter is of a script that writes no spaces between words.
pub(super) fn is_dense(c: char) -> bool {
    matches!(u32::from(c),
        0xE00..=0xEFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}
