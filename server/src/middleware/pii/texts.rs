//! Texts for the property tests: personal data of every kind, near misses,
//! and what stands around it.

use proptest::prelude::*;

use super::chars::{Class, class};

/// One piece of personal data.
pub(super) fn pii() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,8}([._+-][a-z0-9]{1,6})?@[a-z]{1,8}(\\.[a-z]{2,5}){1,2}",
        card(),
        iban(),
        "[1-578][0-9]{2}([ .-])[1-9]{2}x[1-9]{4}".prop_map(|ssn| {
            let sep = ssn.get(3..4).unwrap().to_owned();
            ssn.replace('x', &sep)
        }),
        "[1-9][0-9]?\\.[1-9]?[0-9]\\.1?[0-9]\\.[1-9][0-9]?",
        "[1-9a-f][0-9a-f]{3}(:[1-9a-f][0-9]{3}){7}",
        "2001:db8::[1-9a-f]{1,4}",
        "\\+44 [1-9][0-9] [0-9]{4} [0-9]{4}",
        "\\([2-9][0-9]{2}\\) [2-9][0-9]{2}-[0-9]{4}",
        "0[1-9][0-9] [0-9]{4} [0-9]{4}",
    ]
}

fn card() -> impl Strategy<Value = String> {
    ("4[0-9]{14}", prop_oneof![Just(""), Just(" "), Just("-"), Just("\u{a0}")]).prop_filter_map(
        "equal digits",
        |(body, sep)| {
            let sum: u32 = body
                .chars()
                .filter_map(|c| c.to_digit(10))
                .enumerate()
                .map(|(i, d)| if i % 2 == 0 { d * 2 / 10 + d * 2 % 10 } else { d })
                .sum();
            let card = format!("{body}{}", (10 - sum % 10) % 10);
            let groups: Vec<&str> = (0..4).filter_map(|i| card.get(i * 4..i * 4 + 4)).collect();
            groups.iter().any(|group| *group != "4444").then(|| groups.join(sep))
        },
    )
}

fn iban() -> impl Strategy<Value = String> {
    ("[0-9]{18}", prop_oneof![Just(""), Just(" ")]).prop_map(|(body, sep)| {
        // `DE00` behind the body, as the checksum wants it.
        let rest = format!("{body}131400")
            .bytes()
            .fold(0, |rest, b| (rest * 10 + u32::from(b - b'0')) % 97);
        let iban = format!("DE{:02}{body}", 98 - rest);
        let groups: Vec<&str> =
            (0..6).filter_map(|i| iban.get(i * 4..(i * 4 + 4).min(iban.len()))).collect();
        groups.join(sep)
    })
}

/// What looks like personal data and is none, or may become some.
fn near_miss() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,20}",
        "([0-9]{1,4}[ .-]){1,6}",
        "[0-9+( )-]{1,12}",
        "[A-Z]{2}[0-9]{2}( [A-Z0-9]{4}){0,4}",
        "[a-zé.]{0,4}[@\u{ff20}][a-zé.]{0,6}",
        "[0-9a-f:.]{1,12}",
        "~{1,3}|\\*{1,3}|\\[REDACTED_IP\\]|\\*\\.\\*\\.\\*\\.4|\\*\\*\\*-\\*\\*-6789",
    ]
}

fn filler() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,9}",
        "[A-Z]{1,5}",
        "[ .,;:/\"'()<>=-]{1,2}",
        Just(" ".to_owned()),
        Just("\n".to_owned()),
        Just("\u{a0}".to_owned()),
        "[é谢😀\u{301}\u{200b}–€]",
        any::<char>().prop_map(String::from),
    ]
}

/// A text of all of these.
pub(super) fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof![pii(), near_miss(), filler(), filler()], 0..12)
        .prop_map(|parts| parts.concat())
}

/// A text of the characters that decide where a segment ends and what may be in it.
pub(super) fn tricky() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => "[0-9]{1,5}",
        3 => "[0-9a-fA-F:.@ -]{1,8}",
        2 => "[ .:@,-]",
        2 => "[A-Zab]{1,2}",
        1 => "[+()/'~\n\u{a0}\u{2011}\u{ff20}\u{ff0c}é谢]",
        1 => "bob@x\\.com|1\\.2\\.3\\.4|::|www\\.x\\.org|aa-bb-cc-dd-ee-ff|0012\\.3456\\.789a",
        1 => "phone |born |ssn: |tax id ",
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

/// A text with runs over the longest segment: either without any space, or
/// with spaces inside numbers only.
pub(super) fn overlong() -> impl Strategy<Value = String> {
    let dense = (prop::collection::vec(prop_oneof![pii(), near_miss()], 150..400), "[./x5-]")
        .prop_map(|(parts, glue)| {
            let goes_on =
                |c: char| !matches!(class(c), Class::Joiner | Class::Space | Class::Break);
            parts.join(&glue).chars().map(|c| if goes_on(c) { c } else { '-' }).collect()
        });
    let number = prop_oneof![card(), iban(), "[0-9]{1,19}", "\\+44 [1-9][0-9] [0-9]{4} [0-9]{4}"];
    let spaced = prop::collection::vec(number, 150..400).prop_map(|parts| parts.join(" "));
    prop_oneof![dense, spaced]
}
