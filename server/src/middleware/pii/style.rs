//! What stands in the place of a finding.

use super::chars::is_at;
use super::entity::Entity;
use crate::middleware::HashKey;

/// What stands in the place of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// A shape that shows the kind and little more: `****-****-****-0366`,
    /// `u***@****.com`, `*.*.*.4`.
    Mask,
    /// The kind only: `[REDACTED_EMAIL]`.
    Redact,
    /// A pseudonym, the same for the same value: `<email_hash:…>`.
    Hash,
    /// A token that can be given back: `<EMAIL_1>`.
    Token,
}

/// A value as it is compared: however it is written, one value has one form.
fn normal_form(entity: Entity, value: &str) -> String {
    match entity {
        Entity::Email => value.replace('\u{ff20}', "@").to_lowercase(),
        Entity::Ipv4 | Entity::Ipv6 => match value.parse::<std::net::IpAddr>() {
            Ok(address) => address.to_canonical().to_string(),
            Err(_) => value.to_lowercase(),
        },
        Entity::Url | Entity::BitcoinAddress | Entity::Custom(_) => value.to_owned(),
        Entity::Phone => {
            let plus = if value.starts_with('+') { "+" } else { "" };
            let digits: String = value.chars().filter(char::is_ascii_digit).collect();
            format!("{plus}{digits}")
        }
        Entity::DateOfBirth => value.to_uppercase(),
        _ => {
            let kept = value.chars().filter(char::is_ascii_alphanumeric);
            kept.map(|c| c.to_ascii_uppercase()).collect()
        }
    }
}

/// The name of a kind in capitals, as masks have it.
pub(super) fn capitals(name: &str) -> String {
    let capital = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    name.chars().map(capital).collect()
}

/// [`Style::Redact`]. Holds no digit of its own, so that it cannot become part of
/// a number beside it.
pub(super) fn redact(name: &str, out: &mut String) {
    out.push_str("[REDACTED_");
    out.push_str(&capitals(name));
    out.push(']');
}

/// [`Style::Hash`].
pub(super) fn hash(key: &HashKey, entity: Entity, name: &str, value: &str, out: &mut String) {
    out.push('<');
    out.push_str(name);
    out.push_str("_hash:");
    out.push_str(&key.pseudonym(&normal_form(entity, value)));
    out.push('>');
}

/// [`Style::Mask`].
///
/// A mask ends with the last character of the value, so that the text behind it
/// is cut and read as before.
pub(super) fn mask(entity: Entity, value: &str, out: &mut String) {
    match entity {
        Entity::Email => mask_email(value, out),
        Entity::CreditCard => {
            out.push_str("****-****-****-");
            push_last(value, 4, char::is_ascii_digit, out);
        }
        Entity::UsSsn => {
            out.push_str("***-**-");
            push_last(value, 4, char::is_ascii_digit, out);
        }
        Entity::Phone => {
            out.push_str("***-***-**");
            push_last(value, 2, char::is_ascii_digit, out);
        }
        Entity::Iban => {
            out.extend(value.chars().take(2));
            out.push_str("****");
            push_last(value, 4, char::is_ascii_alphanumeric, out);
        }
        Entity::Ipv4 => {
            out.push_str("*.*.*.");
            out.push_str(value.rsplit('.').next().unwrap_or_default());
        }
        Entity::Ipv6 => {
            out.push_str("*:*:*:");
            out.push_str(value.rsplit([':', '.']).next().unwrap_or_default());
        }
        Entity::MacAddress => {
            out.push_str("**:**:**:**:**:");
            push_last(value, 2, char::is_ascii_hexdigit, out);
        }
        Entity::DateOfBirth => out.push_str("****-**-**"),
        Entity::Url => out.push_str("[MASKED_URL]"),
        _ => {
            out.push_str("****");
            push_last(value, 4, char::is_ascii_alphanumeric, out);
        }
    }
}

/// The first character of the local part, unless that is all of it, and the
/// top-level domain.
fn mask_email(value: &str, out: &mut String) {
    let (local, domain) = value.rsplit_once(is_at).unwrap_or_default();
    let mut local = local.chars();
    let first = local.next();
    out.extend(first.filter(|_| local.next().is_some()));
    out.push_str("***@****.");
    out.push_str(domain.rsplit('.').next().unwrap_or_default());
}

/// The last characters that count; nothing of a value that is hardly longer.
fn push_last(value: &str, count: usize, counts: fn(&char) -> bool, out: &mut String) {
    let total = value.chars().filter(counts).count();
    if total >= count + 2 {
        out.extend(value.chars().filter(counts).skip(total - count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashed(entity: Entity, value: &str) -> String {
        let mut out = String::new();
        let key = HashKey::new(b"0123456789abcdef").unwrap();
        hash(&key, entity, entity.label(), value, &mut out);
        out
    }

    #[test]
    fn one_value_has_one_pseudonym_however_it_is_written() {
        for (entity, one, other) in [
            (Entity::CreditCard, "4532 0151 1283 0366", "4532-0151-1283-0366"),
            (Entity::Email, "Bob@X.com", "bob@x.com"),
            (Entity::Iban, "GB29 NWBK 6016 1331 9268 19", "gb29nwbk60161331926819"),
            (Entity::Ipv6, "2001:db8::7", "2001:0DB8:0::0007"),
            (Entity::Phone, "+1 (415) 555-0132", "+14155550132"),
        ] {
            assert_eq!(hashed(entity, one), hashed(entity, other));
        }
    }
}
