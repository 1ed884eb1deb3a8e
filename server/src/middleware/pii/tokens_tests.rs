//! That tokens are stable, give back what they stand for, also piece by piece.

use super::*;
use proptest::prelude::*;
use std::sync::Arc;

fn two() -> Tokens {
    let mut tokens = Tokens::default();
    assert_eq!(tokens.token("email", "bob@x.com").unwrap(), "<EMAIL_1>");
    assert_eq!(tokens.token("email", "ada@x.com").unwrap(), "<EMAIL_2>");
    tokens
}

#[test]
fn a_value_keeps_its_token_also_when_the_state_was_written_and_read() {
    let mut tokens = Tokens::read(Some(two().write()));
    assert!(!tokens.has_grown());
    assert_eq!(tokens.token("email", "ada@x.com").unwrap(), "<EMAIL_2>");
    assert_eq!(tokens.token("phone", "ada@x.com").unwrap(), "<PHONE_1>");
    assert!(tokens.has_grown());
}

#[test]
fn only_tokens_of_the_run_are_given_back() {
    let text = "<EMAIL_2> and <EMAIL_3>, <EMAIL_0>, <EMAIL_1 >, <<EMAIL_1>>, <b>";
    let expected = "ada@x.com and <EMAIL_3>, <EMAIL_0>, <EMAIL_1 >, <bob@x.com>, <b>";
    assert_eq!(two().restore(text).as_deref(), Some(expected));
    assert_eq!(two().restore("a < b, <EMAIL>"), None);
}

#[test]
fn frozen_tokens_give_no_new_ones() {
    let mut frozen = two().freeze();
    assert_eq!(frozen.token("email", "eve@x.com"), None);
    assert_eq!(frozen.token("email", "bob@x.com").as_deref(), Some("<EMAIL_1>"));
}

#[test]
fn the_values_are_never_shown_by_debug() {
    let tokens = two();
    assert!(!format!("{tokens:?}").contains("bob"));
    let mut stream = TokenStream::new(Arc::new(tokens));
    assert_eq!(stream.push("so <EMA"), "so ");
    assert!(!format!("{stream:?}").contains("EMA"));
}

proptest! {
    #[test]
    fn a_stream_gives_back_what_the_whole_text_would(
        parts in prop::collection::vec(prop_oneof![
            Just("<EMAIL_1>".to_owned()), Just("<EMAIL_2>".to_owned()), Just("<EMAIL_9>".to_owned()),
            "[<>A-Z_0-9é ]{0,12}", Just(format!("<{}", "A".repeat(200))),
        ], 0..8),
        sizes in prop::collection::vec(1_usize..7, 1..5),
    ) {
        let text = parts.concat();
        let mut stream = TokenStream::new(Arc::new(two()));
        let mut shown = String::new();
        let mut chars = text.chars().peekable();
        let mut sizes = sizes.iter().cycle();
        while chars.peek().is_some() {
            let chunk: String = chars.by_ref().take(*sizes.next().unwrap()).collect();
            shown += &stream.push(&chunk);
            prop_assert!(stream.held() <= MAX_TOKEN);
        }
        shown += &stream.finish();
        prop_assert_eq!(shown, two().restore(&text).unwrap_or(text));
    }
}
