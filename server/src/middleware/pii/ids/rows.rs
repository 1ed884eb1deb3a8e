//! Every national number: its shapes, its check and the words before it.

use super::super::{bitcoin, card, entity::Entity};
use super::{
    america_africa as am, asia_pacific as ap, check, europe_east as east, europe_west as west,
    germanic,
};
use std::sync::LazyLock;

/// What is known of one kind of number.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) entity: Entity,
    /// Without separators: `9` is a digit, `A` a letter, `*` either, and anything
    /// else itself.
    pub(super) shapes: &'static [&'static [u8]],
    /// Whether the check digits are right.
    pub(super) check: fn(&[u8]) -> bool,
    /// Whether its form alone gives it away, without a word before it.
    pub(super) telling: bool,
    /// Words that announce it, in small letters.
    pub(super) words: &'static [&'static str],
}

/// Words that announce numbers of any country.
pub(super) const COMMON: &[&str] = &[
    "national id",
    "identity number",
    "identity card",
    "identification number",
    "id number",
    "id no",
    "id card",
    "personal number",
    "personal id",
    "national number",
    "tax id",
    "tax number",
    "taxpayer",
    "tin",
    "social security",
    "social insurance",
];

type Words = &'static [&'static str];

macro_rules! rows {
    ($($entity:ident: [$($shape:literal),+] $check:path, $telling:literal, $words:expr;)+) => {
        /// Every row. Several may claim a text; rank decides.
        pub(super) static ROWS: &[Row] = &[$(Row {
            entity: Entity::$entity,
            shapes: &[$($shape),+],
            check: $check,
            telling: $telling,
            words: { const WORDS: Words = &$words; WORDS },
        },)+];
    };
}

rows! {
    ItFiscalCode: [b"AAAAAA**A**A***A"] west::it_fiscal_code, true, ["codice fiscale", "fiscal code"];
    CnId: [b"99999999999999999*"] ap::cn_id, true, ["resident id", "身份证"];
    InGstin: [b"99AAAAA9999A*Z*"] ap::in_gstin, true, ["gstin", "gst"];
    FrNir: [b"999999999999999", b"999999A99999999"] west::fr_nir, true, ["nir", "sécurité sociale", "securite sociale", "insee", "ssn"];
    FiHetu: [b"999999999*", b"999999A999*"] east::fi_hetu, false, ["hetu", "henkilötunnus", "personbeteckning", "identity code"];
    DeSvnr: [b"99999999A999"] germanic::de_svnr, true, ["sozialversicherungsnummer", "rentenversicherungsnummer", "rvnr", "svnr", "sv-nummer"];
    EsNif: [b"99999999A", b"9999999A"] west::es_nif, true, ["dni", "nif", "documento"];
    EsNie: [b"A9999999A"] west::es_nie, true, ["nie", "extranjero"];
    EsNuss: [b"999999999999"] west::es_nuss, false, ["nuss", "naf", "seguridad social"];
    SgNric: [b"A9999999A"] ap::sg_nric, true, ["nric", "fin"];
    IePps: [b"9999999A", b"9999999AA"] west::ie_pps, false, ["pps", "ppsn", "public service number"];
    UkNino: [b"AA999999A"] west::uk_nino, true, ["national insurance", "nino", "ni number"];
    UkNhs: [b"9999999999"] west::uk_nhs, false, ["nhs"];
    UkUtr: [b"9999999999", b"9999999999K", b"0009999999999"] west::uk_utr, false, ["utr", "taxpayer reference", "tax reference"];
    DeIdCard: [b"A********9", b"A********9D"] germanic::de_id_card, false, ["ausweis", "personalausweis", "ausweisnummer", "reisepass", "passnummer", "passport"];
    DeTaxId: [b"99999999999"] germanic::de_tax_id, false, ["steuer-id", "steueridentifikationsnummer", "steuer-identifikationsnummer", "steuernummer", "idnr", "steuerliche identifikationsnummer", "tax identification"];
    DeHealthInsurance: [b"A999999999"] germanic::de_health_insurance, false, ["krankenkasse", "krankenversicherung", "krankenversichertennummer", "versichertennummer", "kvnr", "egk", "egk-nummer", "health insurance"];
    BrCpf: [b"99999999999"] am::br_cpf, false, ["cpf"];
    BrCnpj: [b"99999999999999"] am::br_cnpj, true, ["cnpj"];
    SePersonnummer: [b"9999999999", b"999999999999"] east::se_personnummer, false, ["personnummer", "samordningsnummer", "pnr", "personal identity"];
    BeNationalNumber: [b"99999999999"] west::be_national_number, false, ["rijksregisternummer", "rijksregister", "registre national", "numéro national", "national register", "insz", "niss"];
    RoCnp: [b"9999999999999"] east::ro_cnp, false, ["cnp", "cod numeric personal"];
    BgEgn: [b"9999999999"] east::bg_egn, false, ["egn", "егн"];
    EePersonalCode: [b"99999999999"] east::baltic, false, ["isikukood", "personal code"];
    LtPersonalCode: [b"99999999999"] east::baltic, false, ["asmens kodas", "personal code"];
    LvPersonalCode: [b"99999999999"] east::lv_personal_code, false, ["personas kods", "personas koda", "personal code"];
    LuNin: [b"9999999999999"] west::lu_nin, false, ["matricule", "nin"];
    SiEmso: [b"9999999999999"] east::si_emso, false, ["emšo", "emso", "jmbg"];
    CzBirthNumber: [b"9999999999", b"999999999"] east::cz_birth_number, false, ["rodné číslo", "rodne cislo", "rodného čísla", "birth number", "r.č", "rč"];
    PlPesel: [b"99999999999"] east::pl_pesel, false, ["pesel"];
    PlNip: [b"9999999999", b"PL9999999999"] east::pl_nip, false, ["nip"];
    PtNif: [b"999999999"] west::pt_nif, false, ["nif", "contribuinte", "número fiscal"];
    GrAmka: [b"99999999999"] east::gr_amka, false, ["amka", "αμκα"];
    GrAfm: [b"999999999"] east::gr_afm, false, ["afm", "αφμ"];
    HuTin: [b"9999999999"] east::hu_tin, false, ["adóazonosító", "adoazonosito", "adószám", "adóazonosító jel"];
    AtSsn: [b"9999999999"] germanic::at_ssn, false, ["sozialversicherungsnummer", "versicherungsnummer", "svnr", "sv-nummer"];
    NlBsn: [b"999999999"] west::nl_bsn, false, ["bsn", "burgerservicenummer", "sofinummer"];
    FrNif: [b"9999999999999"] west::fr_nif, false, ["numéro fiscal", "numero fiscal", "nif", "spi", "référence fiscale"];
    AuTfn: [b"999999999", b"99999999"] ap::au_tfn, false, ["tfn", "tax file"];
    AuMedicare: [b"9999999999", b"99999999999", b"999999999"] ap::au_medicare, false, ["medicare"];
    AuAbn: [b"99999999999"] ap::au_abn, false, ["abn", "business number"];
    AuAcn: [b"999999999"] ap::au_acn, false, ["acn", "company number"];
    CaSin: [b"999999999"] am::ca_sin, false, ["sin", "nas", "assurance sociale"];
    InAadhaar: [b"999999999999"] ap::in_aadhaar, false, ["aadhaar", "aadhar", "uidai", "आधार"];
    InPan: [b"AAAAA9999A"] ap::in_pan, false, ["pan", "permanent account"];
    KrRrn: [b"9999999999999"] ap::kr_rrn, false, ["rrn", "resident registration", "주민등록번호", "주민번호"];
    ThNationalId: [b"9999999999999"] ap::th_national_id, false, ["thai", "เลขประจำตัวประชาชน", "บัตรประชาชน"];
    TrNationalId: [b"99999999999"] ap::tr_national_id, false, ["tckn", "kimlik", "kimlik no", "turkish id", "t.c"];
    ZaId: [b"9999999999999"] am::za_id, false, ["sa id", "south african", "rsa id", "permanent resident"];
    NgNin: [b"99999999999"] am::ng_nin, false, ["nin", "national identification"];
    UsMbi: [b"9A*9A*9AA99"] am::us_mbi, true, ["mbi", "medicare"];
    UsItin: [b"999999999"] am::us_itin, false, ["itin", "taxpayer"];
    UsDea: [b"AA9999999", b"A99999999"] am::us_dea, false, ["dea", "certificate", "prescriber"];
    UsNpi: [b"9999999999"] am::us_npi, false, ["npi", "provider"];
    UsAba: [b"999999999"] am::us_aba, false, ["routing", "aba", "rtn", "routing number", "transit"];
}

/// The rows whose numbers have so many letters and digits.
pub(super) fn rows_of(len: usize) -> impl Iterator<Item = &'static Row> {
    static BY_LENGTH: LazyLock<[Vec<&Row>; 19]> = LazyLock::new(|| {
        std::array::from_fn(|len| ROWS.iter().filter(|row| row.is_long(len)).collect())
    });
    BY_LENGTH.get(len).into_iter().flatten().copied()
}

impl Row {
    fn is_long(&self, len: usize) -> bool {
        self.shapes.iter().any(|shape| shape.len() == len)
    }

    /// Whether characters without separators are such a number.
    pub(super) fn accepts(&self, compact: &[u8]) -> bool {
        self.shapes.iter().any(|shape| fits(shape, compact)) && (self.check)(compact)
    }
}

fn fits(shape: &[u8], compact: &[u8]) -> bool {
    let fits_one = |(shape, byte): (&u8, &u8)| match shape {
        b'9' => byte.is_ascii_digit(),
        b'A' => byte.is_ascii_uppercase(),
        b'*' => true,
        literal => literal == byte,
    };
    shape.len() == compact.len() && shape.iter().zip(compact).all(fits_one)
}

/// Whether a text, whatever separates its letters and digits, is a number of
/// this kind: national numbers, payment cards and Bitcoin addresses.
#[must_use]
pub fn is_valid(entity: Entity, text: &str) -> bool {
    if entity == Entity::BitcoinAddress {
        return bitcoin::is_address(text.trim());
    }
    let doubled = |pair: &[u8]| matches!(pair, b"--");
    if text.as_bytes().windows(2).any(doubled) {
        return false;
    }
    let compact: Vec<u8> =
        text.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_uppercase()).collect();
    if entity == Entity::CreditCard {
        let digits: Vec<u8> = compact.into_iter().filter(u8::is_ascii_digit).collect();
        return card::LENGTHS.contains(&digits.len()) && check::luhn(&digits);
    }
    ROWS.iter().any(|row| row.entity == entity && row.accepts(&compact))
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
