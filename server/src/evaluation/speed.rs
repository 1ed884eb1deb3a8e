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
    let micro = |work: &dyn Fn() -> usize| best(5, || (0..1000).map(|_| work()).sum()) * 1e3;
    let alone = [
        ("personal data", micro(&|| all.find(black_box(KILOBYTE)).len())),
        ("secrets", micro(&|| secrets.find(black_box(KILOBYTE)).len())),
        ("injection", micro(&|| usize::from(injection.judge(black_box(KILOBYTE)).score > 0.5))),
    ];
    let mut figures = Vec::new();
    let mut figure = |measure: &str, value: f64, aim| {
        let (set, measure) = ("prose".to_owned(), measure.to_owned());
        figures.push(Figure { set, measure, value, rows: 1, aim });
    };
    let aim = Aim::AtLeast(500.0);
    figure("personal data, 8 kinds, one core (MB/s)", rate(found), aim);
    figure("secrets, one core (MB/s)", rate(searched), Aim::High);
    for (guard, time) in alone {
        figure(&format!("a kilobyte, {guard} (µs)"), time, Aim::Low);
    }
    let sum = alone.iter().map(|(_, time)| time).sum();
    figure("a kilobyte, all three (µs)", sum, Aim::AtMost(25.0));
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
