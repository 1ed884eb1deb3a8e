//! The numbering plans of all countries: which digits are a telephone number.
//!
//! `numbering.bin` is made by `server/examples/numbering.rs` from the public
//! metadata of libphonenumber (Apache-2.0). It is an automaton over digits whose
//! states all countries share. After a header (the number of regions, the root of
//! all international numbers, then each region with its root, its calling code and
//! its exit codes) come the states in words of two bytes: the first holds whether
//! a number may end there and how many ways lead on; each way is a set of digits
//! with the high bits of its place, and the low bits.

static PLANS: &[u8] = include_bytes!("numbering.bin");

/// A country, with its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    root: u32,
    exits: &'static str,
}

impl Region {
    /// The country with this code of two letters, such as `DE`.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        regions().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, region)| region)
    }

    /// Whether digits are a number as it is dialled in this country.
    pub(super) fn accepts(self, digits: &[u8]) -> bool {
        accepts(self.root, digits)
            || self.exits.split(' ').any(|exit| {
                let rest = digits.strip_prefix(exit.as_bytes());
                !exit.is_empty() && rest.is_some_and(is_international)
            })
    }
}

/// The codes of all countries.
#[must_use]
pub fn region_names() -> Vec<&'static str> {
    let mut names: Vec<_> = regions().map(|(name, _)| name).collect();
    names.sort_unstable();
    names
}

/// Whether digits are a number with its country's code in front.
pub(super) fn is_international(digits: &[u8]) -> bool {
    accepts(word32(PLANS.get(4..).unwrap_or_default()), digits)
}

fn regions() -> impl Iterator<Item = (&'static str, Region)> {
    let count = word32(PLANS);
    let mut rest = PLANS.get(8..).unwrap_or_default();
    (0..count).map_while(move |_| {
        let name = text(rest.get(..2)?);
        let root = word32(rest.get(2..)?);
        let (_code, tail) = counted(rest.get(6..)?)?;
        let (exits, tail) = counted(tail)?;
        rest = tail;
        Some((name, Region { root, exits: text(exits) }))
    })
}

fn text(bytes: &'static [u8]) -> &'static str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

fn counted(bytes: &'static [u8]) -> Option<(&'static [u8], &'static [u8])> {
    let (count, rest) = bytes.split_first()?;
    rest.split_at_checked(usize::from(*count))
}

fn word32(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The states: everything behind the header.
fn states() -> &'static [u8] {
    static FROM: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    let from = FROM.get_or_init(|| {
        let count = word32(PLANS) as usize;
        let mut rest = PLANS.get(8..).unwrap_or_default();
        for _ in 0..count {
            let behind = rest.get(6..).and_then(counted).and_then(|(_, tail)| counted(tail));
            rest = behind.map_or(&[][..], |(_, tail)| tail);
        }
        (PLANS.len() - rest.len()).next_multiple_of(2)
    });
    PLANS.get(*from..).unwrap_or_default()
}

fn accepts(root: u32, digits: &[u8]) -> bool {
    let states = states();
    let word = |place: u32| {
        let at = (place as usize).checked_sub(1)? * 2;
        states.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
    };
    let mut state = root;
    for byte in digits {
        let digit = 1_u16.checked_shl(u32::from(byte.wrapping_sub(b'0'))).unwrap_or(0);
        let ways = word(state).unwrap_or(0) & 0x7fff;
        let next = (0..u32::from(ways)).find_map(|way| {
            let set = word(state + 1 + way * 2)?;
            let low = word(state + 2 + way * 2)?;
            let leads = set & 0x3ff & digit != 0;
            leads.then_some(u32::from(set >> 10) << 16 | u32::from(low))
        });
        let Some(next) = next else { return false };
        state = next;
    }
    word(state).is_some_and(|head| head >> 15 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialled(region: &str, digits: &str) -> bool {
        Region::find(region).unwrap().accepts(digits.as_bytes())
    }

    #[test]
    fn a_number_is_right_in_the_country_whose_plan_has_it() {
        assert!(dialled("US", "4155550132") && dialled("us", "14155550132"));
        assert!(dialled("DE", "03012345678") && dialled("GB", "02079460958"));
        assert!(dialled("GB", "0014155550132") && dialled("US", "011442079460958"));
        for wrong in ["1155550132", "415555013", "41555501322", "", "0"] {
            assert!(!dialled("US", wrong), "{wrong}");
        }
    }

    #[test]
    fn an_international_number_has_a_country_and_its_length() {
        for right in ["14155550132", "442079460958", "4930123456", "390236618300", "80012345678"] {
            assert!(is_international(right.as_bytes()), "{right}");
        }
        for wrong in ["0", "999123456789", "1415555013", "", "44"] {
            assert!(!is_international(wrong.as_bytes()), "{wrong}");
        }
    }

    #[test]
    fn every_country_has_a_plan() {
        let names = region_names();
        assert!(names.len() > 240 && names.contains(&"NZ"));
        assert!(names.iter().all(|name| Region::find(name).is_some()));
        assert_eq!(Region::find("XX"), None);
    }
}
