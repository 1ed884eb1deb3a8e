//! The kinds of personal data that are looked for, their names, and which of
//! two kinds wins a text both claim.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A kind of personal data.
///
/// The order of the variants is the rank: of two overlapping findings of the
/// same length, the earlier kind wins. Kinds with a checksum come first,
/// because a text that passes one is least likely to be something else.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Entity {
    /// A payment card number, 13 to 19 digits, Luhn checked.
    CreditCard,
    /// An international bank account number, length and mod 97 checked.
    Iban,
    /// A US social security number in three groups.
    UsSsn,
    /// An email address.
    Email,
    /// An IPv6 address.
    Ipv6,
    /// An IPv4 address in dotted decimal form.
    Ipv4,
    /// A telephone number, international or in a common national grouping.
    Phone,
}

impl Entity {
    /// Every kind, in rank order.
    pub const ALL: [Self; 7] = [
        Self::CreditCard,
        Self::Iban,
        Self::UsSsn,
        Self::Email,
        Self::Ipv6,
        Self::Ipv4,
        Self::Phone,
    ];

    /// The name used in configuration and in counts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CreditCard => "credit_card",
            Self::Iban => "iban",
            Self::UsSsn => "us_ssn",
            Self::Email => "email",
            Self::Ipv6 => "ipv6",
            Self::Ipv4 => "ipv4",
            Self::Phone => "phone",
        }
    }

    /// What [`super::Style::Redact`] puts in its place. Holds no digit, so
    /// that it cannot become part of a number beside it.
    #[must_use]
    pub const fn redaction(self) -> &'static str {
        match self {
            Self::CreditCard => "[REDACTED_CREDIT_CARD]",
            Self::Iban => "[REDACTED_IBAN]",
            Self::UsSsn => "[REDACTED_US_SSN]",
            Self::Email => "[REDACTED_EMAIL]",
            Self::Ipv6 | Self::Ipv4 => "[REDACTED_IP]",
            Self::Phone => "[REDACTED_PHONE]",
        }
    }

    /// Its place in [`Entity::ALL`].
    pub(super) const fn rank(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no [`Entity`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEntity(String);

impl fmt::Display for UnknownEntity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not one of", self.0)?;
        for (i, entity) in Entity::ALL.into_iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma} {entity}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownEntity {}

impl FromStr for Entity {
    type Err = UnknownEntity;

    fn from_str(name: &str) -> Result<Self, UnknownEntity> {
        Self::ALL
            .into_iter()
            .find(|entity| entity.name() == name)
            .ok_or_else(|| UnknownEntity(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_entity() {
        for (place, entity) in Entity::ALL.into_iter().enumerate() {
            assert_eq!(entity.name().parse(), Ok(entity));
            assert_eq!(entity.rank(), place);
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let Err(error) = "fax".parse::<Entity>() else {
            panic!("fax is not an entity");
        };
        assert_eq!(
            error.to_string(),
            "`fax` is not one of credit_card, iban, us_ssn, email, ipv6, ipv4, phone"
        );
    }
}
