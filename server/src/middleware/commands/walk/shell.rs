//! Programs that run a text, or their input, as a shell does.

use super::{check::Walk, find::filled, input::Input, wrappers};
use crate::middleware::commands::{
    arguments::{Arguments, is_option},
    syntax::{Stage, Word},
};

/// Follows such a program; whether it is one.
pub(super) fn follow(
    walk: &mut Walk<'_>,
    program: &str,
    rest: &[Word],
    stage: &Stage,
    input: &Input,
) -> bool {
    match program {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish" | "mksh" | "rbash" | "csh"
        | "tcsh" | "elvish" | "nu" => shell(walk, rest, stage, input),
        "watch" => {
            let code = wrappers::after(rest, &["-n", "--interval"], 0).unwrap_or_default();
            walk.text(&joined(code));
        }
        "eval" | "iex" | "invoke-expression" => {
            if rest.is_empty() {
                standard_input(walk, stage, input);
            }
            rest.iter().for_each(|word| downloaded(walk, word, stage));
            walk.text(&joined(rest));
        }
        "ssh" | "mosh" | "sshpass" | "autossh" | "tailscale-ssh" => ssh(walk, rest, stage, input),
        "su" | "runuser" | "flock" | "script" | "vagrant" | "nix-shell" | "sg"
            if has_code(rest) =>
        {
            code(walk, rest, stage);
        }
        "env" if option_code(rest, &["-S", "--split-string"]).is_some() => {
            let code = option_code(rest, &["-S", "--split-string"]);
            walk.text(&code.map(joined).unwrap_or_default());
        }
        "sudo" | "su" | "doas" | "at" | "batch" if input.given(stage).is_some() => {
            standard_input(walk, stage, input);
        }
        "source" | "." => {
            rest.iter().for_each(|word| script_file(walk, word, stage, input));
        }
        "trap" => walk.text(&rest.first().map(|word| word.text.clone()).unwrap_or_default()),
        "alias" => {
            for word in rest {
                walk.text(word.text.split_once('=').map_or("", |(_, value)| value));
            }
        }
        "xargs" | "gxargs" => xargs(walk, rest, stage, input),
        "parallel" => parallel(walk, rest, input),
        "tmux" | "screen" => {
            rest.iter()
                .filter(|word| word.text.contains(' '))
                .for_each(|word| walk.text(&word.text));
        }
        "cmd" => {
            let at = rest
                .iter()
                .position(|word| matches!(word.text.as_str(), "/c" | "/C" | "/k" | "/K"));
            let code = at.and_then(|at| rest.get(at.saturating_add(1)..)).unwrap_or_default();
            walk.text(&joined(code));
        }
        "powershell" | "pwsh" => powershell(walk, rest, stage, input),
        "socat" => {
            let run = rest.iter().filter_map(|word| {
                let text = &word.text;
                text.strip_prefix("EXEC:")
                    .or(text.strip_prefix("SYSTEM:"))
                    .or(text.strip_prefix("exec:"))
            });
            run.for_each(|code| walk.text(code.split(',').next().unwrap_or_default()));
            return false;
        }
        _ => return false,
    }
    true
}

fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The words from the one that follows an option.
fn option_code<'w>(rest: &'w [Word], names: &[&str]) -> Option<&'w [Word]> {
    let at = rest.iter().position(|word| names.contains(&word.text.as_str()))?;
    rest.get(at.saturating_add(1)..)
}

fn has_code(rest: &[Word]) -> bool {
    option_code(rest, &["-c", "--command", "--run", "-lc"]).is_some()
}

fn code(walk: &mut Walk<'_>, rest: &[Word], stage: &Stage) {
    if let Some([word, ..]) = option_code(rest, &["-c", "--command", "--run", "-lc"]) {
        downloaded(walk, word, stage);
        walk.text(&word.text);
    }
}

/// A shell: its text is the argument of `-c`, a file, or its input.
fn shell(walk: &mut Walk<'_>, rest: &[Word], stage: &Stage, input: &Input) {
    let mut is_code = false;
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "--rcfile" | "--init-file" | "-o" | "+o" | "-O" | "+O" => {
                words.next();
            }
            "-" | "/dev/stdin" => break,
            "-s" => break,
            "--" => {}
            text if is_option(text) || text.starts_with('+') => {
                is_code |= !text.starts_with("--") && text.contains('c');
            }
            text if is_code => {
                downloaded(walk, word, stage);
                walk.text(text);
                return;
            }
            _ => return script_file(walk, word, stage, input),
        }
    }
    standard_input(walk, stage, input);
}

/// Notes that a word is taken from the network, if it is.
fn downloaded(walk: &mut Walk<'_>, word: &Word, stage: &Stage) {
    let nested = word.source.and_then(|source| stage.nested.get(source));
    match nested.map(|script| {
        Input::of(&Stage { body: Some(script.clone()), ..Stage::default() }, &Input::None)
    }) {
        Some(Input::Remote) => walk.downloaded(),
        Some(Input::Hidden) => walk.hidden(),
        _ => {}
    }
}

/// A file that is run, which may be the output of commands.
fn script_file(walk: &mut Walk<'_>, word: &Word, stage: &Stage, input: &Input) {
    if matches!(word.text.as_str(), "/dev/stdin" | "/dev/fd/0" | "-") {
        return standard_input(walk, stage, input);
    }
    if let Some(text) = walk.known.file(&word.text) {
        return walk.text(&text);
    }
    if let Some(nested) = word.source.and_then(|source| stage.nested.get(source)) {
        downloaded(walk, word, stage);
        if let Some(text) = crate::middleware::commands::syntax::output(nested) {
            walk.text(&text);
        }
    }
}

pub(super) fn standard_input(walk: &mut Walk<'_>, stage: &Stage, input: &Input) {
    match (input.given(stage), input) {
        (Some(text), _) => {
            if let Some(document) = stage.document() {
                downloaded(walk, document, stage);
            }
            walk.text(text);
        }
        (None, Input::Remote) => walk.downloaded(),
        (None, Input::Hidden) => walk.hidden(),
        _ => {
            let files = stage.redirects.iter().map(|redirect| &redirect.target);
            files.for_each(|word| downloaded(walk, word, stage));
        }
    }
}

fn ssh(walk: &mut Walk<'_>, rest: &[Word], stage: &Stage, input: &Input) {
    const VALUES: [&str; 19] = [
        "-i", "-p", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-E", "-m", "-W", "-w",
        "-S", "-Q", "-I", "-e",
    ];
    // A wrapper such as `sshpass` may stand before it.
    let rest = match rest.iter().position(|word| word.text == "ssh") {
        Some(at) => rest.get(at.saturating_add(1)..).unwrap_or_default(),
        None => rest,
    };
    match wrappers::after(rest, &VALUES, 1) {
        Some([]) | None => standard_input(walk, stage, input),
        Some(code) => walk.text(&joined(code)),
    }
}

fn xargs(walk: &mut Walk<'_>, rest: &[Word], stage: &Stage, input: &Input) {
    const VALUES: [&str; 10] =
        ["-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E", "--max-args", "--max-procs"];
    let placeholder = Arguments(rest).value(&["-I"]).map(|word| word.text.as_str());
    let attached =
        rest.iter().find_map(|word| word.text.strip_prefix("-I").filter(|text| !text.is_empty()));
    let placeholder = placeholder.or(attached);
    let Some(command) = wrappers::after(rest, &VALUES, 0) else { return };
    let values = match stage.document() {
        Some(document) => Input::Text(document.text.clone()).as_words(),
        None => input.as_words(),
    };
    let words = match placeholder {
        Some(placeholder) => filled(command, placeholder, &values),
        None => command.iter().cloned().chain(values).collect(),
    };
    walk.inner(&words, stage, &Input::Unknown);
}

fn parallel(walk: &mut Walk<'_>, rest: &[Word], input: &Input) {
    let at = rest.iter().position(|word| word.text.starts_with(":::")).unwrap_or(rest.len());
    let (command, values) = rest.split_at_checked(at).unwrap_or_default();
    let command = wrappers::after(command, &["-j", "--jobs", "-n", "-I"], 0).unwrap_or_default();
    let values = match values.get(1..) {
        Some(values) => joined(values),
        None => joined(&input.as_words()),
    };
    let code = joined(command);
    if code.is_empty() {
        walk.text(&values);
    } else if code.contains("{}") {
        walk.text(&code.replace("{}", &values));
    } else {
        walk.text(&format!("{code} {values}"));
    }
}

fn powershell(walk: &mut Walk<'_>, rest: &[Word], stage: &Stage, input: &Input) {
    let at = rest.iter().position(|word| {
        let text = word.text.to_ascii_lowercase();
        text.len() > 1 && "-command".starts_with(&text)
    });
    let encoded = rest.iter().any(|word| {
        let text = word.text.to_ascii_lowercase();
        text == "-enc" || text == "-e" || text.starts_with("-encoded")
    });
    if encoded {
        walk.hidden();
    }
    match at.and_then(|at| rest.get(at.saturating_add(1)..)) {
        Some(code) => walk.text(&joined(code)),
        None => standard_input(walk, stage, input),
    }
}
