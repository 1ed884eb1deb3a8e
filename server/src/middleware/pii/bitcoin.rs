//! Finds Bitcoin addresses: the older ones with their checksum in base 58, and
//! those that begin with `bc1` with theirs in base 32.

use super::entity::Entity;
use super::window::{Candidate, Window};
use sha2::{Digest, Sha256};

const BASE_58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE_32: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// What the checksum of the two kinds of base 32 ends in.
const ENDS: [u32; 2] = [1, 0x2bc8_30a3];

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    let text = window.text;
    let mut from = 0;
    for word in text.split(|c: char| !(super::chars::is_word(c))) {
        let (start, end) = (from, from + word.len());
        from = end + text.get(end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        if (26..=90).contains(&word.len())
            && window.begins_word(start)
            && window.ends_word(end)
            && (is_base_58(word) || is_base_32(word))
        {
            out.push(Candidate { start, end, entity: Entity::BitcoinAddress });
        }
    }
}

/// Whether a text is an address.
pub(super) fn is_address(text: &str) -> bool {
    is_base_58(text) || is_base_32(text)
}

fn is_base_58(text: &str) -> bool {
    if !text.starts_with(['1', '3']) || text.len() > 35 {
        return false;
    }
    let mut bytes = [0_u8; 25];
    for byte in text.bytes() {
        let Some(digit) = BASE_58.iter().position(|known| *known == byte) else { return false };
        let mut carry = digit;
        for place in bytes.iter_mut().rev() {
            carry += usize::from(*place) * 58;
            *place = (carry & 0xff) as u8;
            carry >>= 8;
        }
        if carry > 0 {
            return false;
        }
    }
    let (body, sum) = bytes.split_at(21);
    let twice = Sha256::digest(Sha256::digest(body));
    matches!(body.first(), Some(0 | 5)) && twice.get(..4) == Some(sum)
}

fn is_base_32(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let one_case = lower == text || text.to_ascii_uppercase() == text;
    let Some(data) = lower.strip_prefix("bc1").filter(|_| one_case) else { return false };
    // The letters before the 1, as the checksum sees them.
    let mut state = [3, 3, 0, 2, 3].iter().fold(1, |state, value| step(state, *value));
    for byte in data.bytes() {
        let Some(value) = BASE_32.iter().position(|known| *known == byte) else { return false };
        state = step(state, value as u32);
    }
    let version = data.bytes().next();
    // Version 0 ends in one way, later ones in the other.
    ENDS.get(usize::from(version != Some(b'q'))) == Some(&state)
}

fn step(state: u32, value: u32) -> u32 {
    const ADDED: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let top = state >> 25;
    let shifted = ((state & 0x01ff_ffff) << 5) ^ value;
    ADDED.iter().enumerate().fold(shifted, |state, (bit, added)| match top >> bit & 1 {
        1 => state ^ added,
        _ => state,
    })
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    #[test]
    fn addresses_with_a_right_checksum_are_found() {
        for address in [
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
        ] {
            check(Entity::BitcoinAddress, &format!("to {address}."), &[address]);
        }
    }

    #[test]
    fn a_wrong_checksum_is_left_alone() {
        for text in [
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
            "bc1QW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            "1111111111111111111111111111",
        ] {
            check(Entity::BitcoinAddress, text, &[]);
        }
    }
}
