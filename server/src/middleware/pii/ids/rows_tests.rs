//! Published examples of every kind, and the same with a wrong digit.

use super::super::super::scanner::checks::check;
use super::*;

#[test]
fn published_examples_are_right_and_with_another_digit_they_are_wrong() {
    for (entity, right, wrong) in [
        (Entity::ItFiscalCode, "RSSMRA85T10A562S", "RSSMRA85T10A562T"),
        (Entity::CnId, "11010519491231002X", "110105194912310021"),
        (Entity::FrNir, "1 85 05 78 006 084 91", "1 85 05 78 006 084 92"),
        (Entity::FiHetu, "131052-308T", "131052-308U"),
        (Entity::DeSvnr, "15 070649 C 103", "15 070649 C 104"),
        (Entity::EsNif, "12345678Z", "12345678A"),
        (Entity::EsNie, "X1234567L", "X1234567M"),
        (Entity::SgNric, "S1234567D", "S1234567E"),
        (Entity::IePps, "1234567T", "1234567U"),
        (Entity::UkNino, "AB 12 34 56 C", "QQ 12 34 56 C"),
        (Entity::UkNhs, "943 476 5919", "943 476 5918"),
        (Entity::DeIdCard, "T220001293", "T220001294"),
        (Entity::DeTaxId, "36 574 261 809", "36 574 261 808"),
        (Entity::BrCpf, "111.444.777-35", "111.444.777-36"),
        (Entity::BrCnpj, "11.222.333/0001-81", "11.222.333/0001-82"),
        (Entity::SePersonnummer, "811228-9874", "811228-9873"),
        (Entity::BeNationalNumber, "85.07.30-033.28", "85.07.30-033.29"),
        (Entity::BgEgn, "7523169263", "7523169264"),
        (Entity::EePersonalCode, "37605030299", "37605030298"),
        (Entity::PlPesel, "44051401359", "44051401358"),
        (Entity::PlNip, "123-456-32-18", "123-456-32-19"),
        (Entity::PtNif, "501964843", "501964844"),
        (Entity::NlBsn, "111222333", "111222334"),
        (Entity::AtSsn, "1237 010180", "1238 010180"),
        (Entity::AuTfn, "123 456 782", "123 456 783"),
        (Entity::AuAbn, "51 824 753 556", "51 824 753 557"),
        (Entity::CaSin, "130 692 544", "130 692 545"),
        (Entity::TrNationalId, "10000000146", "10000000145"),
        (Entity::ThNationalId, "1-2345-67890-12-1", "1-2345-67890-12-2"),
        (Entity::ZaId, "8001015009087", "8001015009086"),
        (Entity::UsNpi, "1234567893", "1234567892"),
        (Entity::UsAba, "021000021", "021000022"),
        (Entity::UsMbi, "1EG4-TE5-MK73", "1SG4-TE5-MK73"),
    ] {
        assert!(is_valid(entity, right), "{entity} {right}");
        assert!(!is_valid(entity, wrong), "{entity} {wrong}");
    }
}

#[test]
fn every_national_number_has_a_row() {
    for entity in Entity::ALL.into_iter().filter(|entity| entity.is_national_id()) {
        assert!(ROWS.iter().any(|row| row.entity == entity), "{entity}");
    }
}

#[test]
fn a_word_before_it_makes_a_plain_number_one_of_its_kind() {
    check(Entity::PlPesel, "Mój PESEL to 44051401359.", &["44051401359"]);
    check(Entity::UkNhs, "NHS number: 943 476 5919", &["943 476 5919"]);
    check(Entity::PlPesel, "order 44051401359", &[]);
    check(Entity::PlPesel, "pesels 44051401359", &[]);
}

#[test]
fn a_telling_form_needs_no_word() {
    check(Entity::ItFiscalCode, "(RSSMRA85T10A562S)", &["RSSMRA85T10A562S"]);
    check(Entity::EsNif, "soy 12345678Z,", &["12345678Z"]);
    check(Entity::EsNif, "a-12345678Z, 12345678Z9", &[]);
}
