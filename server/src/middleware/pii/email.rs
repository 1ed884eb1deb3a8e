//! Finds email addresses: the common dotted form, also with letters outside
//! ASCII; no quoted local parts and no address literals.

use super::chars::{is_at, is_word};
use super::entity::Entity;
use super::window::{Candidate, Window};

/// RFC 5321's limits, here in characters of the local part and bytes of the
/// domain.
const MAX_LOCAL: usize = 64;
const MAX_DOMAIN: usize = 255;

/// `icon@2x.png` is a file name.
const FILE_ENDINGS: [&str; 6] = ["png", "jpg", "jpeg", "gif", "svg", "webp"];

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    for (at, sign) in window.text.match_indices(is_at) {
        if let Some(start) = local_start(window, at)
            && let Some(end) = domain_end(window, at + sign.len())
            && window.begins_word(start)
        {
            out.push(Candidate { start, end, entity: Entity::Email });
        }
    }
}

/// Where the local part that ends at `at` begins.
fn local_start(window: &Window<'_>, at: usize) -> Option<usize> {
    let mut start = at;
    let mut begins = None;
    for (count, c) in window.text.get(..at)?.chars().rev().enumerate() {
        if !is_word(c) && !matches!(c, '.' | '+' | '-' | '%') {
            break;
        }
        if count == MAX_LOCAL {
            return None;
        }
        start -= c.len_utf8();
        if is_word(c) {
            begins = Some(start);
        }
    }
    // A hidden beginning counts as one, or the rest of it would be shown.
    begins.filter(|_| start > 0 || window.before(0).is_none())
}

/// Where the domain that begins at `start` ends: at the last label that may be
/// a top-level domain.
fn domain_end(window: &Window<'_>, start: usize) -> Option<usize> {
    let tail = window.text.get(start..)?;
    let mut end = None;
    let mut at = start;
    for (place, label) in tail.split('.').enumerate() {
        let body = label.find(|c| !(is_label(c))).unwrap_or(label.len());
        let trimmed = label.get(..body)?.trim_end_matches('-');
        if trimmed.is_empty() || trimmed.starts_with('-') || at - start > MAX_DOMAIN {
            break;
        }
        let next = window.after(at + trimmed.len());
        if place > 0 && is_top_level(trimmed) && !next.is_some_and(|c| is_label(c) && c != '-') {
            end = Some(at + trimmed.len());
        }
        if body < label.len() || trimmed.len() < body {
            break;
        }
        at += label.len() + 1;
    }
    end
}

fn is_label(c: char) -> bool {
    (is_word(c) && c != '_') || c == '-'
}

fn is_top_level(label: &str) -> bool {
    let letters = label.chars().all(char::is_alphabetic) && label.chars().nth(1).is_some();
    (letters || label.starts_with("xn--"))
        && label.len() <= 63
        && !FILE_ENDINGS.iter().any(|ending| label.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    fn finds(text: &str, expected: &[&str]) {
        check(Entity::Email, text, expected);
    }

    #[test]
    fn an_address_is_found_without_the_punctuation_around_it() {
        finds("mail bob@x.com.", &["bob@x.com"]);
        finds("<Bob.O-Neil+tag@mail.example.co.uk>,", &["Bob.O-Neil+tag@mail.example.co.uk"]);
        finds("mailto:bob@x.com?subject=a", &["bob@x.com"]);
        finds("邮箱是bob@x.com谢谢", &["bob@x.com"]);
        finds("(a@b.io/c@d.io)", &["a@b.io", "c@d.io"]);
        finds("аlice@x.com, bob\u{ff20}x.com", &["аlice@x.com", "bob\u{ff20}x.com"]);
        finds("josé.muñoz@correo.es", &["josé.muñoz@correo.es"]);
    }

    #[test]
    fn a_label_that_is_no_top_level_domain_ends_the_address_before_it() {
        finds("bob@x.com.5", &["bob@x.com"]);
        finds("bob@x.com-", &["bob@x.com"]);
    }

    #[test]
    fn what_only_looks_like_an_address_is_left_alone() {
        for text in
            ["a@b", "@x.com", "bob@", "info@presidio.", "pkg@1.2.3", "icon@2x.png", "a@-b.c"]
        {
            finds(text, &[]);
        }
    }

    #[test]
    fn a_local_part_over_the_limit_is_no_address() {
        finds(&format!("{}@x.com", "a".repeat(65)), &[]);
        let longest = format!("{}@x.com", "a".repeat(64));
        finds(&longest, &[&longest]);
    }
}
