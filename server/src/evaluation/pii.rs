//! How well personal data is found: precision and recall by kind, and whether
//! checksums are judged as others judge them.

use super::{Aim, Miss, Report, figure::share, pii_kinds::kinds, rows};
use crate::middleware::pii::{Entity, Region, Scanner, Wanted, is_valid};
use serde::Deserialize;
use std::{collections::BTreeMap, io, path::Path};

/// A row of the data.
#[derive(Debug, Deserialize)]
struct Row {
    text: String,
    #[serde(default)]
    expected: Vec<Span>,
    scope: Option<Vec<String>>,
    region: Option<String>,
    recognizer: Option<String>,
    #[serde(default)]
    area: String,
}

/// What should be found, in characters.
#[derive(Debug, Deserialize)]
struct Span {
    #[serde(rename = "type")]
    kind: String,
    start: usize,
    end: usize,
}

/// What rows without a scope judge.
const JUDGED: [&str; 6] =
    ["EMAIL_ADDRESS", "CREDIT_CARD", "IBAN_CODE", "US_SSN", "IP_ADDRESS", "PHONE_NUMBER"];

/// The kinds for which there is a target beside phone numbers.
const FIRM: [&str; 5] = ["EMAIL_ADDRESS", "CREDIT_CARD", "IBAN_CODE", "US_SSN", "IP_ADDRESS"];

/// Rows of the validators' set whose rule is not the published one, or of which
/// only a part is supported.
const APART: [&str; 3] = ["greece_amka_checksum", "ethereum_checksum", "monero_address"];

/// What was found of one kind in one set.
#[derive(Debug, Default)]
struct Tally {
    expected: usize,
    hit: usize,
    exact: usize,
    wrong: usize,
}

/// Measures precision, recall and checksums.
///
/// # Errors
///
/// The data cannot be read.
pub fn evaluate(data: &Path) -> io::Result<Report> {
    let mut report = Report::default();
    for set in ["pii-presidio-tests", "pii-presidio-research", "pii-libphonenumber"] {
        let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
        for row in rows::read::<Row>(data, set)? {
            judge(set, &row, true, &mut tallies, &mut report.misses);
        }
        for (kind, tally) in &tallies {
            add(set, kind, tally, &mut report);
        }
    }
    validators(data, &mut report)?;
    reported(data, &mut report)?;
    Ok(report)
}

/// What people reported of comparable guards: right is what they expected.
fn reported(data: &Path, report: &mut Report) -> io::Result<()> {
    let set = "issue-reports";
    let (mut right, mut count) = (0_usize, 0_usize);
    for row in rows::read::<Row>(data, set)?.iter().filter(|row| row.area == "pii") {
        let mut missed = Vec::new();
        judge(set, row, false, &mut BTreeMap::new(), &mut missed);
        count += 1;
        right += usize::from(missed.is_empty());
        report.misses.extend(missed.into_iter().take(1));
    }
    report.figure(set, "personal data right", share(right, count), Aim::High);
    Ok(())
}

/// Counts what is right and wrong in one row. A finding is right when it meets an
/// expected one; that it is the same to the character is counted too.
fn judge(
    set: &str,
    row: &Row,
    noise: bool,
    tallies: &mut BTreeMap<String, Tally>,
    misses: &mut Vec<Miss>,
) {
    let scope: Vec<&str> = match &row.scope {
        Some(scope) => scope.iter().map(String::as_str).collect(),
        None => JUDGED.to_vec(),
    };
    let judged: Vec<Entity> = scope.iter().flat_map(|kind| kinds(kind)).copied().collect();
    // A row of many kinds is looked through for everything, as people have it.
    let wanted = if scope.len() > 2 { Entity::ALL.to_vec() } else { judged.clone() };
    let region = row.region.as_deref().and_then(Region::find);
    let wanted = Wanted::new(wanted).alone(judged).noise(noise).regions(region);
    let found = Scanner::of(wanted).find(&row.text);
    let place = |byte| row.text.get(..byte).map_or(0, |head| head.chars().count());
    for kind in scope.into_iter().filter(|kind| !kinds(kind).is_empty()) {
        let mine = found.iter().filter(|found| kinds(kind).contains(&found.entity));
        let mine: Vec<_> = mine.map(|found| (place(found.start), place(found.end))).collect();
        let theirs = row.expected.iter().filter(|span| span.kind == kind);
        let theirs: Vec<_> = theirs.map(|span| (span.start, span.end)).collect();
        let meets = |one: &(usize, usize), all: &[(usize, usize)]| {
            all.iter().any(|other| one.0 < other.1 && other.0 < one.1)
        };
        let tally = tallies.entry(kind.to_owned()).or_default();
        let hit = theirs.iter().filter(|span| meets(span, &mine)).count();
        let wrong = mine.iter().filter(|span| !meets(span, &theirs)).count();
        tally.expected += theirs.len();
        tally.hit += hit;
        tally.wrong += wrong;
        tally.exact += theirs.iter().filter(|span| mine.contains(span)).count();
        if hit < theirs.len() || wrong > 0 {
            let (set, text) = (format!("{set} {kind}"), row.text.clone());
            let (expected, got) = (format!("{theirs:?}"), format!("{mine:?}"));
            misses.push(Miss { set, text, expected, got });
        }
    }
}

fn add(set: &str, kind: &str, tally: &Tally, report: &mut Report) {
    if tally.expected == 0 {
        return;
    }
    let firm = FIRM.contains(&kind).then_some((0.99, 0.97));
    let aims = match (set, kind) {
        ("pii-libphonenumber", _) => Some((0.95, 0.95)),
        ("pii-presidio-research", "PHONE_NUMBER") => Some((0.90, 0.85)),
        _ => firm,
    };
    let aim = |least: Option<f64>| least.map_or(Aim::High, Aim::AtLeast);
    let (precise, complete) = aims.unzip();
    let (precision, _) = share(tally.hit, tally.hit + tally.wrong);
    let (recall, rows) = share(tally.hit, tally.expected);
    let (exact, _) = share(tally.exact, tally.expected);
    let both = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
    for (measure, value, aim) in [
        ("precision", precision, aim(precise)),
        ("recall", recall, aim(complete)),
        ("F1", both, Aim::High),
        ("recall, exact", exact, Aim::High),
    ] {
        report.figure(set, &format!("{kind} {measure}"), (value, rows), aim);
    }
}

fn validators(data: &Path, report: &mut Report) -> io::Result<()> {
    let set = "pii-datadog-validators";
    let (mut right, mut count) = (0_usize, 0_usize);
    for row in rows::read::<Row>(data, set)? {
        let recognizer = row.recognizer.as_deref().unwrap_or_default();
        let kind = row.scope.iter().flatten().next().map_or("", String::as_str);
        let [entity] = kinds(kind) else { continue };
        if *entity == Entity::Iban || APART.contains(&recognizer) {
            continue;
        }
        let (expected, got) = (!row.expected.is_empty(), is_valid(*entity, &row.text));
        count += 1;
        right += usize::from(expected == got);
        if expected != got {
            report.misses.push(Miss {
                set: format!("{set} {kind}"),
                text: row.text,
                expected: expected.to_string(),
                got: got.to_string(),
            });
        }
    }
    report.figure(set, "checksums right", share(right, count), Aim::AtLeast(1.0));
    Ok(())
}
