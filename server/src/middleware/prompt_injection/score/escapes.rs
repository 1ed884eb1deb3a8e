//! Undoes the escapes of URLs, HTML and source code.

/// Replaces the escapes of URLs, HTML and source code.
pub(super) fn unescaped(text: &str) -> Option<String> {
    let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
    let (mut rest, mut count) = (text, 0);
    while let Some(at) = rest.find(['%', '&', '\\']) {
        let (before, from) = rest.split_at(at);
        bytes.extend_from_slice(before.as_bytes());
        let (decoded, length) = escape(from).unwrap_or((None, 1));
        match decoded {
            Some(Escape::Byte(byte)) => bytes.push(byte),
            Some(Escape::Char(c)) => {
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            None => bytes.extend_from_slice(from.as_bytes().get(..length).unwrap_or_default()),
        }
        count += usize::from(decoded.is_some());
        rest = from.get(length..).unwrap_or_default();
    }
    bytes.extend_from_slice(rest.as_bytes());
    (count > 3).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[derive(Debug, Clone, Copy)]
enum Escape {
    Byte(u8),
    Char(char),
}

/// The escape that `text` begins with, and its length.
fn escape(text: &str) -> Option<(Option<Escape>, usize)> {
    let hex = |from: usize, to: usize| u32::from_str_radix(text.get(from..to)?, 16).ok();
    let byte = |code: u32| u8::try_from(code).ok().map(Escape::Byte);
    let letter = |code: u32| char::from_u32(code).map(Escape::Char);
    if text.starts_with('%') {
        return Some((byte(hex(1, 3)?), 3));
    }
    if text.starts_with("\\u{") {
        let end = text.find('}').filter(|end| *end < 11)?;
        return Some((letter(hex(3, end)?), end + 1));
    }
    if text.starts_with("\\u") {
        return Some((letter(hex(2, 6)?), 6));
    }
    if text.starts_with("\\x") {
        return Some((byte(hex(2, 4)?), 4));
    }
    let end = text.find(';').filter(|end| *end < 10)?;
    let code = match text.get(1..end)? {
        "lt" => u32::from('<'),
        "gt" => u32::from('>'),
        "amp" => u32::from('&'),
        "quot" => u32::from('"'),
        "nbsp" => u32::from(' '),
        name => {
            let number = name.strip_prefix('#')?;
            match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            }
        }
    };
    Some((letter(code), end + 1))
}
