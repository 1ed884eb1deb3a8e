//! That a stream shows what the whole text would, and nothing too early.

use super::super::block::MAX_BLOCK;
use super::super::cutter::MAX_RUN;
use super::super::texts::{block, overlong, text};
use super::super::{Rules, Scanner, Style};
use super::*;
use proptest::prelude::*;

fn masker() -> Masker {
    Masker::new(Scanner::new(Rules::shared().unwrap()), Style::Redact)
}

/// Feeds `text` in chunks of these many characters, again and again.
fn streamed(text: &str, sizes: &[usize]) -> (String, Counts, usize) {
    let mut stream = StreamMasker::new(masker());
    let (mut out, mut held) = (String::new(), 0);
    let mut chars = text.chars().peekable();
    let mut sizes = sizes.iter().cycle();
    while chars.peek().is_some() {
        let chunk: String = chars.by_ref().take(*sizes.next().unwrap()).collect();
        out += &stream.push(&chunk);
        held = held.max(stream.held());
    }
    out += &stream.finish();
    (out, stream.counts().clone(), held)
}

fn law(text: &str, sizes: &[usize]) -> Result<(), TestCaseError> {
    let (whole, counts) = masker().mask_text(text);
    let (out, streamed_counts, held) = streamed(text, sizes);
    prop_assert_eq!(out, whole);
    prop_assert_eq!(streamed_counts, counts);
    prop_assert!(held <= MAX_BLOCK + MAX_RUN);
    Ok(())
}

#[test]
fn prose_flows_word_by_word() {
    let mut stream = StreamMasker::new(masker());
    let (mut shown, mut fed) = (String::new(), String::new());
    for word in
        "Dear Ms Li, it's at 10:30 on 2024-05-15 at gate 12; is that OK?".split_inclusive(' ')
    {
        fed += word;
        shown += &stream.push(word);
        let behind = fed.strip_prefix(&shown).unwrap();
        assert!(behind.split_whitespace().count() <= 1, "{behind:?} is held back");
    }
}

#[test]
fn a_quoted_value_that_a_stream_would_cut_ends_at_the_first_white_space() {
    // Another quote is still open where this one begins, and is given up behind it.
    let text = format!("x=`{}\"password\": \"rkdyg azyovs\" more", "y".repeat(100));
    let masked = masker().mask_text(&text).0.into_owned();
    assert!(masked.ends_with("\"password\": \"[REDACTED_PASSWORD] azyovs\" more"), "{masked}");
    assert_eq!(streamed(&text, &[1]).0, masked);
}

#[test]
fn nothing_of_a_secret_leaves_before_its_end() {
    let token = format!("gh{}{}", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let key = block("a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    for secret in [token.as_str(), key.as_str()] {
        let mut stream = StreamMasker::new(masker());
        let shown: String = secret.chars().map(|c| stream.push(&c.to_string())).collect();
        assert_eq!(shown, "");
        assert!(
            stream.push(" .").starts_with("[REDACTED_")
                || stream.finish().starts_with("[REDACTED_")
        );
    }
}

#[test]
fn what_left_still_names_what_comes() {
    let mut stream = StreamMasker::new(masker());
    assert_eq!(stream.push("the api_key is "), "the api_key is ");
    let value = "9f86d081884c7d659a2feaa0c55ad015";
    assert_eq!(stream.push(value) + &stream.finish(), "[REDACTED_SECRET]");
}

#[test]
fn overlong_runs_are_held_back_up_to_the_bound_only() {
    for text in ["a".repeat(20_000), "key=9f86d081/".repeat(1000), "é".repeat(10_000)] {
        law(&text, &[7]).unwrap();
        law(&text, &[MAX_RUN - 1, 3, 70_000]).unwrap();
    }
}

#[test]
fn a_finished_stream_can_begin_again() {
    let mut stream = StreamMasker::new(masker());
    let first = stream.push("my api_key = ") + &stream.finish();
    let second = stream.push("9f86d081884c7d659a2feaa0c55ad015") + &stream.finish();
    assert_eq!(first + &second, "my api_key = 9f86d081884c7d659a2feaa0c55ad015");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_stream_shows_what_the_whole_text_would(
        text in text(), sizes in prop::collection::vec(1_usize..9, 1..6),
    ) {
        law(&text, &sizes)?;
        law(&text, &[1])?;
    }

    #[test]
    fn so_it_does_for_arbitrary_strings(text: String, sizes in prop::collection::vec(1_usize..9, 1..6)) {
        law(&text, &sizes)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn so_it_does_for_overlong_texts(
        text in overlong(), sizes in prop::collection::vec(1_usize..900, 1..6),
    ) {
        law(&text, &sizes)?;
    }
}
