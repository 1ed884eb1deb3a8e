//! Reads case files and the configurations that they want, or finds everything that is wrong.

use super::{
    case::{CaseFile, Wanted},
    contract::{Contract, NotInContract},
    find::Found,
    read::Reader,
};
use crate::config::{self, Compiled, Complaint, EMBEDDED, Path, Problem, Problems};
use std::{
    fmt, fs,
    path::{Path as FilePath, PathBuf},
};

/// Case files, and the configurations that they want, each once.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// The files, each with the index of its configuration.
    pub(crate) files: Vec<(CaseFile, usize)>,
    pub(crate) configs: Vec<Compiled>,
}

/// Everything that is wrong, as lines to print.
#[derive(Debug, Default)]
pub(crate) struct Wrong(Vec<String>);

impl From<NotInContract> for Wrong {
    fn from(error: NotInContract) -> Self {
        Self(vec![error.to_string()])
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

/// Which configurations are one and the same.
#[derive(Debug, PartialEq, Eq)]
enum Source {
    Embedded,
    File(PathBuf),
    /// Of the case file with this index.
    Inline(usize),
}

/// A configuration that cannot be had.
enum Bad {
    /// The case file is wrong about it.
    Named(Problem),
    /// It is wrong itself.
    Config(Problems),
}

/// Reads `found`.
///
/// # Errors
///
/// What is wrong with the files and with their configurations, all at once.
pub(crate) fn load(found: &[Found], contract: &Contract) -> Result<Loaded, Wrong> {
    let reader = Reader::new(contract)?;
    let (mut loaded, mut wrong) = (Loaded::default(), Wrong::default());
    let mut known: Vec<(Source, Option<usize>)> = Vec::new();
    for (index, found) in found.iter().enumerate() {
        let file = match read(&reader, &found.file) {
            Ok(file) => file,
            Err(text) => {
                wrong.0.push(text);
                continue;
            }
        };
        let (source, path) = match source(found, &file, index) {
            Ok(source) => source,
            Err(problem) => {
                wrong.0.push(problem.to_string());
                continue;
            }
        };
        let before = known.iter().find(|(other, _)| *other == source).map(|(_, config)| *config);
        let config = before.unwrap_or_else(|| {
            let compiled = match compile(&file, path.as_deref()) {
                Ok(compiled) => {
                    loaded.configs.push(compiled);
                    Some(loaded.configs.len() - 1)
                }
                Err(Bad::Named(problem)) => {
                    wrong.0.push(problem.to_string());
                    None
                }
                Err(Bad::Config(problems)) => {
                    wrong.0.push(format!("{problems}, which {} wants", file.file.display()));
                    None
                }
            };
            known.push((source, compiled));
            compiled
        });
        loaded.files.extend(config.map(|config| (file, config)));
    }
    if wrong.0.is_empty() { Ok(loaded) } else { Err(wrong) }
}

fn read(reader: &Reader<'_>, file: &FilePath) -> Result<CaseFile, String> {
    let name = file.display();
    let text =
        fs::read_to_string(file).map_err(|error| format!("cannot read `{name}`: {error}"))?;
    reader.read(file, &text).map_err(|problems| {
        let lines: Vec<_> = problems.iter().map(Problem::to_string).collect();
        let count =
            if lines.len() == 1 { "1 problem" } else { &format!("{} problems", lines.len()) };
        format!("{}\n{count} in the cases of {name}", lines.join("\n"))
    })
}

/// The configuration that `file` wants, and its path if it is a file.
fn source(
    found: &Found,
    file: &CaseFile,
    index: usize,
) -> Result<(Source, Option<PathBuf>), Problem> {
    let path = match &file.wanted {
        Wanted::Inline => return Ok((Source::Inline(index), None)),
        Wanted::Nearest => found.nearest_config(),
        Wanted::File(name) => Some(file.file.parent().unwrap_or(FilePath::new("")).join(name)),
    };
    let Some(path) = path else { return Ok((Source::Embedded, None)) };
    let same = fs::canonicalize(&path).map_err(|error| unreadable(file, &path, &error))?;
    Ok((Source::File(same), Some(path)))
}

fn compile(file: &CaseFile, path: Option<&FilePath>) -> Result<Compiled, Bad> {
    if let Some(path) = path {
        let text =
            fs::read_to_string(path).map_err(|error| Bad::Named(unreadable(file, path, &error)))?;
        return config::compile(&path.display().to_string(), &text).map_err(Bad::Config);
    }
    let inline = match file.wanted {
        Wanted::Inline => file.document.part("config"),
        Wanted::Nearest | Wanted::File(_) => None,
    };
    match inline {
        Some(inline) => config::compile_document(inline).map_err(Bad::Config),
        None => config::compile("the embedded default", EMBEDDED).map_err(Bad::Config),
    }
}

fn unreadable(file: &CaseFile, path: &FilePath, error: &std::io::Error) -> Problem {
    let complaint = Complaint::new(format!("cannot read `{}`: {error}", path.display()));
    file.document.problem(&Path::root().key("config"), complaint)
}
