//! The second look: what a text says when it is decoded.

use super::{
    escapes::unescaped,
    features::Hints,
    fold::Folded,
    lexicon::{LEXICON, START, step},
};
use base64::{
    Engine,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde::Serialize;

/// How a text was hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// It stands there as it is.
    Text,
    /// In characters that nobody sees.
    Hidden,
    /// In base64.
    Base64,
    /// In hexadecimal digits.
    Hex,
    /// In escapes of URLs, HTML or source code.
    Escapes,
    /// Rotated by 13 letters.
    Rot13,
    /// Backwards.
    Reversed,
    /// Spelled letter by letter, or without spaces.
    Spelled,
}

/// How many bytes of decoded text are looked at.
const MOST: usize = 64 * 1024;
/// How many pieces of a text are decoded.
const PIECES: usize = 64;

/// What `text` says when it is decoded in the ways that it looks like.
pub(in super::super) fn decodings(
    text: &str,
    folded: &Folded<'_>,
    hints: Hints,
) -> Vec<(Layer, String)> {
    let mut found = Vec::new();
    if folded.smuggled.len() > 7 {
        found.push((Layer::Hidden, spaced(&folded.smuggled)));
    }
    if hints.long > 0 {
        blobs(text, &mut found);
    }
    if hints.escapes > 3 {
        found.extend(unescaped(head(text, MOST)).map(|text| (Layer::Escapes, text)));
    }
    let head = head(text, MOST);
    if hints.rotated > 1 {
        found.push((Layer::Rot13, head.chars().map(rotated).collect()));
    }
    if hints.reversed > 1 {
        found.push((Layer::Reversed, head.chars().rev().collect()));
    }
    if hints.spelled > 7 {
        found.push((Layer::Spelled, joined(head)));
    }
    found
}

fn head(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

/// Decodes the runs of base64 and of hexadecimal digits.
fn blobs(text: &str, found: &mut Vec<(Layer, String)>) {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_' | '=');
    let runs = text.split(|c| !is_inside(c)).filter(|run| run.len() > 15).take(PIECES);
    let (mut base64, mut hex, mut glued) = (String::new(), String::new(), String::new());
    for run in runs {
        if base64.len() + hex.len() > MOST {
            break;
        }
        let run = head(run, MOST);
        if run.len() < 80 && run.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            let words = spaced(run);
            if words.bytes().filter(|byte| *byte == b' ').count() > 4 {
                glued.push_str(&words);
                glued.push('\n');
            }
        }
        if let Some(text) = unhex(run) {
            hex.push_str(&text);
            hex.push('\n');
        } else if let Some(text) = unbase64(run) {
            base64.push_str(&text);
            base64.push('\n');
        }
    }
    found.extend(Some(glued).filter(|it| !it.is_empty()).map(|it| (Layer::Spelled, it)));
    found.extend(Some(base64).filter(|it| !it.is_empty()).map(|it| (Layer::Base64, it)));
    found.extend(Some(hex).filter(|it| !it.is_empty()).map(|it| (Layer::Hex, it)));
}

fn unbase64(run: &str) -> Option<String> {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let alphabet = if run.contains(['-', '_']) { URL_SAFE } else { STANDARD };
    let run = run.trim_start_matches('=');
    let run = run.get(..run.find('=').unwrap_or(run.len()))?;
    let whole = run.get(..run.len() - usize::from(run.len() % 4 == 1))?;
    readable(GeneralPurpose::new(&alphabet, config).decode(whole).ok()?)
}

fn unhex(run: &str) -> Option<String> {
    let run = run.strip_prefix("0x").unwrap_or(run).as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok());
    let pairs = run.chunks_exact(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    readable(pairs.collect::<Option<Vec<u8>>>()?)
}

/// The bytes as a text, when they are one.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let odd = text.chars().filter(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')).count();
    let words = text.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    (odd == 0 && words * 10 >= text.chars().count() * 7).then_some(text)
}

const fn rotated(c: char) -> char {
    let base = match c {
        'a'..='z' => b'a',
        'A'..='Z' => b'A',
        _ => return c,
    };
    ((c as u8 - base + 13) % 26 + base) as char
}

/// Joins letters that stand apart; wider gaps are between words.
fn joined(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut gap = 0;
    for c in text.chars() {
        if c.is_alphanumeric() {
            if gap > 1 {
                words.push(' ');
            }
            gap = 0;
            words.push(c);
        } else {
            gap += 1;
        }
    }
    spaced(&words)
}

/// Puts spaces around the words of the list in a text that has few.
fn spaced(text: &str) -> String {
    let text = text.to_lowercase();
    let bytes = text.as_bytes();
    if bytes.iter().filter(|byte| **byte == b' ').count() * 12 > bytes.len() {
        return text;
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut at = 0;
    while at < text.len() {
        let (mut hash, mut longest) = (START, 0);
        for (length, &byte) in bytes.iter().skip(at).take(16).enumerate() {
            hash = step(hash, byte);
            if length > 1 && LEXICON.meaning(hash, true).is_some() {
                longest = length + 1;
            }
        }
        let length = if longest > 0 {
            longest
        } else {
            text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        };
        let piece = text.get(at..at + length).unwrap_or_default();
        if longest > 0 {
            out.push(' ');
            out.push_str(piece);
            out.push(' ');
        } else {
            out.push_str(piece);
        }
        at += length;
    }
    out
}
