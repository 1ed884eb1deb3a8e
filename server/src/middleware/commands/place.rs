//! Where a path leads, as far as its text says.

use super::syntax::Word;

/// Where a path leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The root of the file system, or a drive.
    Root,
    /// A folder that the system needs, or what is in it.
    System,
    /// A file that the system needs to start or to let people in.
    Critical,
    /// A person's folder, or the folder of all of them.
    Home,
    /// Keys, settings and documents of a person.
    Personal,
    /// Something else in a person's folder.
    HomeInside,
    /// What is in a folder for temporary files.
    Temporary,
    /// The current folder, or all that is in it.
    Current,
    /// A folder above the current one.
    Above,
    /// A repository's own folder.
    Repository,
    /// Something in the current folder.
    Inside,
    /// A folder right below the root that nobody knows here.
    Top,
    /// Something deeper.
    Deep,
    /// A disk or a partition.
    Device,
    /// It is only known when the command runs.
    Unknown,
}

/// Where a word leads.
pub(super) fn place(word: &Word) -> Place {
    let text = word.text.as_str();
    if is_device(text) {
        return Place::Device;
    }
    if text.starts_with("/dev/") && text != "/dev/" {
        return Place::Temporary;
    }
    if let Some(place) = windows(text) {
        return place;
    }
    let (anchor, path) = anchor(text);
    let mut parts = Vec::new();
    let mut above = false;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => above = true,
            ".." => {}
            // All that is in a folder is as good as the folder.
            part if is_everything(part) => {}
            part => parts.push(part),
        }
    }
    let everything = path.rsplit('/').next().is_some_and(is_everything);
    match anchor {
        Anchor::Root => absolute(&parts, word.dynamic, everything),
        Anchor::Home if above => Place::System,
        Anchor::Home => home(&parts),
        Anchor::Temporary if above => Place::System,
        Anchor::Temporary => Place::Temporary,
        Anchor::None if word.dynamic => Place::Unknown,
        Anchor::None if above => Place::Above,
        Anchor::None => match parts.as_slice() {
            [] => Place::Current,
            [.., ".git"] => Place::Repository,
            // Names of nothing but dots are mistyped ways up.
            [name] if name.bytes().all(|byte| byte == b'.') => Place::Above,
            _ => Place::Inside,
        },
    }
}

/// Whether it is a disk, a partition, or memory that is one.
pub(super) fn is_device(text: &str) -> bool {
    let Some(name) = device_name(text) else { return false };
    const HARMLESS: [&str; 15] = [
        "null", "zero", "full", "random", "urandom", "std", "tty", "fd/", "pts", "shm", "tcp/",
        "udp/", "ptmx", "console", "log",
    ];
    !name.is_empty() && !HARMLESS.iter().any(|harmless| name.starts_with(harmless))
}

/// Whether it is a part of a disk, and not all of it.
pub(super) fn is_partition(text: &str) -> bool {
    let name = device_name(text).unwrap_or_default();
    let numbered = name.ends_with(|c: char| c.is_ascii_digit());
    match name {
        name if name.starts_with("nvme") || name.starts_with("mmcblk") => name.contains('p'),
        name if name.starts_with("disk") || name.starts_with("rdisk") => {
            name.contains('s')
                && numbered
                && name.rsplit('s').next().is_some_and(|tail| tail.len() < 3 && !tail.contains('k'))
        }
        name if name.starts_with("md") || name.starts_with("loop") => false,
        _ => numbered || name.contains('/') || name.starts_with("dm-"),
    }
}

fn device_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix("/dev/").or_else(|| {
        let clean = text.trim_start_matches("/.").trim_start_matches('/');
        text.starts_with("//").then(|| clean.strip_prefix("dev/")).flatten()
    })?;
    Some(name.trim_start_matches(['/', '.']))
}

enum Anchor {
    Root,
    Home,
    Temporary,
    None,
}

fn anchor(text: &str) -> (Anchor, &str) {
    if text.starts_with('/') {
        return (Anchor::Root, text);
    }
    for home in ["$HOME", "~"] {
        if let Some(rest) = text.strip_prefix(home) {
            // `~name` is somebody's folder too.
            let after = rest.find('/').map_or("", |at| rest.get(at..).unwrap_or_default());
            if rest.is_empty() || rest.starts_with('/') || home == "~" {
                return (Anchor::Home, after);
            }
        }
    }
    match text.strip_prefix("$TMPDIR") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => (Anchor::Temporary, rest),
        _ => (Anchor::None, text),
    }
}

fn is_everything(part: &str) -> bool {
    !part.is_empty() && part.contains('*') && part.chars().all(|c| "*.?[!]".contains(c))
}

fn absolute(parts: &[&str], dynamic: bool, everything: bool) -> Place {
    match parts {
        [] if everything || !dynamic => Place::Root,
        [] => Place::Unknown,
        ["tmp" | "scratch", ..] | ["var", "tmp" | "folders" | "cache", ..] => Place::Temporary,
        ["private", "tmp", ..] | ["private", "var", "folders", ..] | ["dev", "shm", ..] => {
            Place::Temporary
        }
        ["home" | "Users"] => Place::Home,
        ["home" | "Users", rest @ ..] => home(rest.get(1..).unwrap_or_default()),
        ["root", rest @ ..] => home(rest),
        ["etc", file, rest @ ..]
            if is_critical(file) || rest.iter().any(|part| is_critical(part)) =>
        {
            Place::Critical
        }
        ["boot" | "proc" | "sys", ..] => Place::Critical,
        ["usr", "local" | "src" | "share", _, _, ..] => Place::Deep,
        [
            "etc" | "usr" | "bin" | "sbin" | "lib" | "lib32" | "lib64" | "libx32" | "dev"
            | "System",
            ..,
        ]
        | ["Library" | "Applications" | "private" | "Volumes" | "nix", ..] => Place::System,
        ["var", "lib", _, ..] | ["var", "www"] | ["var"] | ["var", _] => Place::System,
        ["opt" | "srv" | "mnt" | "media" | "run"] => Place::System,
        [first, ..] if first.starts_with('$') => Place::Unknown,
        [_] => Place::Top,
        [.., ".git"] => Place::Repository,
        _ => Place::Deep,
    }
}

fn is_critical(name: &str) -> bool {
    const NAMES: [&str; 17] = [
        "passwd",
        "shadow",
        "group",
        "gshadow",
        "sudoers",
        "sudoers.d",
        "fstab",
        "crypttab",
        "hosts",
        "pam.d",
        "ssh",
        "ld.so.preload",
        "ld.so.conf",
        "inittab",
        "resolv.conf",
        "nsswitch.conf",
        "systemd",
    ];
    NAMES.contains(&name)
}

fn home(parts: &[&str]) -> Place {
    const PERSONAL: [&str; 27] = [
        ".ssh",
        ".gnupg",
        ".aws",
        ".kube",
        ".config",
        ".local",
        ".docker",
        ".azure",
        ".netrc",
        ".password-store",
        ".pki",
        ".bashrc",
        ".bash_profile",
        ".profile",
        ".zshrc",
        ".zprofile",
        ".gitconfig",
        ".mozilla",
        ".thunderbird",
        "Documents",
        "Desktop",
        "Pictures",
        "Downloads",
        "Music",
        "Movies",
        "Videos",
        "Library",
    ];
    match parts {
        [] => Place::Home,
        [".cache", _, ..] => Place::Temporary,
        [".ssh" | ".gnupg" | ".aws" | ".kube", ..] => Place::Personal,
        [name] if PERSONAL.contains(name) => Place::Personal,
        [.., ".git"] => Place::Repository,
        _ => Place::HomeInside,
    }
}

/// Where a path of Windows leads.
fn windows(text: &str) -> Option<Place> {
    let lower = text.to_ascii_lowercase().replace('\\', "/");
    let path = match lower.strip_prefix("%userprofile%").or(lower.strip_prefix("$env:userprofile"))
    {
        Some(rest) if rest.trim_matches(['/', '*']).is_empty() => return Some(Place::Home),
        Some(_) => return Some(Place::HomeInside),
        None => lower.strip_prefix("%systemroot%").map(|_| "c:/windows").unwrap_or(&lower),
    };
    let mut chars = path.chars();
    let drive = chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':');
    if !drive {
        return None;
    }
    let parts: Vec<_> = path
        .get(2..)
        .unwrap_or_default()
        .split('/')
        .filter(|part| !part.is_empty() && *part != "." && !is_everything(part))
        .collect();
    Some(match parts.as_slice() {
        [] => Place::Root,
        ["windows" | "program files" | "program files (x86)" | "programdata" | "boot", ..] => {
            Place::System
        }
        ["users"] | ["users", _] => Place::Home,
        ["users", _, .., "temp"] | ["temp" | "tmp", ..] => Place::Temporary,
        ["users", ..] => Place::HomeInside,
        [_] => Place::Top,
        _ => Place::Deep,
    })
}
