//! What files are called in messages, and as modules.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use super::resolve::clean;

/// What the names of built-in modules begin with.
pub(super) const BUILTIN_PREFIX: &str = "sidehook:";

/// Writes paths relative to a folder.
#[derive(Debug)]
pub(super) struct Names {
    /// The folders that are left out of a name, the preferred one first.
    bases: Vec<PathBuf>,
}

impl Names {
    /// Names relative to `base`; for files elsewhere, as `entry` was given.
    pub(super) fn new(base: &Path, entry: &Path) -> Self {
        let base = clean(base);
        let real = base.canonicalize().ok();
        let working_folder = entry.is_relative().then(|| clean(Path::new(".")));
        Self { bases: [Some(base), real, working_folder].into_iter().flatten().collect() }
    }

    /// The name of the file at an absolute `path`, with `/` between folders.
    pub(super) fn of(&self, path: &Path) -> String {
        let relative = self.bases.iter().find_map(|base| path.strip_prefix(base).ok());
        let name = relative.unwrap_or(path).to_string_lossy().replace(MAIN_SEPARATOR, "/");
        if name.starts_with(BUILTIN_PREFIX) { format!("./{name}") } else { name }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_relative_to_the_base() {
        let names = Names::new(Path::new("/conf"), Path::new("/conf/guards/a.ts"));
        assert_eq!(names.of(Path::new("/conf/guards/a.ts")), "guards/a.ts");
    }

    #[test]
    fn a_file_outside_of_the_base_is_named_as_it_was_given() {
        let names = Names::new(Path::new("/conf"), Path::new("/other/a.ts"));
        assert_eq!(names.of(Path::new("/other/a.ts")), "/other/a.ts");
        let names = Names::new(Path::new("/conf"), Path::new("other/a.ts"));
        assert_eq!(names.of(&clean(Path::new("other/a.ts"))), "other/a.ts");
    }

    #[test]
    fn no_file_is_named_like_a_built_in_module() {
        let names = Names::new(Path::new("/conf"), Path::new("/conf/sidehook:a.ts"));
        assert_eq!(names.of(Path::new("/conf/sidehook:a.ts")), "./sidehook:a.ts");
    }
}
