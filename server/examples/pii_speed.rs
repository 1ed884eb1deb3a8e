//! Prints how fast clean English text is looked through for personal data:
//! `cargo run --release -p sidehook-server --example pii_speed`.

use sidehook_server::middleware::pii::{Entity, Scanner, Wanted};
use std::{hint::black_box, io::Write, time::Instant};

const TEXT: &str = "The committee met on Tuesday to review the proposal, which had been drafted over \
    the summer by a small group of engineers. They agreed that the design was sound: it keeps the \
    parts apart, and each of them can be tested alone. \"We should ship it in 2025,\" said one of \
    them; nobody objected. However, the budget (about 40 pages of it) was still open, so the \
    meeting went on until 5 pm. After that, people walked home through the quiet streets and \
    thought about dinner.\n";

fn main() -> std::io::Result<()> {
    let eight = [
        Entity::Email,
        Entity::CreditCard,
        Entity::Iban,
        Entity::UsSsn,
        Entity::Ipv4,
        Entity::Ipv6,
        Entity::Phone,
        Entity::MacAddress,
    ];
    let everything = Wanted::new(Entity::ALL);
    let mut out = std::io::stdout();
    for (name, scanner) in [
        ("8 kinds", Scanner::new(&eight)),
        ("the default", Scanner::of(Wanted::new(Entity::defaults()))),
        ("everything", Scanner::of(everything)),
    ] {
        let long = TEXT.repeat(20_000);
        let best = (0..5).map(|_| seconds(|| scanner.find(black_box(&long)).len()));
        let best = best.fold(f64::MAX, f64::min);
        let short = seconds(|| (0..10_000).map(|_| scanner.find(black_box(TEXT)).len()).sum());
        let megabytes = long.len() as f64 / 1e6 / best;
        let each = short * 1e6 / 10_000.0;
        writeln!(out, "{name}: {megabytes:.0} MB/s; {} bytes in {each:.2} µs", TEXT.len())?;
    }
    Ok(())
}

fn seconds(work: impl FnOnce() -> usize) -> f64 {
    let begun = Instant::now();
    black_box(work());
    begun.elapsed().as_secs_f64()
}
