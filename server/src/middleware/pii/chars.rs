//! What a character means to the detectors: part of a word, a separator inside
//! a number, or something no finding can touch.

/// How a character takes part in cutting a text into segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// An ASCII digit.
    Digit,
    /// [`NEUTRAL`], which stands where a digit stood.
    Neutral,
    /// An ASCII capital: bank account groups are written in capitals.
    Upper,
    /// Any other letter or digit of a script that separates words by spaces.
    Lower,
    /// `+` or `(`: opens a phone number.
    Open,
    /// `)`: ends the area code of a phone number.
    Close,
    /// `:`, which stands between a label and a phone number.
    Colon,
    /// A full stop.
    Dot,
    /// Other characters a finding may hold or look at.
    Mark,
    /// A space that may stand inside a number.
    Joiner,
    /// Other white space: no finding crosses it.
    Space,
    /// A character no finding holds, and which ends one like the end of the
    /// text does: quotes, brackets, scripts written without spaces, symbols.
    Break,
}

/// What stands for a digit in findings masked in place. One byte, part of no
/// finding, and to the segmenter the same as a digit.
pub(super) const NEUTRAL: char = '~';

/// From this code point on (Thai, CJK, emoji) scripts do not separate words by
/// spaces, so a letter beside a finding does not make both one word.
const UNSPACED: char = '\u{0e00}';

/// The class of a character.
#[inline]
pub(super) fn class(c: char) -> Class {
    match ASCII.get(c as usize) {
        Some(class) => *class,
        None => beyond_ascii(c),
    }
}

/// The class of a byte. Those outside ASCII count as letters of a word, since a
/// single space behind one always ends a segment.
#[inline]
pub(super) const fn class_of_byte(byte: u8) -> Class {
    if byte.is_ascii() { ascii(byte as char) } else { Class::Lower }
}

/// Looked up for nearly every character of nearly every text.
static ASCII: [Class; 128] = {
    let mut table = [Class::Break; 128];
    let mut at = 0_u8;
    let mut rest: &mut [Class] = &mut table;
    while let Some((slot, tail)) = rest.split_first_mut() {
        *slot = ascii(at as char);
        rest = tail;
        at += 1;
    }
    table
};

const fn ascii(c: char) -> Class {
    match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        ' ' => Class::Joiner,
        '+' | '(' => Class::Open,
        ')' => Class::Close,
        ':' => Class::Colon,
        '.' => Class::Dot,
        NEUTRAL => Class::Neutral,
        '"' | '\'' | '<' | '>' | '{' | '}' | '|' | ';' | '!' | '?' | '&' | '=' | '`' | '^' => {
            Class::Break
        }
        '\t'..='\r' | '\u{1c}'..='\u{1f}' => Class::Space,
        '!'..='~' => Class::Mark,
        _ => Class::Break,
    }
}

fn beyond_ascii(c: char) -> Class {
    if is_joiner(c) {
        Class::Joiner
    } else if c.is_whitespace() {
        Class::Space
    } else if is_dash(c) || is_at(c) || matches!(c, '€' | '£' | '¥') {
        Class::Mark
    } else if is_word(c) {
        Class::Lower
    } else {
        Class::Break
    }
}

/// Whether a match that touches this character would be glued inside a longer
/// word.
#[inline]
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric() || c == '_'
    } else {
        c < UNSPACED && c.is_alphanumeric()
    }
}

/// A space that may stand between the groups of one number.
pub(super) fn is_joiner(c: char) -> bool {
    // No-break, figure, thin, narrow no-break: what typesetters put there.
    matches!(c, ' ' | '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{202f}')
}

/// `@`, also in the width Asian keyboards give it.
pub(super) fn is_at(c: char) -> bool {
    matches!(c, '@' | '\u{ff20}')
}

/// A dash that may stand between the groups of one number.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_unspaced_scripts_end_a_word_and_others_do_not() {
        for (c, word) in [('é', true), ('ж', true), ('谢', false), ('ก', false), ('😀', false)]
        {
            assert_eq!(is_word(c), word, "{c}");
        }
    }

    #[test]
    fn no_word_character_is_a_break() {
        for c in ('\0'..='\u{ffff}').filter(|c| is_word(*c)) {
            assert_ne!(class(c), Class::Break, "{c:?}");
        }
    }

    #[test]
    fn white_space_always_separates() {
        for c in ('\0'..='\u{ffff}').filter(|c| c.is_whitespace()) {
            assert!(matches!(class(c), Class::Joiner | Class::Space), "{c:?}");
        }
    }
}
