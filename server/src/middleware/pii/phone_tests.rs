//! What is a phone number and what only looks like one.

use super::super::scanner::checks::check;
use super::*;

fn finds(text: &str, expected: &[&str]) {
    check(Entity::Phone, text, expected);
}

#[test]
fn international_numbers_are_found_in_every_grouping() {
    for number in [
        "+14155550132",
        "+1 (415) 555-0132",
        "+44 20 7946 0958",
        "+49 (0)30 1234567",
        "+33.1.84.17.61.18",
        "+351912345678",
        "001-415-555-0132",
        "011 44 20 7946 0958",
    ] {
        finds(&format!("Call {number}, or"), &[number]);
        finds(&format!("tel:{number}."), &[number]);
    }
}

#[test]
fn national_numbers_are_found_in_common_groupings() {
    for number in [
        "(415) 555-0132",
        "(415)555-0132",
        "415-555-0132",
        "415.555.0132",
        "415 555 0132",
        "1-415-555-0132",
        "020 7946 0958",
        "01.84.17.61.18",
        "(08) 8747 6301",
        "090-1234-5678",
        "07400 123456",
        "(11) 96123-4567",
        "044 (33) 1234-5678",
        "8 (771) 000 9998",
    ] {
        finds(&format!("Call {number}, or"), &[number]);
        finds(&format!("Call ({number})"), &[number]);
    }
}

#[test]
fn an_extension_belongs_to_the_number() {
    finds("415-555-0132x769,", &["415-555-0132x769"]);
}

#[test]
fn behind_a_label_plain_digits_are_a_number() {
    finds("Phone: 4155550132, ", &["4155550132"]);
    finds("(tel:555 0132)", &["555 0132"]);
    finds("MOBILE: 72 128 827\nFax: 2024-05-15", &["72 128 827"]);
    finds("Order: 4155550132; microphone: 5550132", &[]);
}

#[test]
fn what_is_tied_to_a_number_by_a_dash_does_not_hide_it() {
    finds("085 175 7641-Office", &["085 175 7641"]);
    finds("555-085-175-7641", &[]);
}

#[test]
fn ids_dates_times_and_amounts_are_left_alone() {
    for text in [
        "HAT001",
        "order 4155550132",
        "#415-555-0132",
        "reservation ZFA04Y",
        "2024-05-15T15:00:00+02:00",
        "2024-05-15 15:00:00",
        "01-02-2024",
        "01.02.2024 10:30",
        "02.03.2024 10 20",
        "$415.555.0132",
        "1,234,567.89",
        "1 234 567 890",
        "12-15 (2009)",
        "(12) 2024-2025",
        "0.123456789",
        "credit_card_7815826",
        "550e8400-e29b-41d4-a716-446655440000",
        "555-0132",
        "1715785200000",
        "4 415 555 0132",
        "415 555 0132 9",
        "415-555-0132-7",
        "192.168.100.200",
        "+49-49-34",
        "5+41234567890",
        "078-05-1120",
    ] {
        finds(text, &[]);
    }
}
