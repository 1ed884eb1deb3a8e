//! Moves bytes between scripts and Rust, and turns them into text and back.
//!
//! Bytes come from a script in hexadecimal, which the engine writes natively: a borrowed view of
//! its memory would be unsafe.

#![expect(clippy::needless_pass_by_value, reason = "the engine gives arguments by value")]

use rquickjs::{Ctx, Exception, Function, Object, Result, TypedArray, convert::List};

/// Defines what `encoding.js` calls.
pub(super) fn define(native: &Object<'_>) -> Result<()> {
    let ctx = native.ctx();
    native.set("encode", Function::new(ctx.clone(), encode)?)?;
    native.set("encodePrefix", Function::new(ctx.clone(), encode_prefix)?)?;
    native.set("decode", Function::new(ctx.clone(), decode)?)
}

/// The bytes that a script sent in hexadecimal.
pub(super) fn from_hex(ctx: &Ctx<'_>, hex: &str) -> Result<Vec<u8>> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
    match bytes {
        Some(bytes) if rest.is_empty() => Ok(bytes),
        _ => Err(Exception::throw_type(ctx, "the bytes are not hexadecimal")),
    }
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

fn encode(ctx: Ctx<'_>, text: String) -> Result<TypedArray<'_, u8>> {
    TypedArray::new_copy(ctx, text)
}

/// As many whole characters as fit, and how many UTF-16 units they were.
fn encode_prefix(
    ctx: Ctx<'_>,
    text: String,
    capacity: usize,
) -> Result<List<(TypedArray<'_, u8>, usize)>> {
    let fitting = text.get(..text.floor_char_boundary(capacity)).unwrap_or_default();
    let read = fitting.chars().map(char::len_utf16).sum();
    Ok(List((TypedArray::new_copy(ctx, fitting)?, read)))
}

/// The text, unless it must be valid and is not, and how many bytes at the end wait for more.
fn decode(
    ctx: Ctx<'_>,
    hex: String,
    fatal: bool,
    last: bool,
) -> Result<List<(Option<String>, usize)>> {
    let mut bytes = from_hex(&ctx, &hex)?;
    let waiting = if last { 0 } else { unfinished(&bytes) };
    bytes.truncate(bytes.len() - waiting);
    let text = match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(_) if fatal => None,
        Err(error) => Some(String::from_utf8_lossy(error.as_bytes()).into_owned()),
    };
    Ok(List((text, waiting)))
}

/// How many bytes at the end begin a character that more bytes could complete.
fn unfinished(bytes: &[u8]) -> usize {
    (1..=bytes.len().min(3))
        .find(|&length| {
            let tail = bytes.get(bytes.len() - length..).unwrap_or_default();
            str::from_utf8(tail)
                .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::unfinished;

    #[test]
    fn only_a_character_that_may_go_on_is_unfinished() {
        for (bytes, expected) in [
            (&b"abc"[..], 0),
            (b"", 0),
            (b"a\xe2", 1),
            (b"a\xe2\x82", 2),
            (b"a\xe2\x82\xac", 0),
            (b"\xf0\x9f\x98", 3),
            (b"\xf0\x9f\x98\x80", 0),
            (b"\xe0\x80", 0),
            (b"\xed\xa0", 0),
            (b"\xff", 0),
            (b"\x80\x80\x80", 0),
        ] {
            assert_eq!(unfinished(bytes), expected, "{bytes:x?}");
        }
    }
}
