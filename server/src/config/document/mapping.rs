//! A mapping while it is read: one key, its value, the next key.

use std::{
    collections::{HashMap, hash_map},
    sync::Arc,
};

use super::{
    merge,
    node::{Entry, Node},
};
use crate::config::problem::{Complaint, Place};

/// The entries so far.
#[derive(Default)]
pub(super) struct Mapping {
    entries: Vec<Entry>,
    merged: Option<Arc<Node>>,
    /// Where each key was written first.
    places: HashMap<String, Place>,
    next: Option<Next>,
}

/// What the next value belongs to.
enum Next {
    Key(String, Place),
    Merge,
    /// A key that has been complained about; its value is dropped.
    Refused,
}

/// A finished value, and its text if it can be a key.
pub(super) struct Part {
    pub(super) node: Arc<Node>,
    pub(super) text: Option<String>,
    /// Whether it is a scalar without quotes and tag.
    pub(super) is_plain: bool,
}

/// Something wrong with a key, or with the mapping if the key is not known.
pub(super) struct BadKey {
    pub(super) key: Option<String>,
    pub(super) place: Place,
    pub(super) complaint: Complaint,
}

impl Mapping {
    /// Takes a key, or the value of the key before it.
    pub(super) fn take(&mut self, part: Part) -> Result<(), BadKey> {
        match self.next.take() {
            None => return self.take_key(part),
            Some(Next::Key(key, key_place)) => {
                self.entries.push(Entry { key, key_place, value: part.node });
            }
            Some(Next::Merge) => self.merged = Some(part.node),
            Some(Next::Refused) => {}
        }
        Ok(())
    }

    fn take_key(&mut self, part: Part) -> Result<(), BadKey> {
        self.next = Some(Next::Refused);
        let place = part.node.place;
        let Some(key) = part.text else {
            let complaint = Complaint::new("a key must be a text");
            return Err(BadKey { key: None, place, complaint });
        };
        match self.places.entry(key.clone()) {
            hash_map::Entry::Vacant(vacant) => {
                vacant.insert(place);
                let is_merge = part.is_plain && key == merge::KEY;
                self.next = Some(if is_merge { Next::Merge } else { Next::Key(key, place) });
                Ok(())
            }
            hash_map::Entry::Occupied(first) => {
                let line = first.get().line;
                let message = format!("duplicate key, which is also on line {line}");
                let complaint = Complaint::new(message).suggest("remove one of the two");
                Err(BadKey { key: Some(key), place, complaint })
            }
        }
    }

    /// The key whose value comes next.
    pub(super) fn key(&self) -> Option<(&str, Place)> {
        match &self.next {
            Some(Next::Key(key, place)) => Some((key, *place)),
            Some(Next::Merge | Next::Refused) | None => None,
        }
    }

    /// The entries, and what was wrong with those that were merged.
    pub(super) fn finish(mut self) -> (Vec<Entry>, Result<(), (Place, Complaint)>) {
        let merged = self.merged.map_or(Ok(()), |merged| merge::merge(&mut self.entries, &merged));
        (self.entries, merged)
    }
}
