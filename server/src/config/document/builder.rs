//! Builds the tree of a document from the events of the YAML parser, within bounds.

use std::{collections::HashMap, sync::Arc};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};
use serde_json::Value;

use super::{
    mapping::{BadKey, Mapping, Part},
    merge,
    node::{Content, Node},
    scalar,
};
use crate::config::{
    path::Path,
    problem::{Complaint, Place},
};

/// The deepest nesting. No configuration needs it; everything recursive relies on it.
const MAX_DEPTH: usize = 64;

/// The most values in a document with all aliases followed, so that a few lines of nested aliases
/// cannot fill the memory.
const MAX_VALUES: usize = 100_000;

/// What a text was turned into.
pub(super) struct Built {
    pub(super) root: Arc<Node>,
    /// What is wrong but does not hide the rest, and where.
    pub(super) complaints: Vec<(Path, Place, Complaint)>,
}

/// Reads events, from the outside in; never recursive.
#[derive(Default)]
pub(super) struct Builder {
    open: Vec<Frame>,
    anchors: HashMap<usize, Arc<Node>>,
    root: Option<Arc<Node>>,
    complaints: Vec<(Path, Place, Complaint)>,
    values: usize,
}

/// A list or mapping whose end has not been read.
struct Frame {
    place: Place,
    anchor: usize,
    parts: Parts,
}

enum Parts {
    List(Vec<Arc<Node>>),
    Map(Mapping),
}

impl Builder {
    /// Reads `text`, up to the first thing that hides what follows.
    pub(super) fn build(text: &str) -> Result<Built, (Place, Complaint)> {
        let mut builder = Self::default();
        let mut documents = 0;
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|error| {
                let place = place(*error.marker());
                let message = format!("not valid YAML: {}", error.info());
                (place, Complaint::new(message))
            })?;
            if matches!(event, Event::DocumentStart(_)) {
                documents += 1;
            }
            if documents > 1 {
                let complaint = Complaint::new("a second document starts here")
                    .suggest("a configuration is one document; remove the `---`");
                return Err((place(span.start), complaint));
            }
            builder.take(event, span).map_err(|complaint| (place(span.start), complaint))?;
        }
        let empty = || Arc::new(Node::new(Place::START, Content::Map(Vec::new())));
        let root = builder.root.filter(|root| !is_null(root)).unwrap_or_else(empty);
        Ok(Built { root, complaints: builder.complaints })
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Complaint> {
        let place = place(span.start);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                self.check_tag(place, tag.as_deref());
                let value = if is_text(style, tag.as_deref()) {
                    Value::String(text.clone().into_owned())
                } else {
                    scalar::plain(&text)
                };
                // An empty value has no text of its own: its key is the place to look at.
                let is_absent = span.start.index() == span.end.index();
                let place = if is_absent { self.key_place().unwrap_or(place) } else { place };
                let node = Arc::new(Node::new(place, Content::Scalar(value)));
                self.finish(anchor, Part { node, text: Some(text.into_owned()), is_plain })
            }
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor) else {
                    return Err(Complaint::new("the alias stands inside its own anchor"));
                };
                let text = match &node.content {
                    Content::Scalar(Value::String(text)) => Some(text.clone()),
                    Content::Scalar(value) => Some(value.to_string()),
                    Content::List(_) | Content::Map(_) => None,
                };
                let node = Arc::clone(node);
                self.finish(0, Part { node, text, is_plain: false })
            }
            Event::SequenceStart(anchor, tag) => {
                self.open(place, anchor, tag.as_deref(), Parts::List(Vec::new()))
            }
            Event::MappingStart(anchor, tag) => {
                self.open(place, anchor, tag.as_deref(), Parts::Map(Mapping::default()))
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn open(
        &mut self,
        place: Place,
        anchor: usize,
        tag: Option<&Tag>,
        parts: Parts,
    ) -> Result<(), Complaint> {
        self.check_tag(place, tag);
        if self.open.len() >= MAX_DEPTH {
            return Err(too_deep());
        }
        self.open.push(Frame { place, anchor, parts });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Complaint> {
        let Some(Frame { place, anchor, parts }) = self.open.pop() else { return Ok(()) };
        let content = match parts {
            Parts::List(items) => Content::List(items),
            Parts::Map(mapping) => {
                let (entries, merged) = mapping.finish();
                if let Err((place, complaint)) = merged {
                    let path = self.path().key(merge::KEY);
                    self.complaints.push((path, place, complaint));
                }
                // Merged entries are copied, unlike what aliases repeat.
                self.values += entries.len();
                Content::Map(entries)
            }
        };
        let node = Arc::new(Node::new(place, content));
        self.finish(anchor, Part { node, text: None, is_plain: false })
    }

    /// Puts a finished value where it belongs.
    fn finish(&mut self, anchor: usize, part: Part) -> Result<(), Complaint> {
        self.values += 1;
        if self.values > MAX_VALUES || part.node.size > MAX_VALUES {
            return Err(Complaint::new(format!(
                "the document has more than {MAX_VALUES} values, counting what aliases repeat"
            )));
        }
        if self.open.len() + part.node.height > MAX_DEPTH {
            return Err(too_deep());
        }
        if anchor != 0 {
            self.anchors.insert(anchor, Arc::clone(&part.node));
        }
        match self.open.last_mut().map(|frame| &mut frame.parts) {
            None => self.root = Some(part.node),
            Some(Parts::List(items)) => items.push(part.node),
            Some(Parts::Map(mapping)) => {
                if let Err(BadKey { key, place, complaint }) = mapping.take(part) {
                    let path = self.path();
                    let path = key.map_or_else(|| path.clone(), |key| path.key(&key));
                    self.complaints.push((path, place, complaint));
                }
            }
        }
        Ok(())
    }

    /// Complains about a tag of somebody's own.
    fn check_tag(&mut self, place: Place, tag: Option<&Tag>) {
        if let Some(tag) = tag.filter(|tag| !tag.is_yaml_core_schema()) {
            let complaint = Complaint::new(format!("unknown tag `{tag}`"));
            self.complaints.push((self.path(), place, complaint.suggest("remove the tag")));
        }
    }

    /// The path of what is being read.
    fn path(&self) -> Path {
        self.open.iter().fold(Path::root(), |path, frame| match &frame.parts {
            Parts::List(items) => path.index(items.len()),
            Parts::Map(mapping) => match mapping.key() {
                Some((key, _)) => path.key(key),
                None => path,
            },
        })
    }

    /// The place of the key whose value comes next.
    fn key_place(&self) -> Option<Place> {
        match &self.open.last()?.parts {
            Parts::Map(mapping) => mapping.key().map(|(_, place)| place),
            Parts::List(_) => None,
        }
    }
}

/// Whether a scalar is a text whatever it looks like.
fn is_text(style: ScalarStyle, tag: Option<&Tag>) -> bool {
    let is_tagged = tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
    is_tagged || style != ScalarStyle::Plain
}

fn too_deep() -> Complaint {
    Complaint::new(format!("nested more than {MAX_DEPTH} levels deep"))
}

fn is_null(node: &Node) -> bool {
    matches!(node.content, Content::Scalar(Value::Null))
}

fn place(marker: Marker) -> Place {
    Place { line: marker.line(), column: marker.col() + 1 }
}
