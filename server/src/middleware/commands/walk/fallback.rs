//! What is done with a text that is no shell's: its lines are read as words.
//!
//! A shell would mostly refuse such a text, but another one may take it. So it
//! is never let through in silence: it is a finding of its own, and each word
//! that names a program is judged with the words that follow. A text that looks
//! like a program in another language is judged as one instead.

use super::{check::Walk, code};
use crate::middleware::commands::{
    arguments::Arguments, finding::Severity, git, host, syntax::Word,
};

/// How many words of a line are judged as programs.
const MOST: usize = 64;

/// Judges a text that cannot be parsed.
pub(super) fn lines(text: &str, walk: &mut Walk<'_>) {
    if code::is_program(text) {
        return;
    }
    walk.found.host(Severity::Caution, "unreadable", "It cannot be read as a command");
    code::judge(walk, text, false);
    for line in text.lines().take(MOST.saturating_mul(16)) {
        let words: Vec<_> = line
            .split(|c: char| c.is_whitespace() || ";|&(){}\"'`<>$,".contains(c))
            .filter(|word| !word.is_empty())
            .map(Word::plain)
            .collect();
        for (at, word) in words.iter().enumerate().take(MOST) {
            let rest = words.get(at.saturating_add(1)..).unwrap_or_default();
            let program = super::program::name(word);
            if program == "git" {
                git::judge(rest, walk.found);
            } else {
                host::judge(&program, Arguments(rest), walk.found);
            }
        }
    }
}
