//! One value of a document, and where it was written.

use std::sync::Arc;

use serde_json::Value;

use crate::config::problem::Place;

/// A value. Shared, so that an alias costs nothing until the document is turned into JSON.
#[derive(Debug)]
pub(super) struct Node {
    /// Where it starts. What an alias stands for keeps the places of its own text.
    pub(super) place: Place,
    pub(super) content: Content,
    /// The number of values in it, itself included, with every alias followed.
    pub(super) size: usize,
    /// The number of levels in it: 1 for a scalar.
    pub(super) height: usize,
}

#[derive(Debug, Clone)]
pub(super) enum Content {
    Scalar(Value),
    List(Vec<Arc<Node>>),
    Map(Vec<Entry>),
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_place: Place,
    pub(super) value: Arc<Node>,
}

impl Node {
    pub(super) fn new(place: Place, content: Content) -> Self {
        let children: Vec<&Arc<Self>> = match &content {
            Content::Scalar(_) => Vec::new(),
            Content::List(items) => items.iter().collect(),
            Content::Map(entries) => entries.iter().map(|entry| &entry.value).collect(),
        };
        let size = children.iter().fold(1, |sum: usize, child| sum.saturating_add(child.size));
        let height = children.iter().map(|child| child.height).max().unwrap_or(0) + 1;
        Self { place, content, size, height }
    }

    /// The value without places. Recursive: the builder bounds [`Self::height`] and
    /// [`Self::size`].
    pub(super) fn to_value(&self) -> Value {
        match &self.content {
            Content::Scalar(value) => value.clone(),
            Content::List(items) => items.iter().map(|item| item.to_value()).collect(),
            Content::Map(entries) => {
                entries.iter().map(|entry| (entry.key.clone(), entry.value.to_value())).collect()
            }
        }
    }
}
