//! What others wrote, before it is logged or reported: without the secrets and the
//! personal data that it may quote.
//!
//! An error of a middleware often quotes what it was about.

use crate::middleware::{pii, secrets};
use std::{borrow::Cow, sync::LazyLock};

/// Finds what is known to be secret or personal, whatever the configuration looks
/// for. Made when first something goes wrong.
struct Redaction {
    secrets: Option<secrets::Masker>,
    personal: pii::Masker,
}

static REDACTION: LazyLock<Redaction> = LazyLock::new(|| {
    let rules = secrets::Rules::shared().ok();
    let secrets = rules.map(secrets::Scanner::new);
    let personal = pii::Scanner::of(pii::Wanted::new(pii::Entity::defaults()));
    Redaction {
        secrets: secrets.map(|scanner| secrets::Masker::new(scanner, secrets::Style::Redact)),
        personal: pii::Masker::new(personal, pii::Style::Redact),
    }
});

/// A text of unknown origin, with the kind of each secret and personal datum in its
/// place.
pub(crate) fn redacted(text: String) -> String {
    let Redaction { secrets, personal } = &*REDACTION;
    // Without its rules nothing can be told from a secret.
    let Some(secrets) = secrets else { return "[REDACTED]".to_owned() };
    let without = match secrets.mask_text(&text).0 {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => masked,
    };
    match personal.mask_text(&without).0 {
        Cow::Borrowed(_) => without,
        Cow::Owned(masked) => masked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_personal_data_are_named_and_the_rest_stays() {
        let token = format!("gh{}A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "p_");
        let text =
            format!("cannot read {{\"to\":\"ada@example.com\",\"key\":\"{token}\"}} at line 3");
        assert_eq!(
            redacted(text),
            "cannot read {\"to\":\"[REDACTED_EMAIL]\",\"key\":\"[REDACTED_GITHUB_KEY]\"} at line 3"
        );
    }
}
