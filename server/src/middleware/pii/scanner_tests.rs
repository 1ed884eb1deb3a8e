//! What the scanner finds among several kinds, in which order.

use proptest::prelude::*;

use super::super::plan::Region;
use super::super::texts::{text, tricky};
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

/// What is found when every detector sees every segment.
fn thoroughly(scanner: &Scanner, text: &str) -> Vec<Finding> {
    let segments = Segments::new(text, Needs::anything());
    let found = segments.flat_map(|segment| {
        let written = text.get(..segment.start).unwrap();
        let window = Window::new(segment.text, segment.cut.edges, written, scanner.wanted());
        let mut all = Vec::new();
        for detector in scanner.detectors.iter() {
            (detector.find)(&window, &mut all);
        }
        let found = overlap::settle(all).into_iter();
        found.map(move |found| Finding {
            start: segment.start + found.start,
            end: segment.start + found.end,
            entity: found.entity,
        })
    });
    found.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn nothing_is_stepped_over_that_a_detector_would_find(
        text in prop_oneof![4 => text(), 4 => tricky(), 1 => any::<String>()],
        wanted in prop::sample::subsequence(Entity::ALL.to_vec(), 1..20),
        noise: bool,
    ) {
        let regions = ["US", "DE"].into_iter().filter_map(Region::find).filter(|_| !noise);
        let wanted = Wanted::new(wanted).noise(noise).regions(regions);
        let scanner = Scanner::of(wanted);
        prop_assert_eq!(scanner.find(&text), thoroughly(&scanner, &text));
    }
}

proptest! {
    #[test]
    fn the_order_of_the_entities_does_not_matter(
        text in text(), order in Just(Entity::ALL.to_vec()).prop_shuffle(), count in 0..=20_usize,
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
