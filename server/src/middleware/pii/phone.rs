//! Finds phone numbers: international ones, those that a configured country's plan
//! has, and national ones whose grouping gives them away. Plain digits and other
//! groupings are taken for one behind a label only (`phone: 4155550132`): too many
//! ids and amounts look like that.

use super::chars::{is_dash, is_joiner, is_word};
use super::entity::Entity;
use super::groups::{Group, Sep, digits, groups};
use super::plan;
use super::wanted::Wanted;
use super::window::{Candidate, Window};
use std::cell::OnceCell;

/// How many digits a number has; E.164 allows 15 with the country code.
const LENGTHS: std::ops::RangeInclusive<usize> = 7..=15;
/// Digits that are dialled to leave a country: `00`, `011`.
const MAX_EXIT: usize = 3;
/// No number has more groups: 15 digits in twos, and some.
const MAX_GROUPS: usize = 10;
/// Words that say, before a colon, that a phone number follows.
const LABELS: [&str; 9] =
    ["phone", "telephone", "tel", "mobile", "mob", "cell", "cellphone", "fax", "whatsapp"];
/// Words before grouped digits that are called, or called from.
const WORDS: [&str; 30] = [
    "phone",
    "telephone",
    "tel",
    "mobile",
    "cell",
    "cellphone",
    "fax",
    "whatsapp",
    "call",
    "dial",
    "sms",
    "desk",
    "reach me",
    "reach us",
    "answering",
    "messages to",
    "hotline",
    "landline",
    "handy",
    "telefon",
    "telefono",
    "teléfono",
    "téléphone",
    "rufnummer",
    "mobil",
    "telefoon",
    "móvil",
    "celular",
    "phone number",
    "text me",
];
/// Words right before plain digits.
const SURE: [&str; 8] =
    ["phone", "telephone", "tel", "mobile", "cellphone", "fax", "desk", "whatsapp"];
/// Ends of sentences that plain digits complete.
const ASKED: [&str; 6] =
    ["call me at", "call me on", "call us at", "call us on", "text me at", "reach me at"];
/// What stands before an extension, longest first.
const EXTENSIONS: [&str; 8] = ["extension", "extn", "ext", "int", "xt", "x", "#", "~"];
/// Digits of an extension.
const MAX_EXTENSION: usize = 7;

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    let bytes = window.text.as_bytes();
    let mut in_digits = false;
    for (start, byte) in bytes.iter().enumerate() {
        let begins = matches!(byte, b'+' | b'(') || (byte.is_ascii_digit() && !in_digits);
        in_digits = byte.is_ascii_digit();
        if begins
            && begins_clean(window, start)
            && let Some(end) = number_end(window, start)
        {
            out.push(Candidate { start, end, entity: Entity::Phone });
        }
    }
}

/// The end of the longest number that begins here.
fn number_end(window: &Window<'_>, start: usize) -> Option<usize> {
    let plus = window.byte(start) == Some(b'+');
    let groups = groups::<MAX_GROUPS>(window, start + usize::from(plus));
    if groups.iter().map(|group| group.len).sum::<usize>() < *LENGTHS.start()
        && window.wanted.regions.is_empty()
    {
        return None;
    }
    let labelled = is_labelled(window, start);
    let follows = follows_number(window, start);
    // Whether words announce it, which is the same for all readings.
    let announced = OnceCell::new();
    (1..=groups.len()).rev().find_map(|count| {
        let groups = groups.get(..count)?;
        let end = groups.last()?.end;
        let number = Number { groups, text: window.text.get(start..end)? };
        let possible = *LENGTHS.start()..=*LENGTHS.end() + MAX_EXIT;
        if window.wanted.regions.is_empty() && !possible.contains(&number.total()) {
            return None;
        }
        let fits = match plus {
            true => number.is_international(),
            false => {
                labelled && number.is_plausible()
                    || !follows
                        && (number.is_north_american()
                            || number.has_trunk_zero()
                            || number.has_exit_code()
                            || number.has_area_in_parens()
                            || number.is_dialled(window.wanted))
                    || number.may_be_announced()
                        && match groups.len() {
                            1 => number.total() <= 12 && is_said_directly(window, start),
                            _ => *announced.get_or_init(|| window.said(start, &WORDS)),
                        }
            }
        };
        let end = fits.then(|| extension_end(window, end).unwrap_or(end))?;
        ends_clean(window, end, &number).then_some(end)
    })
}

/// A reading of some groups as one number.
struct Number<'a> {
    groups: &'a [Group],
    text: &'a str,
}

impl Number<'_> {
    fn total(&self) -> usize {
        self.groups.iter().map(|group| group.len).sum()
    }

    fn prefix(&self, count: usize) -> u32 {
        digits(self.text).take(count).fold(0, |n, digit| n * 10 + u32::from(digit))
    }

    fn is_spaced(&self) -> bool {
        self.groups.iter().any(|group| group.sep == Sep::Space)
    }

    /// Behind the first separator, all are the same.
    fn is_even(&self) -> bool {
        let mut rest = self.groups.iter().skip(2).map(|group| group.sep);
        let first = rest.next();
        rest.all(|sep| Some(sep) == first)
    }

    fn no_slash(&self) -> bool {
        self.groups.iter().all(|group| group.sep != Sep::Slash)
    }

    fn digits(&self) -> Vec<u8> {
        self.text.bytes().filter(u8::is_ascii_digit).collect()
    }

    /// The same without a `(0)`, which is dialled inside the country only.
    fn digits_abroad(&self) -> Vec<u8> {
        let shown = self.groups.iter().skip(1).any(|group| group.in_parens && group.len == 1);
        match (shown, self.text.split_once("(0)")) {
            (true, Some((code, rest))) => {
                [code, rest].concat().bytes().filter(u8::is_ascii_digit).collect()
            }
            _ => self.digits(),
        }
    }

    /// A number as it is dialled in one of the countries.
    fn is_dialled(&self, wanted: &Wanted) -> bool {
        if wanted.regions.is_empty() || self.is_date() || self.is_social_security() {
            return false;
        }
        let plain = self.groups.len() == 1 && !self.text.starts_with('0') && self.total() < 8;
        let digits = self.digits();
        // Amounts have dots between three digits, and versions between fewer.
        let dotted = self.groups.iter().skip(1).all(|group| group.sep == Sep::Dot);
        let amount =
            self.groups.len() > 2 && dotted && self.groups.iter().skip(1).all(|g| g.len == 3);
        !plain && !amount && wanted.regions.iter().any(|region| region.accepts(&digits))
    }

    /// Behind a word for calling, digits in groups are a number.
    fn may_be_announced(&self) -> bool {
        let groups = self.groups.len();
        let shaped = self.groups.iter().skip(1).all(|group| group.len >= 2)
            && self.groups.iter().all(|group| group.len <= 4 || groups <= 2)
            && self.groups.iter().all(|group| group.sep != Sep::Dot || groups > 2);
        self.is_plausible() && shaped && self.total() <= 13 && !self.is_social_security()
    }

    /// `+44 20 7946 0958`, `+49 (0)30 1234567`.
    fn is_international(&self) -> bool {
        if plan::is_international(&self.digits_abroad()) {
            return true;
        }
        let total = self.total();
        let right_length = match self.prefix(1) {
            1 | 7 => total == 11,
            _ => LENGTHS.contains(&total),
        };
        right_length
            && self.no_slash()
            && is_country(self.prefix(1), self.prefix(2), self.prefix(3))
    }

    /// `(415) 555-0132`, `1-415-555-0132`, `415.555.0132`.
    fn is_north_american(&self) -> bool {
        let groups = match self.groups {
            [one, rest @ ..] if one.len == 1 && !one.in_parens && self.prefix(1) == 1 => rest,
            all => all,
        };
        let [area, exchange, line] = groups else { return false };
        let lengths = (area.len, exchange.len, line.len) == (3, 3, 4);
        let separated = match (exchange.sep, line.sep) {
            (Sep::None, line) => area.in_parens && line != Sep::None && line != Sep::Slash,
            (Sep::Slash, _) | (_, Sep::Slash | Sep::None) => false,
            (Sep::Space, _) => true,
            (first, second) => area.in_parens || first == second,
        };
        let bare = !exchange.in_parens && !line.in_parens;
        let first_digits =
            self.group_begins_with(area) >= 2 && self.group_begins_with(exchange) >= 2;
        lengths && separated && bare && first_digits
    }

    fn group_begins_with(&self, group: &Group) -> u8 {
        let skipped: usize =
            self.groups.iter().take_while(|g| g.start < group.start).map(|g| g.len).sum();
        digits(self.text).nth(skipped).unwrap_or(0)
    }

    /// `020 7946 0958`, `01.84.17.61.18`, `(08) 8747 6301`.
    fn has_trunk_zero(&self) -> bool {
        let [area, rest @ ..] = self.groups else { return false };
        let shaped = (2..=6).contains(&area.len)
            && (1..=5).contains(&rest.len())
            && rest.iter().all(|group| (2..=8).contains(&group.len) && !group.in_parens);
        let dots = rest.iter().filter(|group| group.sep == Sep::Dot).count();
        shaped
            && (1..=9).contains(&self.prefix(2))
            && (9..=12).contains(&self.total())
            && self.is_even()
            && self.no_slash()
            // One or two dots: a decimal number or a date.
            && (dots == 0 || dots >= 3)
            && !self.is_date()
            && !self.is_social_security()
    }

    /// `00 44 20 7946 0958`, `011 44 20 7946 0958`.
    fn has_exit_code(&self) -> bool {
        let total = self.total();
        let code = if self.prefix(2) == 0 { 2 } else { 3 };
        let first = self.groups.first().map_or(0, |group| group.len);
        (self.prefix(2) == 0 || self.prefix(3) == 11)
            && self.text.starts_with('0')
            && (code..=code + 3).contains(&first)
            && self.groups.len() >= 3
            && total >= code + 9
            && total <= code + *LENGTHS.end()
            && self.is_even()
            && self.no_slash()
    }

    /// `(11) 96123-4567`.
    fn has_area_in_parens(&self) -> bool {
        // `044 (33) 1234-5678`, `8 (771) 000 9998`
        let groups = match self.groups {
            [prefix, rest @ ..] if prefix.len <= 3 && matches!(self.prefix(1), 0 | 1 | 8) => rest,
            all => all,
        };
        let groups = if self.text.starts_with('(') { self.groups } else { groups };
        let [area, rest @ ..] = groups else { return false };
        let area_fits = match area.len {
            2 | 3 => true,
            4 => self.group_begins_with(area) <= 1,
            _ => false,
        };
        area.in_parens
            && area_fits
            && (1..=3).contains(&rest.len())
            && rest.iter().all(|group| group.len >= 3 && !group.in_parens)
            && (8..=11).contains(&(area.len + rest.iter().map(|group| group.len).sum::<usize>()))
            && self.no_slash()
            && !rest
                .iter()
                .all(|group| group.len == 4 && matches!(self.group_begins_with(group), 1 | 2))
    }

    /// Anything a label may make a number of.
    fn is_plausible(&self) -> bool {
        LENGTHS.contains(&self.total()) && self.no_slash() && !self.is_date()
    }

    /// The shape of a US social security number, also of a void one.
    fn is_social_security(&self) -> bool {
        self.groups.iter().map(|group| group.len).eq([3, 2, 4])
    }

    /// `05 15 2024`, `2024-05-15`, whatever follows.
    fn is_date(&self) -> bool {
        let is_year =
            |group: &Group| group.len == 4 && matches!(self.group_begins_with(group), 1 | 2);
        match self.groups {
            [year, month, day, ..] if is_year(year) => (month.len, day.len) == (2, 2),
            [day, month, year, ..] if is_year(year) => (day.len, month.len) == (2, 2),
            _ => false,
        }
    }
}

/// Whether a number may begin with these digits (ITU E.164, assigned codes).
fn is_country(one: u32, two: u32, three: u32) -> bool {
    let short = matches!(two, 20 | 27 | 30..=34 | 36 | 39..=41 | 43..=49 | 51..=58 | 60..=66)
        || matches!(two, 81 | 82 | 84 | 86 | 90..=95 | 98);
    let long = matches!(three / 10, 21..=26 | 29 | 35 | 37 | 38 | 42 | 50 | 59 | 67..=69)
        || matches!(three / 10, 80 | 85 | 87 | 88 | 96 | 97 | 99);
    matches!(one, 1 | 7) || short || long
}

/// `x769`, ` ext. 12` or ` #12` right behind a number.
fn extension_end(window: &Window<'_>, end: usize) -> Option<usize> {
    let all = window.text.get(end..)?;
    let spaces = |c: char| is_joiner(c) || c == ',';
    let tail = all.trim_start_matches(spaces);
    let word = EXTENSIONS
        .iter()
        .find(|word| tail.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))?;
    let digits = tail.get(word.len()..)?.trim_start_matches(|c| spaces(c) || c == '.' || c == ':');
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    (1..=MAX_EXTENSION).contains(&len).then_some(end + all.len() - digits.len() + len)
}

/// `Phone: 555 0132`, `tel:5550132`.
fn is_labelled(window: &Window<'_>, start: usize) -> bool {
    let head = window.text.get(..start).unwrap_or_default();
    let Some(head) = head.trim_end_matches(is_joiner).strip_suffix(':') else { return false };
    let label = head.rsplit(|c| !is_word(c)).next().unwrap_or_default();
    LABELS.iter().any(|known| label.eq_ignore_ascii_case(known))
}

/// `phone 4155550132`, `my phone number is 4155550132`.
fn is_said_directly(window: &Window<'_>, start: usize) -> bool {
    let before = window.before_here(start);
    let words: Vec<&str> = before.split(|c: char| !is_word(c)).filter(|w| !w.is_empty()).collect();
    let near = words.len().saturating_sub(3);
    let fillers = ["number", "no", "is", "nr", "at", "on", "num", "me"];
    let mut behind = words
        .iter()
        .skip(near)
        .rev()
        .skip_while(|word| fillers.iter().any(|filler| word.eq_ignore_ascii_case(filler)));
    let lower = before.trim_end().to_lowercase();
    behind.next().is_some_and(|word| SURE.iter().any(|sure| word.eq_ignore_ascii_case(sure)))
        || ASKED.iter().any(|asked| lower.ends_with(asked))
}

/// `5 415 555 0132`: some longer number, unless it begins with `+`.
fn follows_number(window: &Window<'_>, start: usize) -> bool {
    let (last, second) = window.last_two(start);
    last.is_some_and(is_joiner) && second.is_some_and(|c| c.is_ascii_digit())
}

fn begins_clean(window: &Window<'_>, start: usize) -> bool {
    let (last, second) = window.last_two(start);
    let digit_before = second.is_some_and(|c| c.is_ascii_digit());
    match last {
        // An amount, a number sign, arithmetic.
        Some('$' | '€' | '£' | '¥' | '#' | '%' | '+' | '@' | '\\') => false,
        Some('.' | ',' | ':') => !digit_before,
        Some(c) if c == '/' || is_dash(c) => !second.is_some_and(is_word),
        _ => window.begins_word(start),
    }
}

fn ends_clean(window: &Window<'_>, end: usize, number: &Number<'_>) -> bool {
    let (next, second) = window.next_two(end);
    let digit_behind = second.is_some_and(|c| c.is_ascii_digit());
    match next {
        Some('%' | '@') => false,
        Some('.' | ',' | ':' | '/') => !digit_behind,
        // `-Office` behind a number with spaces; an id would have none.
        Some(c) if is_dash(c) && number.is_spaced() => !digit_behind,
        Some(c) if is_dash(c) => !second.is_some_and(is_word),
        Some(c) if is_joiner(c) => !(number.is_spaced() && digit_behind),
        _ => window.ends_word(end),
    }
}

#[cfg(test)]
#[path = "phone_tests.rs"]
mod tests;
