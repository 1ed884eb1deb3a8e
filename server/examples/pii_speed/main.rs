//! Prints how fast texts are looked through for personal data.
//!
//! ```text
//! cargo run --release -p sidehook-server --example pii_speed
//! ```
//!
//! With a folder, the texts are written there too, for `compare.py`.

mod texts;

use sidehook_server::middleware::pii::{Entity, Scanner, Wanted};
use std::{env, fs, hint::black_box, io::Write, path::PathBuf, time::Instant};

/// A message as people write them, and a short one.
const MESSAGES: [usize; 2] = [100, 1024];

/// The best of so many counts, because other processes run too.
const TURNS: usize = 9;

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
    let scanners = [
        ("8 kinds", Scanner::new(&eight)),
        ("the default", Scanner::of(Wanted::new(Entity::defaults()))),
        ("everything", Scanner::of(Wanted::new(Entity::ALL))),
    ];
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let mut out = std::io::stdout();
    for sample in texts::all()? {
        if let Some(folder) = &folder {
            fs::write(folder.join(sample.name), &sample.text)?;
        }
        write!(out, "{:24}", sample.name)?;
        for (name, scanner) in &scanners {
            let best = (0..TURNS).map(|_| seconds(|| scanner.find(black_box(&sample.text)).len()));
            let best = best.fold(f64::MAX, f64::min);
            let megabytes = sample.text.len() as f64 / 1e6 / best;
            write!(out, " {name} {megabytes:6.0} MB/s")?;
        }
        let found = scanners.first().map_or(0, |(_, scanner)| scanner.find(&sample.text).len());
        writeln!(out, " found {found}")?;
        if sample.name == "prose" {
            for (name, scanner) in &scanners {
                short(name, scanner, &sample.text, &mut out)?;
            }
        }
    }
    Ok(())
}

/// What a short message costs, each time another one.
fn short(name: &str, scanner: &Scanner, text: &str, out: &mut impl Write) -> std::io::Result<()> {
    for size in MESSAGES {
        let messages: Vec<&str> =
            (0..1000).filter_map(|at| text.get(at * size..(at + 1) * size)).collect();
        let all = || messages.iter().map(|text| scanner.find(black_box(text)).len()).sum();
        let took = (0..TURNS).map(|_| seconds(all)).fold(f64::MAX, f64::min);
        let each = took * 1e6 / messages.len() as f64;
        writeln!(out, "{size} bytes of prose, {name}: {each:.2} µs")?;
    }
    Ok(())
}

fn seconds(work: impl FnOnce() -> usize) -> f64 {
    let begun = Instant::now();
    black_box(work());
    begun.elapsed().as_secs_f64()
}
