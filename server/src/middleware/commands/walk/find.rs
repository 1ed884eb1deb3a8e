//! `find`: what it deletes, and what it runs.

use super::{check::Walk, input::Input, program};
use crate::middleware::commands::{
    arguments::Arguments,
    finding::Severity,
    host::delete::{How, path},
    place::{Place, place},
    syntax::{Stage, Word},
};

/// Tests that make it find only a part.
const TESTS: [&str; 20] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-mtime",
    "-mmin",
    "-atime",
    "-ctime",
    "-size",
    "-newer",
    "-user",
    "-group",
    "-empty",
    "-perm",
    "-maxdepth",
    "-inum",
    "-nouser",
];

/// How many commands of one call are followed.
const MOST: usize = 16;

/// Judges a call of `find`, and follows what it runs.
pub(super) fn find(walk: &mut Walk<'_>, rest: &[Word], stage: &Stage) {
    let arguments = Arguments(rest);
    let entries = entries(rest);
    let roots = || roots(rest);
    let wide = roots().iter().any(|root| {
        matches!(
            place(root),
            Place::Root | Place::System | Place::Critical | Place::Home | Place::Above
        )
    });
    if arguments.has("-delete") {
        if wide {
            let reason =
                "It deletes what it finds below a folder that the system or a person needs";
            walk.found.host(Severity::Dangerous, "find-delete", reason);
        } else if roots().iter().any(|root| place(root) != Place::Temporary) {
            walk.found.host(Severity::Caution, "find-delete", "It deletes what it finds");
        }
    }
    let mut left = MOST;
    for (at, word) in rest.iter().enumerate() {
        if left == 0 || !matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir") {
            continue;
        }
        left = left.saturating_sub(1);
        let inner = rest.get(at.saturating_add(1)..).unwrap_or_default();
        let end = inner.iter().position(|word| matches!(word.text.as_str(), ";" | "+"));
        let inner = inner.get(..end.unwrap_or(inner.len())).unwrap_or_default();
        let deletes = inner
            .first()
            .is_some_and(|word| matches!(program::name(word).as_ref(), "rm" | "shred" | "unlink"));
        if deletes && wide {
            let how = How { recursive: false, force: true };
            let reason =
                "It deletes what it finds below a folder that the system or a person needs";
            walk.found.host(Severity::Caution, "find-delete", reason);
            entries.iter().for_each(|entry| path(entry, how, walk.found));
        }
        walk.inner(&filled(inner, "{}", &entries), stage, &Input::None);
    }
}

/// What `find` finds: its roots, or something below them.
pub(super) fn entries(rest: &[Word]) -> Vec<Word> {
    let narrow = Arguments(rest).any(&TESTS);
    let mut roots = roots(rest);
    if narrow {
        for root in &mut roots {
            root.text = format!("{}/…", root.text.trim_end_matches('/'));
        }
    }
    roots
}

fn roots(rest: &[Word]) -> Vec<Word> {
    let options = |word: &&Word| matches!(word.text.as_str(), "-L" | "-H" | "-P");
    let roots: Vec<_> = roots_in(rest).iter().skip_while(options).cloned().collect();
    if roots.is_empty() { vec![Word::plain(".")] } else { roots }
}

/// The words up to the first test, among which its roots are.
pub(super) fn roots_in(rest: &[Word]) -> &[Word] {
    rest.get(..tests(rest)).unwrap_or_default()
}

/// The words from the first test on.
pub(super) fn after_roots(rest: &[Word]) -> &[Word] {
    rest.get(tests(rest)..).unwrap_or_default()
}

fn tests(rest: &[Word]) -> usize {
    let is_test = |word: &Word| {
        word.text.starts_with(['-', '(', '!'])
            && !matches!(word.text.as_str(), "-L" | "-H" | "-P" | "-")
    };
    rest.iter().position(is_test).unwrap_or(rest.len())
}

/// Words with a placeholder replaced by what stands for it.
pub(super) fn filled(words: &[Word], placeholder: &str, values: &[Word]) -> Vec<Word> {
    let mut filled = Vec::new();
    for word in words {
        if !placeholder.is_empty() && word.text.contains(placeholder) {
            for value in values {
                let text = word.text.replace(placeholder, &value.text);
                filled.push(Word { text, dynamic: value.dynamic, ..word.clone() });
            }
        } else {
            filled.push(word.clone());
        }
    }
    filled
}
