//! What one look at a file or folder sees, so that the next look can tell whether it changed.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{self, File, Metadata},
    hash::{DefaultHasher, Hasher},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::Path,
    time::{Duration, SystemTime},
};

/// The clocks of file systems go in steps, of 2 s at most. A file that is younger may change once
/// more without a change of its times, so its content is looked at too.
const CLOCK_STEP: Duration = Duration::from_secs(2);

/// So many bytes of a young file are looked at: more than a configuration or a script has.
const CONTENT_BYTES: u64 = 1 << 20;

/// One look at a path. Symbolic links are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fingerprint {
    /// Nothing that can be seen is there.
    Absent(io::ErrorKind),
    /// A file.
    File(Stat, Content),
    /// A folder, with the names of its entries.
    Folder(Stat, BTreeMap<OsString, Self>),
    /// A pipe or a device, which looking would use up, or a folder that the path leads back into.
    Other(Id),
}

/// A device and an inode.
type Id = (u64, u64);

/// What the file system knows of a file or a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stat {
    id: Id,
    size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
}

/// What is in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Content {
    /// Whether it may change once more without a trace.
    young: bool,
    /// Known while it is young, and at the first look after that.
    digest: Option<u64>,
}

impl Fingerprint {
    /// Looks at `path`; `before` is what the last look saw there.
    pub(super) fn of(path: &Path, before: Option<&Self>) -> Self {
        Self::inside(path, before, &mut Vec::new())
    }

    /// Whether this is a file.
    pub(super) fn is_file(&self) -> bool {
        matches!(self, Self::File(..))
    }

    /// Whether nothing is there.
    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent(_))
    }

    /// `around` are the folders that the path is in.
    fn inside(path: &Path, before: Option<&Self>, around: &mut Vec<Id>) -> Self {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return Self::Absent(error.kind()),
        };
        let stat = Stat {
            id: (metadata.dev(), metadata.ino()),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        };
        if metadata.is_file() {
            let young = is_young(&metadata);
            let was_young =
                matches!(before, Some(Self::File(old, content)) if *old == stat && content.young);
            let digest = if young || was_young { digest(path).ok() } else { None };
            return Self::File(stat, Content { young, digest });
        }
        if !metadata.is_dir() || around.contains(&stat.id) {
            return Self::Other(stat.id);
        }
        let names = match fs::read_dir(path) {
            Ok(entries) => entries.filter_map(Result::ok).map(|entry| entry.file_name()),
            Err(error) => return Self::Absent(error.kind()),
        };
        around.push(stat.id);
        let entries = names.map(|name| {
            let before = match before {
                Some(Self::Folder(_, entries)) => entries.get(&name),
                _ => None,
            };
            let entry = Self::inside(&path.join(&name), before, around);
            (name, entry)
        });
        let entries = entries.collect();
        around.pop();
        Self::Folder(stat, entries)
    }

    /// Whether this look, which knew of `before`, sees something else.
    pub(super) fn differs(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::File(stat, now), Self::File(old, before)) => {
                let content = now.digest.zip(before.digest);
                stat != old || content.is_some_and(|(now, before)| now != before)
            }
            (Self::Folder(stat, now), Self::Folder(old, before)) => {
                let both = || now.iter().zip(before);
                stat != old
                    || now.len() != before.len()
                    || both().any(|(now, before)| now.0 != before.0 || now.1.differs(before.1))
            }
            (now, before) => now != before,
        }
    }
}

fn is_young(metadata: &Metadata) -> bool {
    let Ok(modified) = metadata.modified() else { return true };
    let age = SystemTime::now().duration_since(modified);
    // Another machine's clock may be ahead of ours.
    age.unwrap_or_else(|ahead| ahead.duration()) < CLOCK_STEP
}

fn digest(path: &Path) -> io::Result<u64> {
    let mut content = Vec::new();
    File::open(path)?.take(CONTENT_BYTES).read_to_end(&mut content)?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&content);
    Ok(hasher.finish())
}
