//! Checksums that a token carries in its last characters.

use serde::Deserialize;

/// How a token can be told from a made-up one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Checksum {
    /// The last six characters are the CRC-32 of those behind the prefix, in
    /// base 62.
    Github,
    /// The same.
    Npm,
}

impl Checksum {
    /// Whether a token is surely genuine. `false` says nothing: forms change.
    pub(super) fn holds(self, token: &[u8]) -> bool {
        match self {
            Self::Github | Self::Npm => crc32_in_base62(token) == Some(true),
        }
    }
}

fn crc32_in_base62(token: &[u8]) -> Option<bool> {
    let prefix = token.iter().position(|byte| *byte == b'_')? + 1;
    let body = token.get(prefix..)?;
    let (body, tail) = body.split_at_checked(body.len().checked_sub(6)?)?;
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest = crc32(body);
    let fits = tail.iter().rev().all(|digit| {
        let expected = DIGITS.get((rest % 62) as usize);
        rest /= 62;
        expected == Some(digit)
    });
    Some(fits)
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |mut crc: u32, byte| {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
        crc
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_is_that_of_zip() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_token_with_its_checksum_is_genuine_and_one_with_a_typo_is_not() {
        // CRC-32 of 30 zeros is 0xb74574de, `3L78fw` in base 62.
        let body = "0".repeat(30);
        let mut rest = crc32(body.as_bytes());
        let mut tail = Vec::new();
        for _ in 0..6 {
            let digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
            tail.insert(0, digits.chars().nth((rest % 62) as usize).unwrap());
            rest /= 62;
        }
        let token = format!("ghp_{body}{}", tail.iter().collect::<String>());
        assert!(Checksum::Github.holds(token.as_bytes()));
        assert!(!Checksum::Github.holds(token.replacen("00", "01", 1).as_bytes()));
        assert!(!Checksum::Github.holds(b"ghp_"));
    }
}
