//! What is found and what is not.

use super::super::texts::{overlong, text};
use super::*;
use proptest::prelude::*;

fn scanner() -> Scanner {
    Scanner::new(Rules::shared().unwrap())
}

fn check(text: &str, expected: &[(&str, &str)]) {
    let scanner = scanner();
    let found: Vec<_> = scanner
        .find(text)
        .iter()
        .map(|found| (text.get(found.start..found.end).unwrap(), found.service))
        .collect();
    assert_eq!(found, expected, "in {text:?}");
}

/// Hexadecimal digits that no service gave out.
const HEX: &str = "9f86d081884c7d659a2feaa0c55ad015";

#[test]
fn keys_of_at_least_two_hundred_services_are_known() {
    assert!(Rules::shared().unwrap().services() >= 200);
}

#[test]
fn every_rule_finds_a_token_of_its_own_form() {
    let rules = Rules::shared().unwrap();
    let scanner = scanner();
    let mut state = 1_usize;
    for index in 0..rules.tokens() {
        let rule = rules.token(u16::try_from(index).unwrap()).unwrap();
        let token = rule.pattern.sample(|count| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % count
        });
        let near: String = rule.near.iter().map(|word| String::from_utf8_lossy(word)).collect();
        let text = format!("{near} {token} .");
        let found = scanner.find(&text);
        assert!(!found.is_empty(), "{} in {text}", rules.service(rule.service));
    }
}

#[test]
fn a_value_is_found_by_what_names_it_however_it_is_assigned() {
    for (before, after) in [
        ("api_key = \"", "\""),
        ("apiKey: '", "',"),
        ("API_KEY=", "\n"),
        ("{\"access_token\": \"", "\"}"),
        ("secret := `", "`"),
        ("setProperty(\"MY_TOKEN\", \"", "\")"),
        ("<token>\n  ", "\n</token>"),
        ("X-Api-Key: ", "\r\n"),
        ("Authorization: Bearer ", "\""),
        ("https://x.org/?access_token=", "&a=b"),
        ("--token ", " --verbose"),
        ("$token .= \"", "\";"),
        ("  - name: MY_TOKEN\n    value: \"", "\""),
        ("{\\\"token\\\": \\\"", "\\\"}"),
    ] {
        check(&format!("{before}{HEX}{after}"), &[(HEX, "generic")]);
    }
}

#[test]
fn the_name_of_a_service_says_whose_it_is() {
    check(&format!("netlify {HEX}"), &[(HEX, "netlify")]);
    check(&format!("FASTLY_API_TOKEN={HEX}"), &[(HEX, "fastly")]);
    // `linear` means other things too.
    check(&format!("linear {HEX}"), &[]);
    check(&format!("linear_key={HEX}"), &[(HEX, "linear")]);
}

#[test]
fn passwords_are_found_where_they_are_assigned() {
    check("password = \"hunter2\"", &[("hunter2", "password")]);
    check("DB_PASSWORD=hunter\n", &[("hunter", "password")]);
    check("'passwd': 'open sesame',", &[("open sesame", "password")]);
    check("the password is hunter2, he said", &[("hunter2", "password")]);
    check("mysql://bob:hunter2@db/x", &[("bob:hunter2", "login")]);
    check("curl -u bob:hunter2 https://x.org", &[("bob:hunter2", "login")]);
    check("Server=db;User ID=sa;Password=#gets0m3;Timeout=3", &[("#gets0m3", "password")]);
}

#[test]
fn what_only_stands_for_a_secret_is_not_found() {
    for text in [
        "password = changeme",
        "api_key: ${API_KEY}",
        "token = \"<your token>\"",
        "password = os.environ[\"DB_PASSWORD\"]",
        "secret: xxxxxxxxxxxxxxxxxxxxxxxx",
        "password: string",
        "Enter your password: ",
        "passwords=4, tokens=12, keys=3",
        "curl -u user:password https://x.org",
        "token=[REDACTED_SECRET]",
    ] {
        check(text, &[]);
    }
}

#[test]
fn what_looks_random_without_a_name_is_not_found() {
    for text in [
        format!("commit {HEX}0000ffff"),
        format!("  \"integrity\": \"sha512-{HEX}{HEX}==\","),
        format!("checksum = \"{HEX}{HEX}\""),
        "id: 123e4567-e89b-12d3-a456-426614174000".to_owned(),
        format!("data:image/png;base64,{}", HEX.repeat(20)),
        format!("\"publicKey\": \"{HEX}\""),
        format!("key_id = \"{HEX}\""),
        format!("csrf_token\" value=\"{HEX}\""),
    ] {
        check(&text, &[]);
    }
}

#[test]
fn keys_that_are_published_as_examples_are_not_found() {
    let example = format!("AK{}IOSFODNN7EXAMPLE", "IA");
    check(&format!("aws_access_key_id = {example}"), &[]);
    let example = format!("sk_{}_4eC39HqLyjWDarjtT1zdp7dc", "test");
    check(&example, &[]);
}

/// What is found when all of the text is searched.
fn ungated(text: &str) -> Vec<Candidate> {
    let rules = Rules::shared().unwrap();
    let mut all = Vec::new();
    for (start, view) in regions(text) {
        let mut search = Search::new(&rules, &view, 0);
        rules.search(view.text, 0..view.text.len(), |needle, hit| search.hit(needle, hit));
        all.extend(settle(search.found).into_iter().map(|found| Candidate {
            span: start + found.span.start..start + found.span.end,
            ..found
        }));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nothing_is_missed_by_what_is_passed_over(text in text()) {
        prop_assert_eq!(scanner().candidates(&text), ungated(&text));
    }

    #[test]
    fn findings_are_ordered_apart_and_cut_no_character(text in text()) {
        let mut last = 0;
        let scanner = scanner();
        for found in scanner.find(&text) {
            prop_assert!(last <= found.start && found.start < found.end);
            prop_assert!(text.get(found.start..found.end).is_some());
            last = found.end;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn nor_in_overlong_texts(text in overlong()) {
        prop_assert_eq!(scanner().candidates(&text), ungated(&text));
    }
}
