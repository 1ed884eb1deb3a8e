//! Alternatives: finds out which one a value was meant to be, and judges it by that one.

use serde_json::Value;

use super::{
    object::MAX_LISTED,
    scalar, suggest, tagged,
    walk::{Spot, Walk},
};
use crate::config::{
    found::{alternatives, found, quoted},
    path::Path,
    problem::Complaint,
};

/// The deepest nesting of alternatives in alternatives.
const MAX_NESTING: usize = 8;

/// One alternative, with what it refers to.
pub(super) struct Branch<'s> {
    pub(super) schema: &'s Value,
    parts: Vec<&'s Value>,
}

/// Checks `value` against the `const` or `enum` of `schema`.
pub(super) fn literal(walk: &mut Walk<'_>, schema: &Value, value: &Value, path: &Path) {
    let options = literals(schema);
    if !options.contains(&value) {
        let noun = schema.get("title").and_then(Value::as_str).unwrap_or("value");
        walk.find(path, Spot::Value, unknown(walk, noun, &options, value));
    }
}

/// Checks that `value` fits one of `schemas`; complains by the one that it was meant to be.
pub(super) fn choose<'s>(walk: &mut Walk<'s>, schemas: &'s [Value], value: &Value, path: &Path) {
    let branches = branches(walk, schemas, MAX_NESTING);
    let options: Vec<&Value> = branches.iter().flat_map(Branch::literals).collect();
    if options.contains(&value) {
        return;
    }
    let likely: Vec<&Branch<'s>> = branches.iter().filter(|branch| branch.may_be(value)).collect();
    match (likely.as_slice(), value) {
        ([], _) if value.is_string() && !options.is_empty() || options.len() >= branches.len() => {
            walk.find(path, Spot::Value, unknown(walk, "value", &options, value));
        }
        ([], _) => {
            let mut types: Vec<&str> = branches.iter().flat_map(Branch::types).collect();
            types.dedup();
            walk.find(path, Spot::Value, scalar::unexpected(&types, value));
        }
        ([only], _) => walk.check(only.schema, value, path),
        (several, Value::Object(members)) if tagged::tag(walk, several).is_some() => {
            tagged::check(walk, several, members, path);
        }
        (several, _) => {
            let attempts = several.iter().map(|branch| walk.attempt(branch.schema, value, path));
            let best = attempts.min_by_key(Vec::len).unwrap_or_default();
            walk.adopt(best);
        }
    }
}

/// Says that `value` is none of `options`, which are called `noun`.
pub(super) fn unknown(walk: &Walk<'_>, noun: &str, options: &[&Value], value: &Value) -> Complaint {
    let listed = || {
        let options: Vec<_> = options.iter().map(|option| shown(option)).collect();
        (options.len() <= MAX_LISTED).then(|| alternatives(&options))
    };
    let Value::String(text) = value else {
        let expected = listed().unwrap_or_else(|| format!("a {noun}"));
        return Complaint::new(format!("expected {expected}, found {}", found(value)));
    };
    let complaint = Complaint::new(format!("unknown {noun} {}", quoted(text)));
    let texts = options.iter().filter_map(|option| option.as_str());
    complaint.suggest(match (suggest::closest(text, texts), listed()) {
        (Some(meant), _) => format!("did you mean `{meant}`?"),
        (None, Some(options)) => format!("expected {options}"),
        (None, None) => walk.see(),
    })
}

impl<'s> Branch<'s> {
    /// The value of a keyword; the nearest counts.
    pub(super) fn keyword(&self, keyword: &str) -> Option<&'s Value> {
        self.parts.iter().find_map(|schema| schema.get(keyword))
    }

    /// The schema of the key `name` of a mapping.
    pub(super) fn property(&self, name: &str) -> Option<&'s Value> {
        self.keyword("properties")?.get(name)
    }

    fn literals(&self) -> Vec<&'s Value> {
        self.parts.iter().flat_map(|schema| literals(schema)).collect()
    }

    fn types(&self) -> Vec<&'s str> {
        self.parts.iter().flat_map(|schema| scalar::types(schema)).collect()
    }

    /// Whether `value` is of the type of the branch, so that it may have been meant.
    fn may_be(&self, value: &Value) -> bool {
        let types = self.types();
        let is_of_type =
            types.is_empty() || types.iter().any(|name| scalar::is_of_type(value, name));
        is_of_type && self.literals().is_empty()
    }
}

/// The alternatives in `schemas`, where an alternative that only lists others is replaced by
/// these.
fn branches<'s>(walk: &Walk<'s>, schemas: &'s [Value], nesting: usize) -> Vec<Branch<'s>> {
    let mut all = Vec::new();
    for schema in schemas {
        let branch = Branch { schema, parts: walk.resolve(schema) };
        let inner = branch.keyword("oneOf").or_else(|| branch.keyword("anyOf"));
        match inner.and_then(Value::as_array) {
            // A type with a form of its own is one alternative, whatever editors are told.
            Some(inner)
                if nesting > 0
                    && branch.keyword("format").is_none()
                    && branch.keyword("properties").is_none() =>
            {
                all.extend(branches(walk, inner, nesting - 1));
            }
            _ => all.push(branch),
        }
    }
    all
}

fn literals(schema: &Value) -> Vec<&Value> {
    let listed = schema.get("enum").and_then(Value::as_array);
    schema.get("const").into_iter().chain(listed.into_iter().flatten()).collect()
}

fn shown(literal: &Value) -> String {
    match literal {
        Value::String(text) => quoted(text),
        other => format!("`{other}`"),
    }
}
