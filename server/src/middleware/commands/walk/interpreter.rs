//! Interpreters of other languages that are given their program as a text.

use super::{check::Walk, code, input::Input};
use crate::middleware::commands::{
    arguments::is_option,
    syntax::{Stage, Word},
};

/// A language's interpreter.
struct Interpreter {
    /// Its names, without a version.
    names: &'static [&'static str],
    /// Its options that the program follows.
    options: &'static [&'static str],
    /// The letter that ends a group of options before the program.
    letter: Option<char>,
    /// Whether backquotes run a command.
    backquotes: bool,
}

const INTERPRETERS: [Interpreter; 7] = [
    Interpreter {
        names: &["python", "pypy", "ipython"],
        options: &["-c"],
        letter: Some('c'),
        backquotes: false,
    },
    Interpreter { names: &["perl"], options: &["-e", "-E"], letter: Some('e'), backquotes: true },
    Interpreter {
        names: &["ruby", "jruby"],
        options: &["-e"],
        letter: Some('e'),
        backquotes: true,
    },
    Interpreter {
        names: &["node", "nodejs", "bun", "deno", "tsx", "ts-node"],
        options: &["-e", "--eval", "-p", "--print", "-pe", "eval"],
        letter: None,
        backquotes: false,
    },
    Interpreter { names: &["php"], options: &["-r"], letter: Some('r'), backquotes: true },
    Interpreter {
        names: &[
            "lua", "luajit", "julia", "groovy", "rscript", "elixir", "tclsh", "swift", "scala",
        ],
        options: &["-e"],
        letter: None,
        backquotes: false,
    },
    Interpreter { names: &["osascript"], options: &["-e"], letter: None, backquotes: false },
];

/// Follows an interpreter; whether it is one.
pub(super) fn follow(
    walk: &mut Walk<'_>,
    program: &str,
    rest: &[Word],
    stage: &Stage,
    input: &Input,
) -> bool {
    if matches!(program, "awk" | "gawk" | "mawk") {
        rest.iter().filter(|word| word.text.contains('{')).for_each(|word| {
            code::judge(walk, &word.text, false);
        });
        return true;
    }
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let Some(interpreter) = INTERPRETERS.iter().find(|known| known.names.contains(&bare)) else {
        return false;
    };
    let takes = |text: &str| {
        interpreter.options.contains(&text)
            || interpreter.letter.is_some_and(|letter| {
                !text.starts_with("--") && is_option(text) && text.ends_with(letter)
            })
    };
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if takes(text) {
            if let Some(word) = words.next() {
                code::judge(walk, &word.text, interpreter.backquotes);
            }
            if bare != "osascript" {
                return true;
            }
        } else if !is_option(text) && text != "-" {
            // A file.
            return true;
        }
    }
    match (input.given(stage), input) {
        (Some(text), _) => code::judge(walk, text, interpreter.backquotes),
        (None, Input::Remote) => walk.downloaded(),
        (None, Input::Hidden) => walk.hidden(),
        _ => {}
    }
    true
}
