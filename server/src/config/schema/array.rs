//! Lists: the number of entries, and each of them.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    scalar::{Unit, wrong_count},
    walk::{Spot, Walk},
};
use crate::config::{found::found, path::Path, problem::Complaint};

/// Checks the list `items`, which stands at `path`.
pub(super) fn check<'s>(walk: &mut Walk<'s>, schema: &'s Value, items: &[Value], path: &Path) {
    for complaint in wrong_count(schema, Unit::Entry, items.len()) {
        walk.find(path, Spot::Value, complaint);
    }
    let mut seen = HashSet::new();
    let is_unique = schema.get("uniqueItems").and_then(Value::as_bool).unwrap_or(false);
    let entry_schema = schema.get("items");
    for (index, item) in items.iter().enumerate() {
        let path = path.index(index);
        if let Some(schema) = entry_schema {
            walk.check(schema, item, &path);
        }
        if is_unique && !seen.insert(item.to_string()) {
            let complaint = Complaint::new(format!("{} is in the list twice", found(item)));
            walk.find(&path, Spot::Value, complaint.suggest("remove one of the two"));
        }
    }
}
