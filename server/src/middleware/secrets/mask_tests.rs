//! The shape of every mask.

use super::super::Rules;
use super::*;

fn masker(style: Style) -> Masker {
    Masker::new(Scanner::new(Rules::shared().unwrap()), style)
}

fn token() -> String {
    format!("gh{}{}", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
}

#[test]
fn every_style_has_its_shape() {
    let text = format!("use {}, then password=hunter22", token());
    for (style, expected) in [
        (Style::Redact, "use [REDACTED_GITHUB_KEY], then password=[REDACTED_PASSWORD]"),
        (Style::Mask, "use ****q7R8, then password=****"),
    ] {
        let (masked, counts) = masker(style).mask_text(&text);
        assert_eq!(masked, expected);
        assert_eq!(counts.iter().collect::<Vec<_>>(), [("github", 1), ("password", 1)]);
    }
}

#[test]
fn a_hash_is_the_same_each_time_and_another_with_another_key() {
    let hashed = |key| masker(Style::Hash(key)).mask_text(&token()).0.into_owned();
    let [one, two] =
        [b"0123456789abcdef", b"0123456789abcdeg"].map(|key| HashKey::new(key).unwrap());
    assert_eq!(hashed(one.clone()), hashed(one.clone()));
    assert_ne!(hashed(one.clone()), hashed(two));
    assert!(hashed(one).starts_with("<github_hash:"));
}

#[test]
fn a_text_without_secrets_is_borrowed() {
    let (masked, counts) = masker(Style::Redact).mask_text("nothing to see at 10:30");
    assert!(matches!(masked, Cow::Borrowed(_)));
    assert_eq!(counts, Counts::default());
}

#[test]
fn the_name_of_a_member_counts() {
    let masker = masker(Style::Redact);
    assert_eq!(masker.mask_member("password", "hunter22").0, "[REDACTED_PASSWORD]");
    assert_eq!(masker.mask_member("dbPassword", "open sesame").0, "[REDACTED_PASSWORD]");
    assert_eq!(masker.mask_member("city", "hunter22").0, "hunter22");
    let key = "9f86d081884c7d659a2feaa0c55ad015";
    assert_eq!(masker.mask_member("api_key", key).0, "[REDACTED_SECRET]");
    assert_eq!(masker.mask_member("sha256", key).0, key);
}

#[test]
fn what_is_masked_is_not_masked_again() {
    let text = format!("token: {} and db://bob:hunter22@host", token());
    let key = HashKey::new(b"0123456789abcdef").unwrap();
    for style in [Style::Redact, Style::Mask, Style::Hash(key)] {
        let masker = masker(style);
        let once = masker.mask_text(&text).0.into_owned();
        assert_eq!(masker.mask_text(&once).0, once);
    }
}
