//! Texts for the property tests: secrets of many kinds, near misses, and what
//! stands around them. Put together here, so that no scanner takes them for
//! leaks.

use proptest::prelude::*;

/// One secret with what tells it.
pub(super) fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9A-Za-z]{36}".prop_map(|body| format!("gh{}{body}", "p_")),
        "[0-9A-Z]{16}".prop_map(|body| format!("AK{}{body}", "IA")),
        "[0-9a-f]{32}".prop_map(|body| format!("api_key = \"{body}\"")),
        "[0-9a-f]{32}".prop_map(|body| format!("<netlifyToken>\n  {body}\n</netlifyToken>")),
        "[a-z]{3,6}[0-9]{2}!".prop_map(|word| format!("password: {word}")),
        "[a-z]{3,6} [a-z]{3,6}".prop_map(|words| format!("\"password\": \"{words}\"")),
        "[a-z]{3,6}:[a-z0-9]{6,9}".prop_map(|pair| format!("db://{pair}@host/x")),
        "[0-9A-Za-z]{14}".prop_map(|body| format!("{}.eyJ{body}.{body}", "eyJhbGciOiJI")),
        "[0-9A-Za-z+/]{40,90}".prop_map(|body| block(&body)),
    ]
}

/// A private key.
pub(super) fn block(body: &str) -> String {
    let dashes = "-".repeat(5);
    format!("{dashes}BEGIN PRIVATE KEY{dashes}\n{body}\n{body}=\n{dashes}END PRIVATE KEY{dashes}")
}

/// What looks like a secret or its name, and may become one.
fn near_miss() -> impl Strategy<Value = String> {
    prop_oneof![
        "(api|my)?[_ -]?(key|token|secret|pass|password)s?",
        "[=:\"'`>,( ]{1,4}",
        "[0-9a-f]{4,20}",
        "[0-9A-Za-z_-]{8,40}",
        "-----(BEGIN|END) ?(PRIVATE)? ?(KEY)?(-----)?",
        "\\*{4}|\\[REDACTED_SECRET\\]|\\$\\{x\\}|\\\\n",
        "github|netlify|sentry",
        "Basic [0-9A-Za-z]{8,20}",
        "://[a-z:@]{1,9}",
    ]
}

fn filler() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,9}",
        "[ .,;:/\"'()<>=-]{1,2}",
        Just(" ".to_owned()),
        Just("\n".to_owned()),
        "[é谢😀\u{301}–€\u{a0}]",
        any::<char>().prop_map(String::from),
    ]
}

/// A text of all of these.
pub(super) fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof![secret(), near_miss(), filler(), filler()], 0..14)
        .prop_map(|parts| parts.concat())
}

/// A text with runs over the longest, and with much between name and value.
pub(super) fn overlong() -> impl Strategy<Value = String> {
    let dense = prop::collection::vec(prop_oneof![secret(), near_miss()], 300..600)
        .prop_map(|parts| parts.concat().replace(char::is_whitespace, "/"));
    let sparse = prop::collection::vec(prop_oneof![secret(), near_miss(), filler()], 100..400)
        .prop_map(|parts| parts.concat());
    (text(), prop_oneof![dense, sparse], text()).prop_map(|(a, b, c)| a + &b + &c)
}
