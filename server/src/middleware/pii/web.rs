//! Finds addresses on the web: with a scheme, with `www.`, and domains under the
//! endings that no file name has. What follows a `?` is no part of it.

use super::chars::is_word;
use super::entity::Entity;
use super::window::{Candidate, Window};

const SCHEMES: [&str; 7] =
    ["https://", "http://", "ftp://", "ftps://", "ws://", "wss://", "sftp://"];

/// Endings of domains that stand without a scheme.
const ENDINGS: [&str; 15] = [
    "com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "io", "co", "ai", "dev", "app",
    "online",
];

/// Under which countries give out names: `co.uk`, `com.br`.
const SECOND: [&str; 7] = ["co", "com", "org", "net", "ac", "gov", "edu"];

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    let mut from = 0;
    while let Some(start) = next_word(window, from) {
        let tail = window.text.get(start..).unwrap_or_default();
        let scheme = SCHEMES.iter().find(|scheme| has_prefix(tail, scheme));
        let host = start + scheme.map_or(0, |scheme| scheme.len());
        let host_end = end_of(window, host, |c| is_word(c) || matches!(c, '-' | '.'));
        from = host_end.max(start + 1);
        let name = window.text.get(host..host_end).unwrap_or_default().trim_end_matches(['.', '-']);
        let fits = match scheme {
            Some(_) => is_host(name),
            None => window.before(start) != Some('@') && (is_www(name) || is_known(name)),
        };
        if fits && window.after(host + name.len()) != Some('@') {
            let end = path_end(window, host + name.len());
            out.push(Candidate { start, end, entity: Entity::Url });
            from = end;
        }
    }
}

fn next_word(window: &Window<'_>, from: usize) -> Option<usize> {
    let tail = window.text.get(from..)?;
    let starts = tail.char_indices().map(|(at, c)| (from + at, c));
    let mut words = starts.filter(|(at, c)| is_word(*c) && window.begins_word(*at));
    words.find(|(at, _)| !matches!(window.before(*at), Some('.' | '-'))).map(|(at, _)| at)
}

fn has_prefix(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

fn end_of(window: &Window<'_>, from: usize, inside: impl Fn(char) -> bool) -> usize {
    let tail = window.text.get(from..).unwrap_or_default();
    from + tail.find(|c| !inside(c)).unwrap_or(tail.len())
}

fn labels(host: &str) -> Option<Vec<&str>> {
    let labels: Vec<&str> = host.split('.').collect();
    let right = labels.iter().all(|label| {
        !label.is_empty() && label.len() <= 63 && !label.starts_with('-') && !label.contains('_')
    });
    (right && labels.len() >= 2).then_some(labels)
}

fn is_host(host: &str) -> bool {
    let Some(labels) = labels(host) else { return false };
    let number = labels.len() == 4 && labels.iter().all(|label| label.parse::<u8>().is_ok());
    number || labels.last().is_some_and(|last| is_ending(last))
}

fn is_ending(label: &str) -> bool {
    label.starts_with("xn--") || (label.len() >= 2 && label.chars().all(char::is_alphabetic))
}

fn is_www(host: &str) -> bool {
    has_prefix(host, "www.")
        && labels(host).is_some_and(|labels| labels.len() >= 3)
        && is_host(host)
}

/// `example.com`, `example.co.uk`.
fn is_known(host: &str) -> bool {
    let Some(labels) = labels(host) else { return false };
    let known = |list: &[&str], label: &str| list.iter().any(|one| label.eq_ignore_ascii_case(one));
    let named = labels.first().is_some_and(|label| label.chars().any(char::is_alphabetic));
    named
        && match labels.as_slice() {
            [.., _, second, country] if country.len() == 2 && known(&SECOND, second) => {
                is_ending(country)
            }
            [.., last] => known(&ENDINGS, last),
            [] => false,
        }
}

/// The end of a port and a path, without the punctuation of the sentence.
fn path_end(window: &Window<'_>, host_end: usize) -> usize {
    let mut end = host_end;
    if window.byte(end) == Some(b':') {
        let port = end_of(window, end + 1, |c| c.is_ascii_digit());
        if port > end + 1 {
            end = port;
        }
    }
    if !matches!(window.byte(end), Some(b'/' | b'#')) {
        return end;
    }
    let all = end_of(window, end, |c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '<' | '>'));
    let path = window.text.get(end..all).unwrap_or_default();
    let kept = path.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', ']']);
    let kept = if kept.contains('(') { kept } else { kept.trim_end_matches(')') };
    end + kept.len()
}

#[cfg(test)]
mod tests {
    use super::super::scanner::checks::check;
    use super::*;

    fn finds(text: &str, expected: &[&str]) {
        check(Entity::Url, text, expected);
    }

    #[test]
    fn addresses_are_found_without_the_sentence_around_them() {
        finds("see https://example.com/a/b.html, or", &["https://example.com/a/b.html"]);
        finds("(www.example.org) and example.co.uk.", &["www.example.org", "example.co.uk"]);
        finds("HTTP://10.0.0.4:8080/x", &["HTTP://10.0.0.4:8080/x"]);
        finds("microsoft.com google.co.il", &["microsoft.com", "google.co.il"]);
        finds("at https://en.wikipedia.org/wiki/A_(b).", &["https://en.wikipedia.org/wiki/A_(b)"]);
    }

    #[test]
    fn names_files_and_mail_are_left_alone() {
        for text in [
            "http://microsoft",
            "www.microsoft",
            "main.rs",
            "e.g.",
            "bob@example.com",
            "1.2",
            "a.b",
        ] {
            finds(text, &[]);
        }
    }
}
