//! The shape of every mask, and that masking is final.

use proptest::prelude::*;

use super::super::needs::Needs;
use super::super::texts::{overlong, pii, text};
use super::*;

fn masker(style: Style) -> Masker {
    Masker::new(Scanner::new(&Entity::ALL), style).keyed(HashKey::new(b"0123456789abcdef").ok())
}

fn check(value: &str, masked: &str, redacted: &str) {
    for (style, expected) in [(Style::Mask, masked), (Style::Redact, redacted)] {
        let text = format!("so {value}, he said");
        let (found, counts) = masker(style).mask_text(&text);
        assert_eq!(found, format!("so {expected}, he said"));
        assert_eq!(counts.total(), 1);
    }
}

#[test]
fn every_entity_has_its_shape() {
    check("user@example.com", "u***@****.com", "[REDACTED_EMAIL]");
    check("4532-0151-1283-0366", "****-****-****-0366", "[REDACTED_CREDIT_CARD]");
    check("4532015112830366", "****-****-****-0366", "[REDACTED_CREDIT_CARD]");
    check("10.0.0.4", "*.*.*.4", "[REDACTED_IP]");
    check("2001:db8::7", "*:*:*:7", "[REDACTED_IP]");
    check("::ffff:10.0.0.4", "*:*:*:4", "[REDACTED_IP]");
    check("+1 (415) 555-0132", "***-***-**32", "[REDACTED_PHONE]");
    check("GB29 NWBK 6016 1331 9268 19", "GB****6819", "[REDACTED_IBAN]");
    check("123-45-6789", "***-**-6789", "[REDACTED_US_SSN]");
}

#[test]
fn a_one_letter_local_part_is_not_shown() {
    check("a@b.org", "***@****.org", "[REDACTED_EMAIL]");
}

#[test]
fn a_text_without_findings_is_borrowed() {
    let (masked, counts) = masker(Style::Mask).mask_text("nothing to see at 10:30 on 2024-05-15");
    assert!(matches!(masked, Cow::Borrowed(_)));
    assert_eq!(counts, Counts::default());
}

#[test]
fn in_an_overlong_run_the_length_stays() {
    let text = format!("{}.bob@x.com/4532-0151-1283-0366/{}", "a/".repeat(600), "b/".repeat(900));
    for style in [Style::Mask, Style::Redact] {
        let (masked, counts) = masker(style).mask_text(&text);
        assert_eq!((masked.len(), counts.total()), (text.len(), 2));
        assert!(masked.contains("/.xxx~x.xxx/~~~~-~~~~-~~~~-~~~~/"));
    }
}

fn is_final(style: Style, text: &str) -> Result<(), TestCaseError> {
    let masker = masker(style);
    let masked = masker.mask_text(text).0.into_owned();
    prop_assert_eq!(masker.scanner().find(&masked), []);
    let (again, counts) = masker.mask_text(&masked);
    prop_assert_eq!(again, masked.as_str());
    prop_assert_eq!(counts.total(), 0);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn masking_is_final(text in text(), style in 0..4_usize) {
        let styles = [Style::Mask, Style::Redact, Style::Hash, Style::Token];
        is_final(styles[style], &text)?;
    }

    #[test]
    fn masking_arbitrary_strings_is_final(text: String, redact: bool) {
        is_final(if redact { Style::Redact } else { Style::Mask }, &text)?;
    }

    #[test]
    fn masking_digits_and_separators_is_final(text in "[0-9@a-fGBx:+(). -]{0,80}", redact: bool) {
        is_final(if redact { Style::Redact } else { Style::Mask }, &text)?;
    }

    #[test]
    fn personal_data_between_words_is_always_masked(value in pii()) {
        let text = format!("so {value} it is");
        let (masked, counts) = masker(Style::Redact).mask_text(&text);
        prop_assert!(counts.total() >= 1);
        prop_assert!(!masked.contains(&value));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn masking_overlong_runs_is_final(text in overlong(), redact: bool) {
        prop_assume!(Segments::new(&text, Needs::anything()).any(|segment| segment.cut.edges.forced));
        is_final(if redact { Style::Redact } else { Style::Mask }, &text)?;
    }
}
