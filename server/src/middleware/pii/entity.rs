//! The kinds of personal data that are looked for, their names, and which of
//! two kinds wins a text both claim.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Declares the kinds: each with its name in configuration, and what it is.
macro_rules! entities {
    ($($(#[$doc:meta])+ $entity:ident = $name:literal,)+) => {
        /// A kind of personal data.
        ///
        /// The order of the variants is the rank: of two overlapping findings of the
        /// same length, the earlier kind wins. Kinds with a checksum come first,
        /// because a text that passes one is least likely to be something else.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        pub enum Entity {
            $($(#[$doc])+ #[serde(rename = $name)] $entity,)+
            /// A kind that the configuration adds: its place there.
            #[serde(skip)]
            Custom(u8),
        }

        impl Entity {
            /// Every kind that is built in, in rank order.
            pub const ALL: [Self; BUILT_IN] = [$(Self::$entity,)+];

            /// The name used in configuration and in counts.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$entity => $name,)+
                    Self::Custom(_) => "custom",
                }
            }

            /// Its place in [`Entity::ALL`]; those of the configuration follow.
            #[inline]
            pub(super) const fn rank(self) -> usize {
                match self {
                    Self::Custom(place) => BUILT_IN + place as usize,
                    $(Self::$entity => Rank::$entity as usize,)+
                }
            }
        }

        /// The kinds as numbers.
        enum Rank {
            $($entity,)+
            /// How many there are.
            Count,
        }

        const BUILT_IN: usize = Rank::Count as usize;
    };
}

entities! {
    /// A payment card number, 12 to 19 digits, Luhn checked.
    CreditCard = "credit_card",
    /// An international bank account number, form and mod 97 checked.
    Iban = "iban",
    /// A US social security number.
    UsSsn = "us_ssn",
    /// An email address.
    Email = "email",
    /// An IPv6 address.
    Ipv6 = "ipv6",
    /// An IPv4 address in dotted decimal form.
    Ipv4 = "ipv4",
    /// A hardware address of a network card.
    MacAddress = "mac_address",
    /// An address on the web.
    Url = "url",
    /// A Bitcoin address, with its checksum.
    BitcoinAddress = "bitcoin_address",
    /// The date on which somebody was born, by the words before it.
    DateOfBirth = "date_of_birth",
    /// Italy: codice fiscale.
    ItFiscalCode = "it_fiscal_code",
    /// China: resident identity number.
    CnId = "cn_id",
    /// India: GST identification number.
    InGstin = "in_gstin",
    /// France: social security number (NIR).
    FrNir = "fr_nir",
    /// Finland: personal identity code (henkilötunnus).
    FiHetu = "fi_hetu",
    /// Germany: pension insurance number.
    DeSvnr = "de_svnr",
    /// Spain: identity number of citizens (DNI, NIF).
    EsNif = "es_nif",
    /// Spain: identity number of foreigners (NIE).
    EsNie = "es_nie",
    /// Spain: social security number.
    EsNuss = "es_nuss",
    /// Singapore: NRIC or FIN.
    SgNric = "sg_nric",
    /// Ireland: personal public service number.
    IePps = "ie_pps",
    /// United Kingdom: national insurance number.
    UkNino = "uk_nino",
    /// United Kingdom: NHS number.
    UkNhs = "uk_nhs",
    /// United Kingdom: unique taxpayer reference.
    UkUtr = "uk_utr",
    /// Germany: number of an identity card or passport.
    DeIdCard = "de_id_card",
    /// Germany: tax identification number.
    DeTaxId = "de_tax_id",
    /// Germany: health insurance number.
    DeHealthInsurance = "de_health_insurance",
    /// Brazil: CPF of persons.
    BrCpf = "br_cpf",
    /// Brazil: CNPJ of companies.
    BrCnpj = "br_cnpj",
    /// Sweden: personal or coordination number.
    SePersonnummer = "se_personnummer",
    /// Belgium: national register number.
    BeNationalNumber = "be_national_number",
    /// Romania: personal numeric code.
    RoCnp = "ro_cnp",
    /// Bulgaria: uniform civil number.
    BgEgn = "bg_egn",
    /// Estonia: personal code.
    EePersonalCode = "ee_personal_code",
    /// Lithuania: personal code.
    LtPersonalCode = "lt_personal_code",
    /// Latvia: personal code.
    LvPersonalCode = "lv_personal_code",
    /// Luxembourg: national identification number.
    LuNin = "lu_nin",
    /// Slovenia: personal number (EMŠO).
    SiEmso = "si_emso",
    /// Czechia and Slovakia: birth number.
    CzBirthNumber = "cz_birth_number",
    /// Poland: PESEL.
    PlPesel = "pl_pesel",
    /// Poland: tax number (NIP).
    PlNip = "pl_nip",
    /// Portugal: tax number (NIF).
    PtNif = "pt_nif",
    /// Greece: social security number (AMKA).
    GrAmka = "gr_amka",
    /// Greece: tax number (AFM).
    GrAfm = "gr_afm",
    /// Hungary: tax number of persons.
    HuTin = "hu_tin",
    /// Austria: social security number.
    AtSsn = "at_ssn",
    /// Netherlands: citizen service number.
    NlBsn = "nl_bsn",
    /// France: tax number.
    FrNif = "fr_nif",
    /// Australia: tax file number.
    AuTfn = "au_tfn",
    /// Australia: Medicare number.
    AuMedicare = "au_medicare",
    /// Australia: business number.
    AuAbn = "au_abn",
    /// Australia: company number.
    AuAcn = "au_acn",
    /// Canada: social insurance number.
    CaSin = "ca_sin",
    /// India: Aadhaar number.
    InAadhaar = "in_aadhaar",
    /// India: permanent account number.
    InPan = "in_pan",
    /// South Korea: resident registration number.
    KrRrn = "kr_rrn",
    /// Thailand: national identity number.
    ThNationalId = "th_national_id",
    /// Turkey: national identity number.
    TrNationalId = "tr_national_id",
    /// South Africa: identity number.
    ZaId = "za_id",
    /// Nigeria: national identification number.
    NgNin = "ng_nin",
    /// US: Medicare beneficiary identifier.
    UsMbi = "us_mbi",
    /// US: individual taxpayer number.
    UsItin = "us_itin",
    /// US: registration number of a prescriber (DEA).
    UsDea = "us_dea",
    /// US: national provider identifier.
    UsNpi = "us_npi",
    /// US: routing number of a bank.
    UsAba = "us_aba",
    /// A telephone number.
    Phone = "phone",
}

/// How many kinds a configuration may add.
pub const MAX_CUSTOM: usize = 16;

/// How many kinds there may be in all.
pub(super) const KINDS: usize = BUILT_IN + MAX_CUSTOM;

impl Entity {
    /// What is looked for when nothing else is said: all but addresses on the
    /// web, in networks' hardware and of wallets, which are often no personal
    /// data and needed by tools.
    pub fn defaults() -> impl Iterator<Item = Self> {
        let rare = [Self::Url, Self::MacAddress, Self::BitcoinAddress, Self::UsAba];
        Self::ALL.into_iter().filter(move |entity| !rare.contains(entity))
    }

    /// The word for it in what replaces it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Ipv4 | Self::Ipv6 => "ip",
            other => other.name(),
        }
    }

    /// Whether some country gives such numbers to people or companies.
    #[must_use]
    pub fn is_national_id(self) -> bool {
        (Self::ItFiscalCode..=Self::UsAba).contains(&self)
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
        let text = error.to_string();
        assert!(
            text.starts_with("`fax` is not one of credit_card, iban, us_ssn, email,"),
            "{text}"
        );
    }
}
