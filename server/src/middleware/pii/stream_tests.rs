//! That a stream shows what the whole text would, and nothing too early.

use proptest::prelude::*;

use super::super::texts::{overlong, text};
use super::super::{Entity, MAX_SEGMENT, Scanner, Style};
use super::*;
use crate::middleware::HashKey;

fn masker() -> Masker {
    styled(Style::Mask)
}

fn styled(style: Style) -> Masker {
    Masker::new(Scanner::new(&Entity::ALL), style).keyed(HashKey::new(b"0123456789abcdef").ok())
}

const STYLES: [Style; 4] = [Style::Mask, Style::Redact, Style::Hash, Style::Token];

/// Feeds `text` in chunks of these many characters, again and again.
fn streamed(masker: &Masker, text: &str, sizes: &[usize]) -> (String, Counts, usize) {
    let mut stream = StreamMasker::new(masker.clone());
    let mut out = String::new();
    let mut held = 0;
    let mut chars = text.chars().peekable();
    let mut sizes = sizes.iter().cycle();
    while chars.peek().is_some() {
        let chunk: String = chars.by_ref().take(*sizes.next().unwrap()).collect();
        out += &stream.push(&chunk);
        held = held.max(stream.held());
    }
    out += &stream.finish();
    (out, stream.counts(), held)
}

fn law(text: &str, sizes: &[usize]) -> Result<(), TestCaseError> {
    same(&masker(), text, sizes)
}

fn same(masker: &Masker, text: &str, sizes: &[usize]) -> Result<(), TestCaseError> {
    let (whole, counts) = masker.mask_text(text);
    let (out, streamed_counts, held) = streamed(masker, text, sizes);
    prop_assert_eq!(out, whole);
    prop_assert_eq!(streamed_counts, counts);
    prop_assert!(held <= MAX_SEGMENT + 4);
    Ok(())
}

#[test]
fn prose_flows_word_by_word() {
    let mut stream = StreamMasker::new(masker());
    let mut shown = String::new();
    let mut fed = String::new();
    for word in "Dear Ms Li, flight HAT001 leaves JFK at 10:30 on 2024-05-15 From gate 12 B. OK?"
        .split_inclusive(' ')
    {
        fed += word;
        shown += &stream.push(word);
        let behind = fed.strip_prefix(&shown).unwrap();
        assert!(behind.split_whitespace().count() <= 2, "{behind:?} is held back");
    }
}

#[test]
fn nothing_of_a_finding_leaves_before_its_end() {
    for value in [
        "bob@example.com",
        "4532 0151 1283 0366",
        "+44 20 7946 0958",
        "GB29 NWBK 6016 1331 9268 19",
    ] {
        let mut stream = StreamMasker::new(masker());
        let shown: String = value.chars().map(|c| stream.push(&c.to_string())).collect();
        assert_eq!(shown, "");
        assert_eq!(stream.push(",\n"), masker().mask_text(&format!("{value},\n")).0);
    }
}

#[test]
fn only_the_word_that_may_go_on_is_held_back() {
    let mut stream = StreamMasker::new(masker());
    assert_eq!(
        stream.push("Write to bob@x.com today, or call 41"),
        "Write to b***@****.com today, or call "
    );
    assert_eq!(stream.push("5 seats"), "415 ");
}

#[test]
fn overlong_runs_are_held_back_up_to_the_bound_only() {
    for text in [
        "7".repeat(60_000),
        "a".repeat(60_000),
        "1 ".repeat(30_000),
        "4532 0151 1283 0366 ".repeat(3_000),
        "a@b.".repeat(10_000),
        "é".repeat(10_000),
    ] {
        law(&text, &[1]).unwrap();
        law(&text, &[MAX_SEGMENT - 1, 3, 70_000]).unwrap();
    }
}

#[test]
fn a_finished_stream_can_begin_again() {
    let mut stream = StreamMasker::new(masker());
    let first = stream.push("bob@x.") + &stream.finish();
    assert_eq!(first + &stream.push("com "), "bob@x.com ");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_stream_shows_what_the_whole_text_would(
        text in text(), sizes in prop::collection::vec(1_usize..9, 1..6),
    ) {
        law(&text, &sizes)?;
        law(&text, &[1])?;
    }

    #[test]
    fn so_it_does_whatever_takes_the_place_of_a_finding(
        text in text(), sizes in prop::collection::vec(1_usize..9, 1..6), style in 0..4_usize,
    ) {
        same(&styled(STYLES[style]), &text, &sizes)?;
    }

    #[test]
    fn and_with_words_before_numbers(
        parts in prop::collection::vec(prop_oneof![
            Just("ssn "), Just("my phone is "), Just("PESEL: "), Just("born on "), Just("nhs, "),
            Just("078051121 "), Just("44051401359, "), Just("1.2.1990 "), Just("943 476 5919\n"),
            Just("450 0840; "), Just("bob@x.com "), Just("a long word in between "),
        ], 0..12),
        sizes in prop::collection::vec(1_usize..9, 1..6), style in 0..4_usize,
    ) {
        let text: String = parts.concat();
        let masker = styled(STYLES[style]);
        same(&masker, &text, &sizes)?;
        let masked = masker.mask_text(&text).0.into_owned();
        prop_assert_eq!(masker.scanner().find(&masked), []);
    }

    #[test]
    fn so_it_does_for_arbitrary_strings(text: String, sizes in prop::collection::vec(1_usize..9, 1..6)) {
        law(&text, &sizes)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn so_it_does_for_overlong_runs(
        text in overlong(), sizes in prop::collection::vec(1_usize..900, 1..6),
    ) {
        law(&text, &sizes)?;
    }
}
