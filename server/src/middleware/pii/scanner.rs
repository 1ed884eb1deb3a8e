//! Finds personal data in a text: one pass cuts it into segments, and only
//! those that hold enough digits, an `@` or colons are looked at again.

use super::entity::Entity;
use super::segments::segments;
use super::window::{Candidate, Window};
use super::{card, email, iban, ipv4, ipv6, overlap, phone, ssn};

/// Where personal data stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// Its first byte.
    pub start: usize,
    /// The byte behind it. Both are character boundaries.
    pub end: usize,
    /// What it is.
    pub entity: Entity,
}

/// Looks for a fixed set of entities. Cheap to make and to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scanner {
    wanted: [bool; Entity::ALL.len()],
}

impl Scanner {
    /// A scanner for these entities. Neither order nor repetition matters.
    #[must_use]
    pub fn new(entities: &[Entity]) -> Self {
        Self { wanted: Entity::ALL.map(|entity| entities.contains(&entity)) }
    }

    /// Every finding in the order of the text, none overlapping.
    ///
    /// Where kinds overlap, the longest stands, then the one of higher rank
    /// (the order of [`Entity::ALL`]), then the first. A finding that crosses a
    /// forced cut of a run longer than [`super::MAX_SEGMENT`] bytes is missed.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        for segment in segments(text).filter(|segment| segment.cut.signals.may_matter()) {
            findings.extend(
                self.search(&Window::new(segment.text, segment.cut.edges)).into_iter().map(
                    |found| Finding {
                        start: segment.start + found.start,
                        end: segment.start + found.end,
                        entity: found.entity,
                    },
                ),
            );
        }
        findings
    }

    /// The findings of one segment.
    pub(super) fn search(&self, window: &Window<'_>) -> Vec<Candidate> {
        let mut all = Vec::new();
        for entity in Entity::ALL {
            if self.wanted.get(entity.rank()) == Some(&true) {
                detector(entity)(window, &mut all);
            }
        }
        if all.len() > 1 { overlap::settle(all) } else { all }
    }
}

fn detector(entity: Entity) -> fn(&Window<'_>, &mut Vec<Candidate>) {
    match entity {
        Entity::CreditCard => card::candidates,
        Entity::Iban => iban::candidates,
        Entity::UsSsn => ssn::candidates,
        Entity::Email => email::candidates,
        Entity::Ipv6 => ipv6::candidates,
        Entity::Ipv4 => ipv4::candidates,
        Entity::Phone => phone::candidates,
    }
}

/// What the tests of the detectors share.
#[cfg(test)]
pub(super) mod checks {
    use super::*;

    /// Claims that a scanner for one entity finds exactly these stretches.
    pub(in super::super) fn check(entity: Entity, text: &str, expected: &[&str]) {
        let found: Vec<&str> = Scanner::new(&[entity])
            .find(text)
            .iter()
            .map(|finding| text.get(finding.start..finding.end).unwrap())
            .collect();
        assert_eq!(found, expected, "in {text:?}");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::texts::text;
    use super::*;

    fn check(text: &str, expected: &[(&str, Entity)]) {
        let found: Vec<_> = Scanner::new(&Entity::ALL)
            .find(text)
            .iter()
            .map(|found| (text.get(found.start..found.end).unwrap(), found.entity))
            .collect();
        assert_eq!(found, expected, "in {text:?}");
    }

    #[test]
    fn every_entity_is_found_in_one_text() {
        check(
            "bob@x.com paid with 4532 0151 1283 0366 from 10.0.0.4, call +1 415 555 0132",
            &[
                ("bob@x.com", Entity::Email),
                ("4532 0151 1283 0366", Entity::CreditCard),
                ("10.0.0.4", Entity::Ipv4),
                ("+1 415 555 0132", Entity::Phone),
            ],
        );
    }

    #[test]
    fn an_address_that_holds_another_finding_wins() {
        check("4532015112830366@x.com", &[("4532015112830366@x.com", Entity::Email)]);
        check("::ffff:10.0.0.4", &[("::ffff:10.0.0.4", Entity::Ipv6)]);
    }

    #[test]
    fn a_scanner_for_nothing_finds_nothing() {
        assert_eq!(Scanner::new(&[]).find("bob@x.com"), []);
    }

    proptest! {
        #[test]
        fn the_order_of_the_entities_does_not_matter(
            text in text(), order in Just(Entity::ALL.to_vec()).prop_shuffle(), count in 0..=7_usize,
        ) {
            let some: Vec<Entity> = order.into_iter().take(count).collect();
            let mut sorted = some.clone();
            sorted.sort();
            prop_assert_eq!(Scanner::new(&some).find(&text), Scanner::new(&sorted).find(&text));
        }

        #[test]
        fn findings_are_ordered_apart_and_cut_no_character(text in text()) {
            let mut last = 0;
            for found in Scanner::new(&Entity::ALL).find(&text) {
                prop_assert!(last <= found.start && found.start < found.end);
                prop_assert!(text.get(found.start..found.end).is_some());
                last = found.end;
            }
        }
    }
}
