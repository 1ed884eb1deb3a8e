//! Checks a value against a JSON schema, and says everything that is wrong with it in words.
//!
//! It knows the keywords that schemars derives from our types; unknown keywords permit everything.
//! A validator from the shelf would say *that* a middleware fits none of twenty alternatives; this
//! one goes by its `kind` and says that `prioritty` is `priority` misspelled.

use serde_json::Value;

use super::{choice, object, scalar};
use crate::config::{format, path::Path, problem::Complaint};

/// The most references that lead to one schema. More is a circle.
const MAX_REFERENCES: usize = 32;

/// The most findings. Somebody who has fixed so many can look again.
const MAX_FINDINGS: usize = 1000;

/// Something that is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The value.
    pub(crate) path: Path,
    /// Where to look.
    pub(crate) spot: Spot,
    /// What is wrong.
    pub(crate) complaint: Complaint,
}

/// Where to look for what is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// At the key.
    Key,
    /// At the value.
    Value,
}

/// Checks `value` against `schema`, the root of a schema, and finds all that is wrong, up to a
/// thousand things.
pub(crate) fn walk(schema: &Value, value: &Value) -> Vec<Finding> {
    let mut walk = Walk { root: schema, findings: Vec::new() };
    walk.check(schema, value, &Path::root());
    walk.findings
}

/// What has been found so far.
pub(super) struct Walk<'s> {
    root: &'s Value,
    findings: Vec<Finding>,
}

impl<'s> Walk<'s> {
    /// Checks `value`, which stands at `path`, against `schema`.
    pub(super) fn check(&mut self, schema: &'s Value, value: &Value, path: &Path) {
        let schemas = self.resolve(schema);
        let formats = schemas.iter().filter_map(|schema| schema.get("format")?.as_str());
        if let Some(check) = formats.filter_map(format::check).next() {
            // A type with a form of its own knows best; the other keywords are for editors.
            if let Err(complaint) = check(value) {
                self.find(path, Spot::Value, complaint);
            }
            return;
        }
        for schema in schemas {
            self.check_keywords(schema, value, path);
        }
    }

    fn check_keywords(&mut self, schema: &'s Value, value: &Value, path: &Path) {
        let before = self.findings.len();
        if *schema == Value::Bool(false) {
            self.find(path, Spot::Value, Complaint::new("nothing can stand here"));
        }
        if schema.get("const").or(schema.get("enum")).is_some() {
            choice::literal(self, schema, value, path);
        } else if let Some(complaint) = scalar::wrong_type(schema, value) {
            self.find(path, Spot::Value, complaint);
        }
        if self.findings.len() > before {
            // What is of a wrong type fits nothing else either.
            return;
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
                choice::choose(self, branches, value, path);
            }
        }
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.check(part, value, path);
        }
        if let Some(condition) = schema.get("if") {
            let holds = self.attempt(condition, value, path).is_empty();
            if let Some(part) = schema.get(if holds { "then" } else { "else" }) {
                self.check(part, value, path);
            }
        }
        match value {
            Value::Object(members) => object::check(self, schema, members, path),
            Value::Array(items) => super::array::check(self, schema, items, path),
            Value::String(text) => self.complain(path, scalar::wrong_text(schema, text)),
            Value::Number(number) => self.complain(path, scalar::wrong_number(schema, number)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Follows the references of `schema`: gives it and all that it refers to.
    pub(super) fn resolve(&self, schema: &'s Value) -> Vec<&'s Value> {
        let mut schemas = Vec::new();
        let mut next = Some(schema);
        while let (Some(schema), true) = (next, schemas.len() < MAX_REFERENCES) {
            let reference = schema.get("$ref").and_then(Value::as_str);
            let pointer = reference.and_then(|reference| reference.strip_prefix('#'));
            schemas.push(schema);
            next = pointer.and_then(|pointer| self.root.pointer(pointer));
        }
        schemas
    }

    /// The value of `keyword` in `schema` or in what it refers to; the nearest counts.
    pub(super) fn keyword(&self, schema: &'s Value, keyword: &str) -> Option<&'s Value> {
        self.resolve(schema).into_iter().find_map(|schema| schema.get(keyword))
    }

    /// Notes that something is wrong.
    pub(super) fn find(&mut self, path: &Path, spot: Spot, complaint: Complaint) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(Finding { path: path.clone(), spot, complaint });
        }
    }

    fn complain(&mut self, path: &Path, complaints: Vec<Complaint>) {
        for complaint in complaints {
            self.find(path, Spot::Value, complaint);
        }
    }

    /// Says where to look something up that is too long for a message. A schema that
    /// `sidehook schema` does not print says in its `$comment` what prints it.
    pub(super) fn see(&self) -> String {
        let printed_by = self.root.get("$comment").and_then(Value::as_str);
        format!("`{}` prints the known ones", printed_by.unwrap_or("sidehook schema"))
    }

    /// What would be wrong with `value` by `schema`.
    pub(super) fn attempt(&self, schema: &'s Value, value: &Value, path: &Path) -> Vec<Finding> {
        let mut attempt = Walk { root: self.root, findings: Vec::new() };
        attempt.check(schema, value, path);
        attempt.findings
    }

    /// Takes over what an attempt found.
    pub(super) fn adopt(&mut self, findings: Vec<Finding>) {
        self.findings.extend(findings);
    }
}
