//! Deleting files and folders.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{Findings, Severity},
    place::{Place, place},
    syntax::Word,
};

/// How something is deleted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    /// With all that is in it.
    pub(crate) recursive: bool,
    /// Without a question.
    pub(crate) force: bool,
}

/// Judges the deletion of one path.
pub(crate) fn path(word: &Word, how: How, found: &mut Findings) {
    use Severity::{Caution, Dangerous};
    let everything = word.glob || word.text.ends_with('*');
    match (place(word), how.recursive) {
        (Place::Root, _) => {
            found.host(Dangerous, "delete-root", "It deletes the root of the file system");
        }
        (Place::System, true) => {
            found.host(Dangerous, "delete-system", "It deletes a folder that the system needs");
        }
        (Place::System, false) => {
            found.host(Caution, "delete-system-file", "It deletes a file of the system");
        }
        (Place::Critical, _) => {
            let reason = "It deletes what the machine needs to start or to let people in";
            found.host(Dangerous, "delete-critical", reason);
        }
        (Place::Home, true) => {
            found.host(Dangerous, "delete-home", "It deletes a home folder");
        }
        (Place::Personal, _) => {
            found.host(Dangerous, "delete-personal", "It deletes a person's keys or settings");
        }
        (Place::Current | Place::Above, true) => {
            let reason = "It deletes the current folder, or one above it";
            found.host(Dangerous, "delete-here", reason);
        }
        (Place::Current | Place::Above | Place::Home, false) if everything => {
            found.host(Caution, "delete-all", "It deletes every file of a folder");
        }
        (Place::Repository, true) => {
            found.git(Dangerous, "delete-repository", "It deletes a repository with its history");
        }
        (Place::Top, true) => {
            found.host(Dangerous, "delete-top", "It deletes a folder right below the root");
        }
        (Place::Device, _) => {
            found.host(Dangerous, "delete-device", "It deletes a device's file");
        }
        (Place::Deep | Place::HomeInside | Place::Unknown, true) => {
            found.host(Caution, "delete-tree", "It deletes a folder with all that is in it");
        }
        (Place::Inside, true) if how.force => {
            found.host(Caution, "delete-tree", "It deletes a folder with all that is in it");
        }
        _ => {}
    }
}

pub(super) fn rm(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let always = program == "rimraf" || program == "del-cli";
    let how = How {
        recursive: always
            || arguments.short('r')
            || arguments.short('R')
            || arguments.long("recursive"),
        force: always || arguments.short('f') || arguments.long("force"),
    };
    let mut operands = arguments.operands().peekable();
    if operands.peek().is_none() && how.recursive && how.force {
        let reason = "It deletes whatever comes to stand behind it";
        found.host(Severity::Caution, "delete-unnamed", reason);
    }
    operands.for_each(|word| path(word, how, found));
}

pub(super) fn rmdir(arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.0.iter().any(|word| matches!(word.text.as_str(), "/s" | "/S" | "/q" | "/Q")) {
        windows(arguments, found);
    }
}

pub(super) fn shred(arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.operands().any(|word| place(word) == Place::Device) {
        found.host(Severity::Dangerous, "overwrite-device", "It overwrites a disk");
    } else if arguments.operands().next().is_some() {
        found.host(Severity::Caution, "shred", "It overwrites files beyond recovery");
    }
}

pub(super) fn rsync(arguments: Arguments<'_>, found: &mut Findings) {
    let deletes = arguments.options().any(|text| {
        text.starts_with("--delete") || text == "--del" || text == "--remove-source-files"
    });
    if !deletes || arguments.short('n') || arguments.only_shows() || arguments.has("--list-only") {
        return;
    }
    let target = arguments.operands().last().map(place);
    if matches!(target, Some(Place::Root | Place::System | Place::Critical | Place::Home)) {
        let reason = "It deletes what is not in its source from a folder that the system needs";
        found.host(Severity::Dangerous, "mirror-system", reason);
    } else {
        let reason = "It deletes what one side has and the other has not";
        found.host(Severity::Caution, "mirror", reason);
    }
}

/// `del`, `rd` and `Remove-Item`.
pub(super) fn windows(arguments: Arguments<'_>, found: &mut Findings) {
    let is_switch = |text: &str| text.starts_with('/') && text.len() == 2;
    let recursive = arguments.texts().any(|text| {
        let text = text.to_ascii_lowercase();
        text == "/s" || (text.len() > 2 && "-recurse".starts_with(&text))
    });
    let how = How { recursive, force: true };
    for word in arguments.operands().filter(|word| !is_switch(&word.text)) {
        path(word, how, found);
    }
}
