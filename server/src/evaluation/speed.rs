//! How fast the guards are, on text in which there is nothing to find.

use super::{Aim, Figure, commands};
use crate::middleware::{pii, prompt_injection::score::Scorer, secrets};
use std::{hint::black_box, io, path::Path, time::Instant};

/// A kilobyte of prose of our own.
const KILOBYTE: &str = "The committee met on Tuesday to review the proposal, which had been drafted \
    over the summer by a small group of engineers. They agreed that the design was sound: it keeps \
    the parts apart, and each of them can be tested alone. \"We should ship it in 2025,\" said one \
    of them; nobody objected. However, the budget (about 40 pages of it) was still open, so the \
    meeting went on until 5 pm. After that, people walked home through the quiet streets and \
    thought about dinner.\n\nThe week after, two of them tried the first version on their own \
    machines. It took 12 minutes to build and less than one to start, which surprised everybody. \
    A few pages of the manual were out of date, and the names of three settings had changed since; \
    these were mended on the same day. What remained was the question of who would answer when \
    somebody calls at night, and for how long. They put it on the list for the next meeting, and \
    went back to work. Nobody had expected that it would be so quiet, and that the tests would \
    find more than the people did.\n";

/// A conversation of our own, of about a kilobyte.
const CHAT: &str = "hey, are you around? the build on the second machine is red again\n> which one, \
    the nightly?\nno, the one from this morning :( it says `error: cannot find module 'left'` and \
    then nothing for 10 min\n> did you clear the cache? there was a change to the lock file at \
    9:40, see #418\njust did. same thing. also tried on my laptop w/ node 20, works there!!\n> ok \
    so it's the image. can you post the first 20 lines?\nsure, one sec... (it is v1.14.2, not 1.15 \
    like everywhere else)\n> THAT is it. we pinned it in March because of the TLS thing\noh no. so \
    do we bump it or revert?\n> bump. I'll open a PR in 5, can you review? should be 3 files\nyes! \
    ping me when it's up, I'm in a meeting till 11 but can read\n> up: it also drops the old \
    workaround from 2022\nlgtm, two small comments about naming, otherwise ship it \u{1f680}\n> \
    merged. if it is green by noon I'll tell the others\ngreen here. thanks a lot for the quick \
    help, really!\n";

/// What a tool returns, of about a kilobyte.
const RESULT: &str = r#"{"query":"open tickets","page":1,"per_page":4,"total":37,"items":[{"id":48213,"title":"Export stops at 2 GB","state":"open","labels":["bug","export"],"comments":7,"created_at":"2025-02-11T08:14:09Z","assignee":null,"summary":"The export of a large project stops without a message; smaller ones work."},{"id":48197,"title":"Dark mode for the editor","state":"open","labels":["feature"],"comments":23,"created_at":"2025-02-10T17:52:41Z","assignee":"kim","summary":"Several people ask for it, with a sketch."},{"id":48190,"title":"Slow start on version 3.2.1","state":"open","labels":["performance"],"comments":4,"created_at":"2025-02-10T12:03:27Z","assignee":"lee","summary":"Takes 14 s instead of 3 s since the update."},{"id":48166,"title":"Typo in the manual","state":"open","labels":["docs"],"comments":1,"created_at":"2025-02-09T21:40:00Z","assignee":null,"summary":"Page 12, second paragraph."}]}"#;

/// Measures speed. Times are the best of several, so that they say little about what
/// else the machine does.
///
/// # Errors
///
/// A guard cannot be made, or the data not be read.
pub fn speed(data: &Path) -> io::Result<Vec<Figure>> {
    use pii::Entity;
    let eight = pii::Scanner::new(&[
        Entity::Email,
        Entity::CreditCard,
        Entity::Iban,
        Entity::UsSsn,
        Entity::Ipv4,
        Entity::Ipv6,
        Entity::Phone,
        Entity::MacAddress,
    ]);
    let all = pii::Scanner::of(pii::Wanted::new(Entity::defaults()));
    let secrets = secrets::Scanner::new(secrets::Rules::shared().map_err(io::Error::other)?);
    let injection = Scorer::new().map_err(io::Error::other)?;
    let long = KILOBYTE.repeat(8 << 10);
    let rate = |seconds: f64| long.len() as f64 / 1e6 / seconds;
    let found = best(5, || eight.find(&long).len());
    let searched = best(5, || secrets.find(&long).len());
    let mut figures = Vec::new();
    let mut figure = |set: &str, measure: &str, value: f64, aim| {
        let (set, measure) = (set.to_owned(), measure.to_owned());
        figures.push(Figure { set, measure, value, rows: 1, aim });
    };
    let aim = Aim::AtLeast(500.0);
    figure("prose", "personal data, 8 kinds, one core (MB/s)", rate(found), aim);
    figure("prose", "secrets, one core (MB/s)", rate(searched), Aim::High);
    for (set, text) in [("prose", KILOBYTE), ("a chat", CHAT), ("a tool's result", RESULT)] {
        let micro = |work: &dyn Fn() -> usize| {
            // For a text of exactly a kilobyte.
            best(5, || (0..1000).map(|_| work()).sum()) * 1e3 * 1024.0 / text.len() as f64
        };
        let alone = [
            ("personal data", micro(&|| all.find(black_box(text)).len())),
            ("secrets", micro(&|| secrets.find(black_box(text)).len())),
            ("injection", micro(&|| usize::from(injection.judge(black_box(text)).score > 0.5))),
        ];
        for (guard, time) in alone {
            figure(set, &format!("a kilobyte, {guard} (µs)"), time, Aim::Low);
        }
        let sum = alone.iter().map(|(_, time)| time).sum();
        figure(set, "a kilobyte, all three (µs)", sum, Aim::AtMost(25.0));
    }
    figures.extend(commands::speed(data)?);
    Ok(figures)
}

/// The least number of seconds that some work takes.
fn best(times: usize, work: impl Fn() -> usize) -> f64 {
    let once = || {
        let begun = Instant::now();
        black_box(work());
        begun.elapsed().as_secs_f64()
    };
    (0..times).map(|_| once()).fold(f64::MAX, f64::min)
}
