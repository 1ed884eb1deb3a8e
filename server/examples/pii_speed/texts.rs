//! The texts that are looked through: long, varied and the same in every run.

use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

/// A kind of text.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

/// Own sentences, one a line.
const PROSE: &str = include_str!("prose.txt");

/// How long each text is, at least.
const LENGTH: usize = 4_000_000;

/// Every text: those that hold no personal data, one that holds much, and those
/// that look like the beginning of some all the time.
pub(crate) fn all() -> io::Result<Vec<Sample>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let documents = read(&root.join("../docs"), "md", &[])?;
    let source = read(&root.join("src"), "rs", &["pii", "secrets", "evaluation"])?;
    let mut pick = Pick(0x2545_f491_4f6c_dd1d);
    let mut all = vec![
        sample("prose", || sentences(&mut pick)),
        sample("chat", || chat(&mut pick)),
        sample("Markdown", || documents.clone()),
        sample("source code", || source.clone()),
        sample("JSON", || json(&mut pick)),
        sample("log lines", || log(&mut pick)),
        sample("much personal data", || personal(&mut pick)),
    ];
    let endless = [
        ("digits only", "7391"),
        ("digits in groups", "7391 552 "),
        ("at signs only", "@"),
        ("colons only", ":"),
        ("dots and digits", "1.2."),
        ("one word", "word"),
        ("capitals and a digit", "ALL CAPITALS 7 "),
        ("an unspaced script", "7谢"),
        ("hexadecimal and colons", "a1:f:"),
    ];
    all.extend(endless.map(|(name, part)| sample(name, || part.to_owned())));
    Ok(all)
}

fn sample(name: &'static str, mut part: impl FnMut() -> String) -> Sample {
    let mut text = String::new();
    while text.len() < LENGTH {
        text.push_str(&part());
    }
    Sample { name, text }
}

/// Every file below a folder with this ending, but for some folders.
fn read(folder: &Path, ending: &str, except: &[&str]) -> io::Result<String> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut text = String::new();
    for path in paths {
        let skipped = except.iter().any(|name| path.file_name() == Some(name.as_ref()));
        if path.is_dir() && !skipped {
            text.push_str(&read(&path, ending, except)?);
        } else if path.extension() == Some(ending.as_ref()) {
            text.push_str(&fs::read_to_string(&path)?);
        }
    }
    Ok(text)
}

/// Numbers that look random, by xorshift.
struct Pick(u64);

impl Pick {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all.get(self.below(all.len() as u64) as usize).copied().unwrap_or_default()
    }

    fn sentence(&mut self) -> &'static str {
        let count = PROSE.lines().count() as u64;
        PROSE.lines().nth(self.below(count) as usize).unwrap_or_default()
    }
}

/// A paragraph, in lines of the width that is usual.
fn sentences(pick: &mut Pick) -> String {
    let count = 3 + pick.below(5);
    let (mut text, mut width) = (String::new(), 0);
    for _ in 0..count {
        for word in pick.sentence().split(' ') {
            width += word.len() + 1;
            text.push_str(word);
            text.push(if width > 90 { '\n' } else { ' ' });
            width = if width > 90 { 0 } else { width };
        }
    }
    text + "\n\n"
}

fn chat(pick: &mut Pick) -> String {
    let name = pick.of(&["ana", "Jürgen", "sam", "李明", "Priya"]);
    let start =
        pick.of(&["ok", "hmm,", "lol", "yes!", "no idea…", "👍", "@channel", "wait:", "hi,"]);
    let (hour, minute) = (pick.below(24), pick.below(60));
    let body = pick.sentence().to_lowercase();
    format!("[{hour:02}:{minute:02}] {name}: {start} {body}\n")
}

fn json(pick: &mut Pick) -> String {
    let (id, count, price) = (pick.below(90_000), pick.below(50), pick.below(10_000));
    let (state, tag) = (pick.of(&["open", "done", "failed"]), pick.of(&["blue", "green"]));
    let (note, day) = (pick.sentence().replace('"', "\\\""), 1 + pick.below(28));
    format!(
        "{{\"id\":{id},\"state\":\"{state}\",\"count\":{count},\"price\":{}.{:02},\"tags\":[\"{tag}\",\
         \"x{count}\"],\"note\":\"{note}\",\"created\":\"2025-03-{day:02}\",\"parent\":null}}\n",
        price / 100,
        price % 100,
    )
}

fn log(pick: &mut Pick) -> String {
    let (hour, minute, second) = (pick.below(24), pick.below(60), pick.below(60));
    let level = pick.of(&["INFO", "INFO", "DEBUG", "WARN"]);
    let target = pick.of(&["server::http", "engine::run", "store::cache", "worker"]);
    let (id, took, size) = (pick.below(1 << 40), pick.below(900), pick.below(100_000));
    let what = pick.of(&["request finished", "retrying after timeout", "cache miss", "flushed"]);
    format!(
        "2025-03-07T{hour:02}:{minute:02}:{second:02}.{took:03}Z {level} {target}: {what} \
         id=req-{id:010x} took={took}ms size={size} attempt=1 user=none\n"
    )
}

fn personal(pick: &mut Pick) -> String {
    let mut text = String::new();
    let (a, b, c) = (200 + pick.below(700), 200 + pick.below(700), 1000 + pick.below(9000));
    let name = pick.of(&["ana", "bob", "chi", "dora"]);
    let written = write!(
        text,
        "{name}{a} writes from {name}.{b}@example.org, phone +1 {a} {b} {c} or ({a}) {b}-{c}.\n\
         Card 4532 0151 1283 0366, account GB29 NWBK 6016 1331 9268 19, SSN {a}-{}-{c}.\n\
         Seen at 10.{}.{}.4, 2001:db8::{a}:{b}, card 00:1a:2b:3c:{}:5e.\n",
        10 + pick.below(80),
        pick.below(250),
        pick.below(250),
        10 + pick.below(80),
    );
    written.map_or_else(|_| String::new(), |()| text)
}
