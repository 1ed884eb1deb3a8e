//! `<<` merge keys: a mapping takes over what it does not say itself.

use std::collections::HashSet;

use super::node::{Content, Entry, Node};
use crate::config::problem::{Complaint, Place};

/// The key that merges, when it is not quoted.
pub(super) const KEY: &str = "<<";

/// Adds the entries of `merged`, a mapping or a list of mappings, to `entries`. What is there
/// already counts, and of several mappings the first.
pub(super) fn merge(entries: &mut Vec<Entry>, merged: &Node) -> Result<(), (Place, Complaint)> {
    let mut known: HashSet<String> = entries.iter().map(|entry| entry.key.clone()).collect();
    let mappings = match &merged.content {
        Content::List(items) => items.iter().map(|item| &**item).collect(),
        Content::Map(_) | Content::Scalar(_) => vec![merged],
    };
    for mapping in mappings {
        let Content::Map(more) = &mapping.content else {
            let complaint = Complaint::new("a merge key takes a mapping or a list of mappings");
            return Err((mapping.place, complaint.suggest("write `<<: *anchor`")));
        };
        entries.extend(more.iter().filter(|entry| known.insert(entry.key.clone())).cloned());
    }
    Ok(())
}
