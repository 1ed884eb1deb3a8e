//! A configuration file as a tree of values that know where they were written.

mod builder;
mod mapping;
mod merge;
mod node;
mod scalar;

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use self::{
    builder::Builder,
    node::{Content, Node},
};
use crate::config::{
    path::{Path, Segment},
    problem::{Complaint, Place, Problem, Problems},
};

/// The longest text that is read, in bytes: what a Kubernetes `ConfigMap` can hold.
const MAX_BYTES: usize = 1024 * 1024;

/// A YAML 1.2 document.
///
/// Only what JSON can say is read, the way the YAML core schema says it: `yes` and `off` are
/// texts, `0o17` is a number. Aliases and `<<` merge keys are followed, up to a total number of
/// values. Numbers keep every digit. Text is not interpolated: `${HOME}` stays `${HOME}`.
#[derive(Debug)]
pub struct Document {
    file: String,
    root: Arc<Node>,
    value: Value,
    problems: Vec<Problem>,
}

impl Document {
    /// Reads `text`, which came from the file named `file`. An empty text is an empty mapping.
    ///
    /// # Errors
    ///
    /// Says where `text` is not one YAML document of bearable size and depth. What is wrong but
    /// does not hide the rest, such as a duplicate key, is in [`Self::problems`] instead.
    pub fn parse(file: &str, text: &str) -> Result<Self, Problems> {
        let problem = |path: &Path, place, complaint| problem(file, path, place, complaint);
        let built = if text.len() > MAX_BYTES {
            let message = format!("the file is longer than {MAX_BYTES} bytes");
            Err((Place::START, Complaint::new(message)))
        } else {
            Builder::build(text)
        };
        match built {
            Ok(built) => Ok(Self {
                value: built.root.to_value(),
                root: built.root,
                problems: built
                    .complaints
                    .into_iter()
                    .map(|(path, place, complaint)| problem(&path, place, complaint))
                    .collect(),
                file: file.to_owned(),
            }),
            Err((place, complaint)) => Err(problem(&Path::root(), place, complaint).into()),
        }
    }

    /// The name of the file, as the user gave it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The whole document.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// What is wrong with the document whatever it means: duplicate keys, keys that are not
    /// texts, unknown tags, broken merge keys.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Where the value at `path` starts. Where there is none, the place of the innermost value
    /// around it.
    #[must_use]
    pub fn place(&self, path: &Path) -> Place {
        self.find(path).1
    }

    /// Where the key of the value at `path` starts; the value itself if it has no key.
    #[must_use]
    pub fn key_place(&self, path: &Path) -> Place {
        self.find(path).0
    }

    /// The value under `key` of the document's mapping as a document of its own, whose values keep
    /// their places in the file.
    pub(crate) fn part(&self, key: &str) -> Option<Self> {
        let Content::Map(entries) = &self.root.content else { return None };
        let entry = entries.iter().find(|entry| entry.key == key)?;
        Some(Self {
            file: self.file.clone(),
            value: entry.value.to_value(),
            root: Arc::clone(&entry.value),
            problems: Vec::new(),
        })
    }

    /// Says that the value at `path` is wrong.
    #[must_use]
    pub fn problem(&self, path: &Path, complaint: Complaint) -> Problem {
        problem(&self.file, path, self.place(path), complaint)
    }

    /// Says that the key at `path`, or its being there at all, is wrong.
    #[must_use]
    pub fn key_problem(&self, path: &Path, complaint: Complaint) -> Problem {
        problem(&self.file, path, self.key_place(path), complaint)
    }

    /// Gives the object `settings`, which stands at `path` and fits the schema of its kind, its
    /// type. Fractions become 64-bit floating point numbers; whole numbers keep every digit.
    ///
    /// # Errors
    ///
    /// Fails if the schema permits what the type does not.
    pub fn read<T: DeserializeOwned>(
        &self,
        path: &Path,
        settings: &Map<String, Value>,
    ) -> Result<T, Problem> {
        let settings = settings.iter().map(|(key, value)| (key.clone(), rounded(value)));
        serde_json::from_value(Value::Object(settings.collect()))
            .map_err(|error| self.problem(path, Complaint::new(error.to_string())))
    }

    /// The places of the key and of the value at `path`.
    fn find(&self, path: &Path) -> (Place, Place) {
        let mut node = &self.root;
        let mut places = (node.place, node.place);
        for segment in path.segments() {
            match (segment, &node.content) {
                (Segment::Index(index), Content::List(items)) if *index < items.len() => {
                    let Some(item) = items.get(*index) else { break };
                    node = item;
                    places = (item.place, item.place);
                }
                (Segment::Key(key), Content::Map(entries)) => {
                    let Some(entry) = entries.iter().find(|entry| entry.key == *key) else { break };
                    node = &entry.value;
                    places = (entry.key_place, node.place);
                }
                _ => break,
            }
        }
        places
    }
}

/// Writes fractions as serde can read them everywhere: with `arbitrary_precision`, a `1.50` inside
/// an enum with a tag would be a map to it.
fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.as_i128().is_none() => {
            let rounded = number.as_f64().and_then(Number::from_f64);
            Value::Number(rounded.unwrap_or_else(|| number.clone()))
        }
        Value::Array(items) => items.iter().map(rounded).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), rounded(value))).collect()
        }
        other => other.clone(),
    }
}

fn problem(file: &str, path: &Path, place: Place, complaint: Complaint) -> Problem {
    let Complaint { message, suggestion } = complaint;
    Problem { file: file.to_owned(), place, path: path.to_string(), message, suggestion }
}

#[cfg(test)]
mod tests;
