//! What the data calls the kinds of personal data that `pii` knows.

use crate::middleware::pii::Entity;

/// The kinds that a name in the data stands for; none for what is not looked for.
pub(super) fn kinds(name: &str) -> &'static [Entity] {
    match name {
        "EMAIL_ADDRESS" => &[Entity::Email],
        "CREDIT_CARD" => &[Entity::CreditCard],
        "IBAN_CODE" => &[Entity::Iban],
        "US_SSN" => &[Entity::UsSsn],
        "IP_ADDRESS" => &[Entity::Ipv6, Entity::Ipv4],
        "PHONE_NUMBER" => &[Entity::Phone],
        "MAC_ADDRESS" => &[Entity::MacAddress],
        "URL" => &[Entity::Url],
        _ => national(name),
    }
}

fn national(name: &str) -> &'static [Entity] {
    NAMES
        .iter()
        .find(|(known, _)| *known == name)
        .map_or(&[], |(_, entity)| std::slice::from_ref(entity))
}

const NAMES: [(&str, Entity); 69] = [
    ("ABA_ROUTING_NUMBER", Entity::UsAba),
    ("AUSTRALIAN_MEDICARE_CHECKSUM", Entity::AuMedicare),
    ("AUSTRALIAN_TFN_CHECKSUM", Entity::AuTfn),
    ("AUSTRIAN_SSN_CHECKSUM", Entity::AtSsn),
    ("AU_ABN", Entity::AuAbn),
    ("AU_ACN", Entity::AuAcn),
    ("AU_MEDICARE", Entity::AuMedicare),
    ("AU_TFN", Entity::AuTfn),
    ("BELGIUM_NATIONAL_REGISTER_CHECKSUM", Entity::BeNationalNumber),
    ("BRAZILIAN_CNPJ_CHECKSUM", Entity::BrCnpj),
    ("BRAZILIAN_CPF_CHECKSUM", Entity::BrCpf),
    ("BULGARIAN_EGN_CHECKSUM", Entity::BgEgn),
    ("CA_SIN", Entity::CaSin),
    ("CHINESE_ID_CHECKSUM", Entity::CnId),
    ("COORDINATION_NUMBER_CHECKSUM", Entity::SePersonnummer),
    ("DE_HEALTH_INSURANCE", Entity::DeHealthInsurance),
    ("DE_SOCIAL_SECURITY", Entity::DeSvnr),
    ("DE_TAX_ID", Entity::DeTaxId),
    ("DUTCH_BSN_CHECKSUM", Entity::NlBsn),
    ("ESTONIA_PERSONAL_CODE_CHECKSUM", Entity::EePersonalCode),
    ("ES_NIE", Entity::EsNie),
    ("ES_NIF", Entity::EsNif),
    ("FINNISH_HETU_CHECKSUM", Entity::FiHetu),
    ("FI_PERSONAL_IDENTITY_CODE", Entity::FiHetu),
    ("FRANCE_NIF_CHECKSUM", Entity::FrNif),
    ("FRANCE_SSN_CHECKSUM", Entity::FrNir),
    ("GERMAN_IDS_CHECKSUM", Entity::DeIdCard),
    ("GERMAN_SVNR_CHECKSUM", Entity::DeSvnr),
    ("GREECE_AMKA_CHECKSUM", Entity::GrAmka),
    ("GREECE_TIN_CHECKSUM", Entity::GrAfm),
    ("HUNGARIAN_TIN_CHECKSUM", Entity::HuTin),
    ("IN_AADHAAR", Entity::InAadhaar),
    ("IN_GSTIN", Entity::InGstin),
    ("IN_PAN", Entity::InPan),
    ("IRISH_PPS_CHECKSUM", Entity::IePps),
    ("ITALIAN_NATIONAL_ID_CHECKSUM", Entity::ItFiscalCode),
    ("IT_FISCAL_CODE", Entity::ItFiscalCode),
    ("KR_RRN", Entity::KrRrn),
    ("LATVIA_NATIONAL_ID_CHECKSUM", Entity::LvPersonalCode),
    ("LITHUANIAN_PERSONAL_IDENTIFICATION_NUMBER_CHECKSUM", Entity::LtPersonalCode),
    ("LUXEMBOURG_INDIVIDUAL_NIN_CHECKSUM", Entity::LuNin),
    ("MEDICAL_LICENSE", Entity::UsDea),
    ("NG_NIN", Entity::NgNin),
    ("NIR_CHECKSUM", Entity::FrNir),
    ("PL_PESEL", Entity::PlPesel),
    ("POLISH_NATIONAL_ID_CHECKSUM", Entity::PlPesel),
    ("POLISH_NIP_CHECKSUM", Entity::PlNip),
    ("PORTUGUESE_TAX_ID_CHECKSUM", Entity::PtNif),
    ("RODNE_CISLO_CHECKSUM", Entity::CzBirthNumber),
    ("ROMANIAN_PERSONAL_NUMERIC_CODE", Entity::RoCnp),
    ("SE_PERSONNUMMER", Entity::SePersonnummer),
    ("SG_NRIC_FIN", Entity::SgNric),
    ("SINGAPORE_NRIC_CHECKSUM", Entity::SgNric),
    ("SLOVENIAN_PIN_CHECKSUM", Entity::SiEmso),
    ("SPAIN_DNI_CHECKSUM", Entity::EsNif),
    ("SPANISH_NUSS_CHECKSUM", Entity::EsNuss),
    ("SWEDEN_PIN_CHECKSUM", Entity::SePersonnummer),
    ("TH_TNIN", Entity::ThNationalId),
    ("TR_NATIONAL_ID", Entity::TrNationalId),
    ("UK_NHS", Entity::UkNhs),
    ("UK_NINO", Entity::UkNino),
    ("UK_NINO_FORMAT_CHECK", Entity::UkNino),
    ("UK_TRN_CHECKSUM", Entity::UkUtr),
    ("US_DEA", Entity::UsDea),
    ("US_ITIN", Entity::UsItin),
    ("US_MBI", Entity::UsMbi),
    ("US_NPI", Entity::UsNpi),
    ("ZA_ID_NUMBER", Entity::ZaId),
    ("CRYPTO", Entity::BitcoinAddress),
];
