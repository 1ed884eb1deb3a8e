//! Makes middleware of an entry of the configuration: finds the files, loads
//! them, and names what they hold.

use super::{
    config::ScriptConfig,
    fault,
    found::Found,
    handle::Script,
    middleware::ScriptMiddleware,
    pool,
    source::{Program, SourceProblem},
    thread::realm::{LoadError, Recipe},
};
use crate::{
    config::{Complaint, Place, Problem, Sources, nearest},
    hooks::HookId,
    middleware::{Made, Misfit, Part, Written},
};
use std::{
    collections::{BTreeSet, HashSet},
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The files that a folder's middleware may stand in.
const EXTENSIONS: [&str; 4] = ["ts", "mts", "js", "mjs"];

/// Makes the middleware of an entry.
pub(crate) fn build(written: &Written<'_>, sources: &mut Sources) -> Result<Made, Misfit> {
    let config: ScriptConfig = written.read()?;
    let base = written.base();
    let (files, root, is_folder) = match (&config.file, &config.dir) {
        (Some(file), None) => {
            let file = base.join(file);
            let root = file.parent().unwrap_or(base).to_owned();
            (vec![file], root, false)
        }
        (None, Some(dir)) => {
            let dir = base.join(dir);
            sources.watch(&dir);
            let files = files(&dir).map_err(|problem| written.wrong("dir", problem))?;
            (files, dir, true)
        }
        (None, None) => return Err(written.wrong("kind", "needs a `file` or a `dir`")),
        (Some(_), Some(_)) => {
            return Err(written.wrong("dir", "`file` and `dir` exclude each other"));
        }
    };
    let mut problems = Vec::new();
    let mut scripts = Vec::new();
    for file in &files {
        match load(written, &config, (file, &root, base), sources) {
            Ok(script) => {
                sources.add_digest(hex(script.recipe().program.digest()));
                scripts.push((file, script));
            }
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let parts = parts(written, &scripts, is_folder)?;
    Ok(Made { parts })
}

/// The files of a folder, by name. What does not run is left out: types, and
/// what is hidden.
fn files(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error| format!("cannot read `{}`: {error}", dir.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let is_script = EXTENSIONS.contains(&extension)
            && !name.starts_with('.')
            && !name.ends_with(".d.ts")
            && !name.ends_with(".d.mts");
        if is_script && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(format!("there is no `.ts` or `.js` file in `{}`", dir.display()));
    }
    Ok(files)
}

/// Loads one file, or finds it running.
fn load(
    written: &Written<'_>,
    config: &ScriptConfig,
    (file, root, base): (&Path, &Path, &Path),
    sources: &mut Sources,
) -> Result<Arc<Script>, Misfit> {
    let mut watched = BTreeSet::new();
    let loaded = Program::load(file, root, base, &mut watched);
    watched.into_iter().for_each(|path| sources.watch(path));
    let program = loaded
        .map_err(|found| found.into_iter().map(|it| placed(written, it)).collect::<Misfit>())?;
    let recipe = Recipe {
        name: written.name.into(),
        program: Arc::new(program),
        limits: config.limits.limits(),
    };
    let program = Arc::clone(&recipe.program);
    pool::running(recipe).map_err(|error| vec![not_loaded(written, &program, error)])
}

/// A problem of a script, in the place where it stands.
fn placed(written: &Written<'_>, found: SourceProblem) -> Problem {
    Problem {
        file: found.file,
        place: Place { line: found.line as usize, column: found.column as usize },
        path: written.path.to_string(),
        message: found.message,
        suggestion: found.help,
    }
}

/// Why a script that compiles does not load.
fn not_loaded(written: &Written<'_>, program: &Program, error: LoadError) -> Problem {
    let message = match error {
        LoadError::Threw(text) => {
            let thrown = fault::Thrown::read(&text, program);
            let message = format!("the script failed while it was loaded: {}", thrown.text);
            if let Some(frame) = thrown.frame {
                return Problem {
                    file: frame.file,
                    place: Place {
                        line: frame.position.line as usize,
                        column: frame.position.column as usize,
                    },
                    path: written.path.to_string(),
                    message,
                    suggestion: None,
                };
            }
            message
        }
        LoadError::Unfinished => "the script does not come to an end while it is loaded".into(),
        LoadError::Engine(error) => format!("the script cannot be loaded: {error}"),
    };
    Problem {
        file: program.entry().into(),
        place: Place::START,
        path: written.path.to_string(),
        message,
        suggestion: None,
    }
}

/// The middleware of all files, with their names.
fn parts(
    written: &Written<'_>,
    scripts: &[(&PathBuf, Arc<Script>)],
    is_folder: bool,
) -> Result<Vec<Part>, Misfit> {
    let mut problems = Vec::new();
    let mut parts = Vec::new();
    let mut names = HashSet::new();
    let count: usize = scripts.iter().map(|(_, script)| script.found().len()).sum();
    for (file, script) in scripts {
        let entry = script.recipe().program.entry();
        // In a folder, a file without middleware is one that others import.
        if script.found().is_empty() && !is_folder {
            problems.push(of_file(written, entry, "the script holds no middleware", Some(HOW)));
        }
        for (index, found) in script.found().iter().enumerate() {
            problems.extend(wrong(written, entry, found));
            let name = (is_folder || count > 1).then(|| name(file, script, index, found));
            if let Some(name) = name.as_deref().filter(|name| !is_name(name)) {
                let message = format!("{name:?} is not a name");
                problems.push(of_file(written, entry, &message, Some(NAME)));
                continue;
            }
            if !names.insert(name.clone()) {
                let message = format!("the name `{}` is there twice", name.unwrap_or_default());
                problems.push(of_file(written, entry, &message, Some("names are unique")));
                continue;
            }
            parts.push(Part {
                name,
                priority: found.priority,
                timeout: found.timeout,
                middleware: Arc::new(ScriptMiddleware::new(
                    Arc::clone(script),
                    index,
                    found.clone(),
                )),
            });
        }
    }
    if parts.is_empty() && problems.is_empty() {
        return Err(written.wrong("dir", "no file in it holds middleware"));
    }
    if problems.is_empty() { Ok(parts) } else { Err(problems) }
}

/// What a script without middleware lacks.
const HOW: &str = "export an object with a function that is named after a hook, such as \
                   `export default { beforeRun({ input }) {} }`, or assign one to \
                   `globalThis.middleware.<hook>`";

/// What a name of one middleware among several is.
const NAME: &str = "a name is 1 to 64 characters, without control characters";

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.chars().count()) && !name.chars().any(char::is_control)
}

/// The name of one middleware among several: its own, or that of its file.
fn name(file: &Path, script: &Script, index: usize, found: &Found) -> String {
    if let Some(name) = &found.name {
        return name.clone();
    }
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("script");
    if script.found().len() == 1 { stem.into() } else { format!("{stem}[{index}]") }
}

/// What a middleware may say of itself beside its name, which is too short to guess at.
const SETTINGS: [&str; 4] = ["priority", "enabled", "timeoutMs", "holdsStream"];

/// What is wrong with one middleware.
fn wrong(written: &Written<'_>, entry: &str, found: &Found) -> Vec<Problem> {
    let mut problems: Vec<_> =
        found.problems.iter().map(|problem| of_file(written, entry, problem, None)).collect();
    let hooks: Vec<_> = HookId::ALL.iter().map(|hook| hook.script_name()).collect();
    let hooks: Vec<_> = hooks.iter().map(String::as_str).collect();
    // What is neither is the script's own business, unless it is spelled almost like one.
    let mut check = |names: &[String], known: &[&str], what: &str| {
        for name in names {
            if let Some(suggestion) = almost(name, known) {
                let message = format!("`{}.{name}` is no {what}", found.exported);
                problems.push(of_file(written, entry, &message, Some(&suggestion)));
            }
        }
    };
    check(&found.functions, &hooks, "hook");
    check(&found.values, &SETTINGS, "setting");
    problems
}

/// A question for the name that was meant, if one is spelled almost like this.
fn almost(name: &str, known: &[&str]) -> Option<String> {
    let is_close = known.iter().any(|other| strsim::damerau_levenshtein(other, name) <= 2);
    nearest(name, known.iter().copied()).filter(|_| is_close)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn of_file(written: &Written<'_>, file: &str, message: &str, suggestion: Option<&str>) -> Problem {
    Problem {
        file: file.into(),
        place: Place::START,
        path: written.path.to_string(),
        message: message.into(),
        suggestion: suggestion.map(Into::into),
    }
}

impl Written<'_> {
    /// Says that a key of the entry is wrong.
    fn wrong(&self, key: &str, message: impl Into<String>) -> Misfit {
        vec![self.document.problem(&self.path.key(key), Complaint::new(message))]
    }
}
