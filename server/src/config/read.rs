//! Reads a configuration file, and says everything that is wrong with it at once.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::config::{
    check,
    document::Document,
    file::Config,
    kinds::Kinds,
    path::Path,
    problem::{Complaint, Problem, Problems},
    schema::{self, Finding, Spot},
};

/// A configuration file without anything wrong that can be seen without its middleware.
#[derive(Debug)]
pub struct ConfigFile {
    /// What is written.
    pub config: Config,
    /// Where it is written, for problems that are found later.
    pub document: Document,
}

/// Reads the configuration `text`, which came from the file named `file` and may name middleware
/// of `kinds`.
///
/// # Errors
///
/// Gives every problem there is, with its place. A text that is not YAML has only one.
pub fn read(file: &str, text: &str, kinds: &Kinds) -> Result<ConfigFile, Problems> {
    read_document(Document::parse(file, text)?, kinds)
}

/// Reads the configuration that is all of `document`, as [`read`] does.
pub(super) fn read_document(document: Document, kinds: &Kinds) -> Result<ConfigFile, Problems> {
    let mut problems = document.check(&schema::json_schema(kinds));
    problems.extend(check::check(&document));
    if let Some(problems) = Problems::of(problems) {
        return Err(problems);
    }
    match Config::deserialize(document.value()) {
        Ok(config) => Ok(ConfigFile { config, document }),
        Err(error) => Err(disagreement(&document, &error).into()),
    }
}

impl Document {
    /// Everything that is wrong with the document as such, and by the JSON schema `schema`.
    pub(crate) fn check(&self, schema: &Value) -> Vec<Problem> {
        let findings = schema::walk(schema, self.value()).into_iter().map(|finding| {
            let Finding { path, spot, complaint } = finding;
            match spot {
                Spot::Key => self.key_problem(&path, complaint),
                Spot::Value => self.problem(&path, complaint),
            }
        });
        self.problems().iter().cloned().chain(findings).collect()
    }
}

/// Says that the types refuse what the schema permits, and narrows it down to a section.
fn disagreement(document: &Document, error: &serde_json::Error) -> Problem {
    let members = document.value().as_object();
    let section = members.into_iter().flatten().find_map(|(key, value)| {
        let members = [("version", Value::from(1)), (key, value.clone())];
        let alone: Map<_, _> =
            members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let error = Config::deserialize(Value::Object(alone)).err()?;
        Some((Path::root().key(key), error))
    });
    let (path, error) = match &section {
        Some((path, error)) => (path.clone(), error),
        None => (Path::root(), error),
    };
    let complaint =
        Complaint::new(format!("cannot be read, although the schema permits it: {error}"));
    document.problem(&path, complaint.suggest("this is a bug in Sidehook; please report it"))
}

#[cfg(test)]
mod tests;
