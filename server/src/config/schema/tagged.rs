//! Mappings that say themselves what they are, such as a middleware by its `kind`.

use serde_json::{Map, Value};

use super::{
    choice::{Branch, unknown},
    object, suggest,
    walk::{Spot, Walk},
};
use crate::config::{path::Path, problem::Complaint};

/// The key that tells `branches` apart: each of them has another `const` for it.
pub(super) fn tag<'s>(walk: &Walk<'s>, branches: &[&Branch<'s>]) -> Option<&'s str> {
    let (first, others) = branches.split_first()?;
    let keys = first.keyword("properties")?.as_object()?.keys();
    let is_tag = |key: &str| {
        let mut branches = [first].into_iter().chain(others);
        branches.all(|branch| label(walk, branch, key).is_some())
    };
    keys.map(String::as_str).find(|key| is_tag(key))
}

/// Checks the mapping `members`, which stands at `path`, against the one of `branches` that its
/// tag names. If it names none, against what all of them have in common.
pub(super) fn check<'s>(
    walk: &mut Walk<'s>,
    branches: &[&Branch<'s>],
    members: &Map<String, Value>,
    path: &Path,
) {
    let Some(tag) = tag(walk, branches) else { return };
    let found = members.get(tag);
    let named = branches.iter().find(|branch| found.is_some() && label(walk, branch, tag) == found);
    if let Some(named) = named {
        walk.check(named.schema, &Value::Object(members.clone()), path);
        return;
    }
    let options: Vec<&Value> =
        branches.iter().filter_map(|branch| label(walk, branch, tag)).collect();
    match found {
        Some(found) => walk.find(&path.key(tag), Spot::Value, unknown(walk, tag, &options, found)),
        None if members.keys().any(|key| suggest::closest(key, [tag]).is_some()) => {}
        None => {
            let complaint = Complaint::new(format!("missing key `{tag}`"));
            let suggestion = match options.as_slice() {
                [] => "there are none in this build".to_owned(),
                [first, ..] => {
                    format!("for example `{tag}: {}`", first.as_str().unwrap_or_default())
                }
            };
            walk.find(path, Spot::Key, complaint.suggest(suggestion));
        }
    }
    check_common(walk, tag, branches, members, path);
}

/// Checks what does not depend on the tag.
fn check_common<'s>(
    walk: &mut Walk<'s>,
    tag: &str,
    branches: &[&Branch<'s>],
    members: &Map<String, Value>,
    path: &Path,
) {
    let Some((first, others)) = branches.split_first() else { return };
    let properties = first.keyword("properties").and_then(Value::as_object);
    let mut common: Vec<(&'s str, &'s Value)> = Vec::new();
    for (key, schema) in properties.into_iter().flatten() {
        if key != tag && others.iter().all(|branch| branch.property(key) == Some(schema)) {
            common.push((key, schema));
        }
    }
    let mut misspelled = Vec::new();
    for (key, value) in members.iter().filter(|(key, _)| *key != tag) {
        let known = || [tag].into_iter().chain(common.iter().map(|(key, _)| *key));
        let absent = known().filter(|known| !members.contains_key(*known));
        if let Some((_, schema)) = common.iter().find(|(known, _)| known == key) {
            walk.check(schema, value, &path.key(key));
        } else if branches.iter().all(|branch| branch.property(key).is_none())
            && let Some(meant) = suggest::closest(key, absent)
        {
            misspelled.push(meant.to_owned());
            let complaint =
                Complaint::new("unknown key").suggest(format!("did you mean `{meant}`?"));
            walk.find(&path.key(key), Spot::Key, complaint);
        }
    }
    for (key, schema) in common {
        let is_required = branches.iter().all(|branch| {
            let required = branch.keyword("required").and_then(Value::as_array);
            required.is_some_and(|required| required.iter().any(|required| required == key))
        });
        if is_required && !members.contains_key(key) && !misspelled.iter().any(|meant| meant == key)
        {
            object::missing_key(walk, Some(schema), key, path);
        }
    }
}

/// What `branch` says that `key` must be.
fn label<'s>(walk: &Walk<'s>, branch: &Branch<'s>, key: &str) -> Option<&'s Value> {
    walk.keyword(branch.property(key)?, "const")
}
