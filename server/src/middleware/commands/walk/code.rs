//! What a program in another language runs or deletes, by the calls it makes.

use super::{
    check::Walk,
    input::Input,
    tokens::{Token, tokens},
};
use crate::middleware::commands::{
    finding::Severity,
    host::{
        delete::{How, path},
        written,
    },
    place::is_device,
    syntax::{Stage, Word},
};

/// Calls that run a command, by the last part of their name.
const RUNS: &[&str] = &[
    "system",
    "popen",
    "popen2",
    "popen2e",
    "popen3",
    "popen4",
    "Popen",
    "call",
    "check_call",
    "check_output",
    "run",
    "getoutput",
    "getstatusoutput",
    "exec",
    "execSync",
    "execFile",
    "execFileSync",
    "spawn",
    "spawnSync",
    "shell_exec",
    "passthru",
    "proc_open",
    "execl",
    "execlp",
    "execv",
    "execvp",
    "execve",
    "spawnl",
    "spawnlp",
    "spawnv",
    "capture2",
    "capture2e",
    "capture3",
    "pipeline",
    "Command",
    "execute",
    "sh",
    "script",
    "create_subprocess_shell",
    "create_subprocess_exec",
    "startProcess",
];

/// Calls that delete a folder with all that is in it.
const TREES: &[&str] = &[
    "rmtree",
    "remove_tree",
    "rm_rf",
    "rm_r",
    "remove_dir",
    "remove_entry",
    "remove_entry_secure",
    "rmdirSync",
    "removeSync",
    "emptyDirSync",
    "rimraf",
    "rimrafSync",
    "delete_tree",
    "deltree",
    "rmSync",
    "removedirs",
];

/// Calls that delete a file, or a folder if they are told to.
const FILES: &[&str] = &[
    "unlink",
    "unlinkSync",
    "os.remove",
    "fs.rm",
    "rm",
    "rm_f",
    "File.delete",
    "FileUtils.rm",
    "Deno.remove",
    "fs.rmdir",
    "os.rmdir",
    "fsPromises.rm",
    "Deno.removeSync",
    "Dir.rmdir",
    "Dir.delete",
];

/// How many calls are followed.
const MOST: usize = 200;

/// How many words of a call are looked at.
const LONGEST: usize = 500;

/// Whether a text looks like a program in another language, and not like one of
/// a shell.
pub(super) fn is_program(text: &str) -> bool {
    const STARTS: [&str; 14] = [
        "import ",
        "from ",
        "def ",
        "class ",
        "const ",
        "let ",
        "var ",
        "async ",
        "await ",
        "require(",
        "print(",
        "console.",
        "with open(",
        "puts ",
    ];
    let text = text.trim_start();
    let starts = STARTS.iter().any(|start| text.starts_with(start));
    (starts && text.contains(['(', '=', '\n'])) || is_call(text)
}

/// Whether a text starts with a call such as `client.users.delete(…)`.
fn is_call(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.'));
    end.and_then(|end| text.split_at_checked(end)).is_some_and(|(name, after)| {
        name.contains('.') && !name.starts_with('.') && after.starts_with('(')
    })
}

/// Judges a program by the calls it makes.
pub(super) fn judge(walk: &mut Walk<'_>, code: &str, backquotes: bool) {
    let tokens = tokens(code);
    if multiplies(&tokens) {
        let reason = "It starts itself until nothing else can run";
        walk.found.host(Severity::Dangerous, "fork-bomb", reason);
    }
    let mut left = MOST;
    for (at, token) in tokens.iter().enumerate() {
        if left == 0 {
            walk.found.host(Severity::Caution, "too-large", "It runs more than can be followed");
            return;
        }
        match token {
            Token::Quoted(command) if backquotes => {
                left = left.saturating_sub(1);
                walk.text(command);
            }
            Token::Name(name) => {
                let rest = tokens.get(at.saturating_add(1)..).unwrap_or_default();
                left = left.saturating_sub(usize::from(called(walk, name, rest)));
            }
            _ => {}
        }
    }
}

/// Judges a call; whether it is one that was followed.
fn called(walk: &mut Walk<'_>, name: &str, rest: &[Token]) -> bool {
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    if RUNS.contains(&last) {
        runs(walk, last, &call(rest));
    } else if TREES.contains(&last) || FILES.iter().any(|file| ends_with(name, file)) {
        deletes(walk, TREES.contains(&last), &call(rest));
    } else if last == "open" || last.contains("write") || last.contains("Write") {
        writes(walk, last, &call(rest));
    } else {
        if name.contains('.') && rest.first() == Some(&Token::Open) {
            of_service(walk, name);
        }
        return false;
    }
    true
}

fn writes(walk: &mut Walk<'_>, name: &str, call: &Call) {
    let mode = |text: &String| text.starts_with(['w', 'r', 'a']) && text.contains(['w', '+']);
    if name != "open" || call.texts.iter().any(mode) {
        let devices = call.texts.iter().filter(|text| is_device(text));
        devices.for_each(|text| written(&Word::plain(text.as_str()), true, walk.found));
    }
}

/// Whether a name is another, or ends with it.
fn ends_with(name: &str, end: &str) -> bool {
    name.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with(['.', ':']))
}

fn runs(walk: &mut Walk<'_>, name: &str, call: &Call) {
    match call.texts.as_slice() {
        [first, _, ..] if !first.contains(' ') => {
            let words: Vec<_> = call.texts.iter().map(Word::plain).collect();
            walk.inner(&words, &Stage::default(), &Input::None);
        }
        texts => texts.iter().for_each(|text| walk.text(text)),
    }
    // In some languages it runs a program of the language.
    if name == "exec" {
        call.texts
            .iter()
            .filter(|text| text.contains('('))
            .for_each(|text| judge(walk, text, false));
    }
}

/// Judges a call that deletes something of a service, by its client's method.
fn of_service(walk: &mut Walk<'_>, name: &str) {
    const VERBS: [&str; 8] = [
        ".delete",
        ".destroy",
        ".drop",
        ".deleteMany",
        ".clearObjects",
        ".deleteIndex",
        ".dropDatabase",
        ".purge",
    ];
    if VERBS.iter().any(|verb| name.ends_with(verb)) {
        walk.found.service(
            Severity::Dangerous,
            "client-delete",
            "It deletes something of a service",
        );
    }
}

fn deletes(walk: &mut Walk<'_>, tree: bool, call: &Call) {
    let recursive = tree || call.names.iter().any(|name| name == "recursive" || name == "recurse");
    let how = How { recursive, force: true };
    if call.texts.is_empty() && recursive {
        let unknown = Word { text: "$path".to_owned(), dynamic: true, ..Word::default() };
        path(&unknown, how, walk.found);
    }
    if recursive && !call.texts.is_empty() {
        // A program hides what it deletes better than a command does.
        let reason = "It deletes a folder with all that is in it";
        walk.found.host(Severity::Caution, "delete-by-program", reason);
    }
    for text in &call.texts {
        let word = Word { text: text.clone(), glob: text.contains('*'), ..Word::default() };
        path(&word, how, walk.found);
    }
}

/// What stands in the parentheses of a call, or behind its name.
#[derive(Debug, Default)]
struct Call {
    texts: Vec<String>,
    names: Vec<String>,
}

fn call(rest: &[Token]) -> Call {
    let mut call = Call::default();
    let mut open = 0_usize;
    let enclosed = rest.first() == Some(&Token::Open);
    for token in rest.iter().take(LONGEST) {
        match token {
            Token::Open => open = open.saturating_add(1),
            Token::Close => open = open.saturating_sub(1),
            Token::End if open == 0 => break,
            Token::End => {}
            Token::Text(text) | Token::Quoted(text) => call.texts.push(text.clone()),
            Token::Name(name) if name.ends_with("Path.home") || name.ends_with("homedir") => {
                call.texts.push("~".to_owned());
            }
            Token::Name(name) => call.names.push(name.clone()),
        }
        if enclosed && open == 0 {
            break;
        }
    }
    call
}

fn multiplies(tokens: &[Token]) -> bool {
    let has = |test: &dyn Fn(&str) -> bool| {
        tokens.iter().any(|token| matches!(token, Token::Name(name) if test(name)))
    };
    has(&|name| name == "fork" || name.ends_with(".fork"))
        && has(&|name| name == "while" || name == "loop")
}
