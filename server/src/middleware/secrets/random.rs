//! Tells what a machine made up from what a person or a program named.

/// Shannon entropy in bits per byte.
pub(super) fn entropy(value: &[u8]) -> f32 {
    let mut counts = [0_u16; 128];
    let mut total = 0_u16;
    for byte in value.iter().take(4096) {
        if let Some(count) = counts.get_mut(usize::from(byte & 127)) {
            *count += 1;
            total += 1;
        }
    }
    if total == 0 {
        return 0.0;
    }
    let total = f32::from(total);
    let used = counts.iter().filter(|count| **count > 0);
    used.map(|count| f32::from(*count) / total).map(|share| -share * share.log2()).sum()
}

/// What a value is made of.
#[derive(Debug, Clone, Copy, Default)]
struct Make {
    digits: usize,
    lower: usize,
    upper: usize,
    /// Neither letters nor digits.
    others: usize,
    /// Letters other than `a` to `f`.
    beyond_hex: usize,
    /// Steps from a letter to a digit or back, without anything in between.
    steps: usize,
    vowels: usize,
    /// Steps from one case to the other.
    turns: usize,
    /// The longest stretch of letters and digits.
    longest: usize,
}

fn make(value: &[u8]) -> Make {
    let mut make = Make::default();
    let (mut last, mut stretch) = (b' ', 0);
    for &byte in value {
        match byte {
            b'0'..=b'9' => make.digits += 1,
            b'a'..=b'z' => make.lower += 1,
            b'A'..=b'Z' => make.upper += 1,
            _ => make.others += 1,
        }
        let letter = byte.is_ascii_alphabetic();
        make.vowels += usize::from(b"aeiou".contains(&byte.to_ascii_lowercase()));
        make.beyond_hex += usize::from(letter && !byte.is_ascii_hexdigit());
        make.steps += usize::from(
            (letter && last.is_ascii_digit())
                || (byte.is_ascii_digit() && last.is_ascii_alphabetic()),
        );
        make.turns += usize::from(
            letter
                && last.is_ascii_alphabetic()
                && byte.is_ascii_lowercase() != last.is_ascii_lowercase(),
        );
        stretch = if byte.is_ascii_alphanumeric() { stretch + 1 } else { 0 };
        make.longest = make.longest.max(stretch);
        last = byte;
    }
    make
}

/// Whether a value of letters and digits looks made up by a machine: as text,
/// a name or a version would hardly be written.
pub(super) fn looks_random(value: &[u8]) -> bool {
    let make = make(value);
    let letters = make.lower + make.upper;
    let length = value.len();
    // A colon separates: times, addresses, names of resources.
    if length < 12 || make.others * 4 > length || value.contains(&b':') {
        return false;
    }
    if is_grouped(value) {
        return true;
    }
    let bits = entropy(value);
    if letters == 0 {
        return make.longest >= 20 && bits > 2.0;
    }
    if make.digits == 0 {
        return made_of_letters(&make, length, bits);
    }
    if make.beyond_hex == 0 && make.others == 0 {
        return length >= 16 && bits > 2.0;
    }
    let mixed = make.steps * 2 + make.turns;
    let often = mixed * 5 >= length * 2 && make.steps >= 3 && bits >= 2.8;
    let long = bits >= 3.0
        && ((make.longest >= 20 && make.digits >= 2) || (make.longest >= 24 && make.digits >= 1));
    let wild = make.longest >= 14 && make.turns + make.steps >= 6 && bits >= 3.3;
    often || long || wild
}

fn made_of_letters(make: &Make, length: usize, bits: f32) -> bool {
    if make.others > 0 && make.longest < 20 {
        return false;
    }
    // Words have more vowels.
    if make.vowels * 10 > length * 3 {
        return false;
    }
    let one_case = make.lower == 0 || make.upper == 0;
    let turning = !one_case && length >= 16 && make.turns * 3 >= length;
    let long = one_case && length >= 20 && bits > 3.0;
    turning || long || (make.longest >= 24 && bits > 3.5)
}

/// Whether a short value is letters and digits in turn, as no word is.
pub(super) fn is_dense(value: &[u8]) -> bool {
    let make = make(value);
    make.others == 0 && make.steps >= 3 && make.digits * 5 >= value.len()
}

/// Whether a value is of so many signs that nobody would call a thing so.
pub(super) fn is_wild(value: &[u8]) -> bool {
    let make = make(value);
    let signs = value.iter().filter(|byte| !matches!(byte, b'.' | b'/' | b'_' | b'-' | b':'));
    let signs = signs.filter(|byte| byte.is_ascii_punctuation()).count();
    value.len() >= 12 && make.lower + make.upper >= 4 && signs >= 4 && entropy(value) > 3.4
}

/// Whether a value is in groups, as a UUID or a licence key is.
fn is_grouped(value: &[u8]) -> bool {
    let groups = || value.split(|byte| *byte == b'-');
    let whole = |group: &[u8]| group.len() >= 4 && group.iter().all(u8::is_ascii_alphanumeric);
    let digits = groups().filter(|group| group.iter().any(u8::is_ascii_digit)).count();
    let count = groups().count();
    let uuid = [8, 4, 4, 4, 12].into_iter().eq(groups().map(<[u8]>::len)) && digits >= 2;
    value.len() >= 20 && count >= 4 && groups().all(whole) && (uuid || digits * 4 >= count * 3)
}

/// Whether a value holds both letters and digits, or both cases.
pub(super) fn is_mixed(value: &[u8]) -> bool {
    let make = make(value);
    make.digits > 0 && make.lower + make.upper > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_that_of_the_bytes() {
        assert!(entropy(b"aaaa").abs() < 0.001);
        assert!((entropy(b"abcd") - 2.0).abs() < 0.001);
        assert!(entropy(b"").abs() < 0.001);
    }

    #[test]
    fn machines_mix_what_people_do_not() {
        for random in [
            "77yg7tx91p4lag",
            "9f86d081884c7d659a2feaa0c55ad015",
            "123e4567-e89b-12d3-a456-426614174000",
            "rj93qzqajv5vn1taowwrirdt",
            "AbCdEfGhIjKlMnOpQrStUvWxYz123456",
            "l36R9B9VAAUtv6C0TR3Ib-3SOOQhbOVrfLHU",
            "ZYXWVUTSRQPONMLKJIHG",
        ] {
            assert!(looks_random(random.as_bytes()), "{random}");
        }
    }

    #[test]
    fn names_versions_and_paths_are_not_random() {
        for named in [
            "DOC_Vector_5_32",
            "SalesResults-1.2",
            "NEXUS-GPT4-API-KEY",
            "cmp2-qat-1208358310",
            "prod5zyxlmy-cmk",
            "io.jsonwebtoken:jjwt-jackson",
            "getElementsByTagName",
            "XXH3_SECRET_SIZE_MIN",
            "config/secrets/prod.yaml",
            "2024-05-15T10:30:00Z",
        ] {
            assert!(!looks_random(named.as_bytes()), "{named}");
        }
    }
}
