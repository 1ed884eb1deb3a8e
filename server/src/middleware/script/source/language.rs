//! What a file holds, by its name.

use std::path::Path;

use super::problem::Complaint;

/// The endings that an import may leave out, in the order in which they are tried.
pub(super) const IMPLIED_EXTENSIONS: [&str; 4] = ["ts", "mts", "js", "mjs"];

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// JavaScript with types.
    TypeScript,
    /// JavaScript.
    JavaScript,
    /// Data.
    Json,
}

impl Language {
    /// The language of the file at `path`, or why it has none that a script can be written in.
    pub(super) fn of(path: &Path) -> Result<Self, Complaint> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if name.ends_with(".d.ts") || name.ends_with(".d.mts") {
            let complaint = Complaint::new("a declaration file holds types only, no code");
            return Err(complaint.help("use `import type`".to_owned()));
        }
        match extension.as_ref() {
            "ts" | "mts" => Ok(Self::TypeScript),
            "js" | "mjs" => Ok(Self::JavaScript),
            "json" => Ok(Self::Json),
            "tsx" | "jsx" => Err(Complaint::new("JSX is not supported")),
            "cts" | "cjs" => Err(Complaint::new("CommonJS is not supported")
                .help("use `import` and `export`, and name the file `.ts` or `.js`".to_owned())),
            _ => Err(Complaint::new(format!("`{name}` is not a script")).help(
                "a script's name ends with .ts, .mts, .js or .mjs; .json can be imported"
                    .to_owned(),
            )),
        }
    }
}
