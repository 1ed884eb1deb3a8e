//! Writes strings as JSON.

/// How many bytes are looked at at once; a loop of this length becomes vector
/// instructions.
const CHUNK: usize = 32;

/// Appends `text` with the escapes that a JSON string needs, without quotes.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = first_special(rest.as_bytes()) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut letters = tail.chars();
        if let Some(letter) = letters.next() {
            push_escape(out, letter);
        }
        rest = letters.as_str();
    }
    out.push_str(rest);
}

fn push_escape(out: &mut String, letter: char) {
    match letter {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ => {
            let code = u32::from(letter);
            out.push_str("\\u00");
            out.extend([code >> 4, code & 15].iter().filter_map(|&it| char::from_digit(it, 16)));
        }
    }
}

fn first_special(bytes: &[u8]) -> Option<usize> {
    let clean = bytes
        .chunks_exact(CHUNK)
        .take_while(|chunk| !chunk.iter().fold(false, |found, &byte| found | is_special(byte)))
        .count();
    let start = clean * CHUNK;
    let at = bytes.iter().skip(start).position(|&byte| is_special(byte))?;
    Some(start + at)
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_as_the_same_text() {
        let long = "x".repeat(100);
        let every_ascii: String = (0..128_u8).map(char::from).collect();
        for text in [
            "",
            "plain",
            "\"",
            "ä\"ö\\ü\n",
            "\u{2028}\u{ffff}\u{10ffff}",
            &every_ascii,
            &format!("{long}\"{long}\u{1f}{long}"),
        ] {
            let mut out = String::from("\"");
            push_escaped(&mut out, text);
            out.push('"');
            assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text, "{out}");
        }
    }
}
