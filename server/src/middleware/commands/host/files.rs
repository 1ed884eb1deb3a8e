//! Moving, copying and overwriting files.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
    place::{Place, place},
    syntax::Word,
};

/// Judges that a file is replaced, or written to.
pub(crate) fn written(word: &Word, replaces: bool, found: &mut Findings) {
    let procedure = word.text.starts_with("/proc/") || word.text.starts_with("/sys/");
    match place(word) {
        Place::Device => found.host(Dangerous, "overwrite-device", "It writes to a disk"),
        Place::Critical if procedure && !word.text.contains("sysrq") => {
            found.host(Caution, "kernel-setting", "It changes a setting of the kernel");
        }
        Place::Critical if replaces || procedure => {
            let reason = "It overwrites what the machine needs to start or to let people in";
            found.host(Dangerous, "overwrite-critical", reason);
        }
        Place::Critical => {
            found.host(Caution, "change-critical", "It changes a file that the system needs");
        }
        Place::Personal if replaces && word.text.contains(".ssh") => {
            found.host(Caution, "overwrite-keys", "It overwrites a person's keys");
        }
        Place::System if replaces => {
            found.host(Caution, "overwrite-system", "It overwrites a file of the system");
        }
        _ => {}
    }
}

pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    match program {
        "mv" => moved(arguments, found),
        "tee" | "sponge" => {
            let appends = arguments.short('a') || arguments.long("append");
            arguments.operands().for_each(|word| written(word, !appends, found));
        }
        "truncate" => {
            arguments.operands().for_each(|word| written(word, true, found));
            let size = arguments.texts().any(|text| matches!(text, "-s0" | "--size=0"))
                || arguments.value(&["-s", "--size"]).is_some_and(|word| word.text == "0");
            if size {
                found.host(Caution, "truncate", "It empties a file");
            }
        }
        "cp" | "install" | "ln" => {
            if let Some(target) = arguments.operands().last() {
                let whole = place(target) == Place::System;
                // A new file in a system folder is an installation, not a loss.
                if !whole {
                    written(target, true, found);
                }
            }
        }
        "sed" if arguments.short('i') || arguments.long("in-place") => {
            arguments.operands().skip(1).for_each(|word| written(word, false, found));
        }
        "scp" => {
            let target = arguments.words().last().unwrap_or_default();
            let path = target.rsplit_once(':').map_or(target, |(_, path)| path);
            let place = place(&Word::plain(path));
            if matches!(place, Place::System | Place::Critical | Place::Root)
                && arguments.words().count() > 1
            {
                found.service(Caution, "copy-to-system", "It copies into a folder of the system");
            }
        }
        "dump" | "restore" if arguments.operands().any(|word| place(word) == Place::Device) => {
            found.host(Caution, "dump", "It copies a file system to or from a disk");
        }
        _ => {}
    }
}

fn moved(arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.operands().skip(1).any(|word| word.text == "/dev/null") {
        let worst = arguments.operands().any(|word| {
            matches!(place(word), Place::Root | Place::System | Place::Critical | Place::Home)
        });
        let severity = if worst { Dangerous } else { Caution };
        found.host(severity, "move-to-null", "It moves files to where nothing is kept");
        return;
    }
    let count = arguments.operands().count();
    for word in arguments.operands().take(count.saturating_sub(1)) {
        if matches!(place(word), Place::Root | Place::System | Place::Critical) {
            found.host(Dangerous, "move-system", "It moves away what the system needs");
        } else if matches!(place(word), Place::Home | Place::Personal) {
            found.host(Dangerous, "move-home", "It moves a home folder away");
        }
    }
    if let Some(target) = arguments.operands().last().filter(|_| count > 1)
        && matches!(place(target), Place::Device | Place::Critical)
    {
        written(target, true, found);
    }
}
