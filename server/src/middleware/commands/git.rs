//! What loses work under version control.

use super::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
    syntax::Word,
};

const CHANGES: &str = "It discards changes that are not committed";
const HISTORY: &str = "It rewrites or deletes what others may have";

/// Judges a command of `git`.
pub(super) fn judge(words: &[Word], found: &mut Findings) {
    let Some((verb, rest)) = verb(words) else { return };
    let arguments = Arguments(rest);
    if arguments.any(&["--help", "-h", "--dry-run"]) {
        return;
    }
    match verb {
        "reset" => reset(arguments, found),
        "clean" if arguments.short('n') => {}
        "clean" if arguments.short('f') || arguments.long("force") => {
            found.git(
                Dangerous,
                "git-clean",
                "It deletes files that are not under version control",
            );
        }
        "push" => push(arguments, found),
        "branch" => branch(arguments, found),
        "checkout" => checkout(arguments, found),
        "switch" if arguments.any(&["-f", "--force", "--discard-changes", "-C"]) => {
            found.git(Dangerous, "git-discard", CHANGES);
        }
        "restore" => restore(arguments, found),
        "stash" if matches!(arguments.word(0), "drop" | "clear") => {
            found.git(Dangerous, "git-stash", "It deletes changes that were set aside");
        }
        "reflog" => {
            let all = arguments.any(&["--expire=now", "--expire-unreachable=now", "--all"]);
            if arguments.word(0) == "delete" || (arguments.word(0) == "expire" && all) {
                found.git(Dangerous, "git-reflog", "It deletes the way back to lost commits");
            }
        }
        "filter-branch" | "filter-repo" => found.git(Dangerous, "git-rewrite", HISTORY),
        "update-ref" if arguments.any(&["-d", "--delete", "--stdin"]) => {
            found.git(Dangerous, "git-delete-ref", HISTORY);
        }
        "rm" => rm(arguments, found),
        "symbolic-ref" if arguments.any(&["-d", "--delete"]) => {
            found.git(Dangerous, "git-delete-ref", HISTORY);
        }
        _ => lesser(verb, arguments, found),
    }
}

/// What loses a little, or can be undone with some work.
fn lesser(verb: &str, arguments: Arguments<'_>, found: &mut Findings) {
    match verb {
        "gc" | "prune" | "repack"
            if (arguments.options().any(|text| {
                text.starts_with("--prune=now") || text.starts_with("--expire=now")
            }) || (verb == "gc" && arguments.long("aggressive"))
                || verb == "prune") =>
        {
            found.git(Caution, "git-prune", "It deletes commits that nothing refers to any more");
        }
        "rebase" if arguments.any(&["--root", "--skip"]) => {
            found.git(Caution, "git-rewrite", HISTORY);
        }
        "tag" if arguments.any(&["-d", "--delete", "-f", "--force"]) => {
            found.git(Caution, "git-tag", "It deletes or moves a tag");
        }
        "worktree" if arguments.word(0) == "remove" => worktree(arguments, found),
        "remote" if matches!(arguments.word(0), "remove" | "rm" | "prune") => {
            found.git(Caution, "git-remote", "It forgets a remote and its branches");
        }
        "submodule" if arguments.word(0) == "deinit" => {
            found.git(Caution, "git-submodule", CHANGES);
        }
        "lfs" if arguments.word(0) == "prune" => {
            found.git(Caution, "git-prune", "It deletes local copies of large files");
        }
        "apply" | "merge" | "am" | "cherry-pick" | "revert"
            if arguments.any(&["--abort", "--quit"]) =>
        {
            found.git(Caution, "git-abort", CHANGES);
        }
        _ => {}
    }
}

/// The verb and what follows it, without what stands before.
fn verb(words: &[Word]) -> Option<(&str, &[Word])> {
    let (word, rest) = words.split_first()?;
    match word.text.as_str() {
        "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" => {
            verb(rest.get(1..)?)
        }
        "--help" | "--version" | "-h" | "-v" => None,
        text if text.starts_with('-') => verb(rest),
        text => Some((text, rest)),
    }
}

fn reset(arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.long("hard") || arguments.long("merge") {
        found.git(Dangerous, "git-reset", CHANGES);
    } else if arguments.0.is_empty() {
        found.git(Caution, "git-unstage", "It takes back everything that was staged");
    }
}

fn push(arguments: Arguments<'_>, found: &mut Findings) {
    let forced = arguments.options().any(|text| {
        text == "--force"
            || text == "--mirror"
            || text == "--prune"
            || text == "--delete"
            || text.starts_with("--force=")
            || (!text.starts_with("--") && text.contains(['f', 'd']))
    });
    let refspec = arguments.words().skip(1).any(|word| word.starts_with(['+', ':']));
    if forced || refspec {
        found.git(Dangerous, "git-push-force", HISTORY);
    } else if arguments.options().any(|text| text.starts_with("--force-with-lease")) {
        found.git(Caution, "git-push-lease", HISTORY);
    }
}

fn branch(arguments: Arguments<'_>, found: &mut Findings) {
    let deletes = arguments.short('d') || arguments.long("delete");
    let forced = arguments.short('f') || arguments.long("force");
    if arguments.short('D') || forced || arguments.short('M') || arguments.short('C') {
        found.git(Dangerous, "git-branch", "It deletes or moves a branch that may not be merged");
    } else if deletes && arguments.short('r') {
        found.git(Caution, "git-branch", "It forgets a branch of a remote");
    }
}

fn checkout(arguments: Arguments<'_>, found: &mut Findings) {
    let mut after = arguments.texts().skip_while(|text| *text != "--").skip(1).peekable();
    let forced = arguments.options().any(|text| text == "--force" || text == "-f" || text == "-B");
    let everything = |text: &str| matches!(text, "." | "./" | "*" | ":/" | "..");
    if after.peek().is_some() {
        let whole = after.any(everything);
        let severity = if whole { Dangerous } else { Caution };
        found.git(severity, "git-discard", CHANGES);
    } else if forced || arguments.words().any(everything) {
        found.git(Dangerous, "git-discard", CHANGES);
    } else if arguments.any(&["--ours", "--theirs"]) {
        found.git(Caution, "git-discard", CHANGES);
    }
}

fn restore(arguments: Arguments<'_>, found: &mut Findings) {
    let staged = arguments.short('S') || arguments.long("staged");
    let worktree = arguments.short('W') || arguments.long("worktree");
    let whole = arguments.words().any(|word| matches!(word, "." | "*" | ":/"));
    if staged && !worktree {
        if whole {
            found.git(Caution, "git-unstage", "It takes back everything that was staged");
        }
    } else if arguments.operands().next().is_some() {
        let severity = if whole { Dangerous } else { Caution };
        found.git(severity, "git-discard", CHANGES);
    }
}

fn worktree(arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.short('f') || arguments.long("force") {
        found.git(Dangerous, "git-worktree", CHANGES);
    } else {
        found.git(Caution, "git-worktree", "It removes a working tree");
    }
}

fn rm(arguments: Arguments<'_>, found: &mut Findings) {
    let whole = arguments.words().any(|word| matches!(word, "." | "*" | "./*"));
    if arguments.long("cached") {
        return;
    }
    if whole {
        found.git(Dangerous, "git-rm", "It deletes everything under version control");
    } else if arguments.short('r') || arguments.short('f') || arguments.long("force") {
        found.git(Caution, "git-rm", "It deletes files with their changes");
    }
}
