//! What a case file says, after it has been read.

use super::expected::Expected;
use crate::{
    config::{Document, Path, Place},
    hooks::HookId,
};
use prost_reflect::DynamicMessage;
use std::path::PathBuf;

/// The cases of one file.
#[derive(Debug)]
pub(crate) struct CaseFile {
    /// The file, as it was named or found.
    pub(crate) file: PathBuf,
    /// Which configuration they are for.
    pub(super) wanted: Wanted,
    /// The cases, in the order of the file.
    pub(crate) cases: Vec<Case>,
    /// Where everything was written.
    pub(super) document: Document,
}

/// The configuration that a file wants.
#[derive(Debug)]
pub(super) enum Wanted {
    /// The nearest `sidehook.yaml`, else the embedded default.
    Nearest,
    /// A file, relative to the case file.
    File(PathBuf),
    /// What stands in the case file itself.
    Inline,
}

/// One case: hook calls of one run, in order.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(super) steps: Vec<Step>,
}

/// One hook call, and what is expected of it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) hook: HookId,
    /// What goes into the context, beyond the run's id.
    pub(super) context: DynamicMessage,
    /// The request, or what opens the call; without a context.
    pub(super) request: DynamicMessage,
    /// What the runtime answers to each `next`.
    pub(super) replies: Vec<Reply>,
    pub(super) expect: Expect,
}

/// What a real call gives.
#[derive(Debug)]
pub(super) struct Reply {
    /// What it streams, without number and invocation.
    pub(super) deltas: Vec<DynamicMessage>,
    pub(super) came: Came,
}

/// How a real call ends.
#[derive(Debug)]
pub(super) enum Came {
    /// With its output.
    Output(DynamicMessage),
    /// With the `failed` frame, but for its invocation.
    Failed(DynamicMessage),
}

/// What is expected of a hook call. What is absent is not compared.
#[derive(Debug, Default)]
pub(super) struct Expect {
    /// One of the outcomes, by its name. Without one, an answer is expected, whatever it says.
    pub(super) outcome: Option<(&'static str, Expected)>,
    pub(super) effects: Option<Expected>,
    /// The steps of the report: of which middleware, and what.
    pub(super) report: Option<Vec<(Option<String>, Expected)>>,
    pub(super) next: Option<Expected>,
    pub(super) emitted: Option<Expected>,
    /// Whether there may be nothing that is not expected.
    pub(super) exact: bool,
}

/// A value in a document: where it stands.
#[derive(Debug, Clone)]
pub(super) struct At<'a> {
    pub(super) value: &'a serde_json::Value,
    pub(super) path: Path,
}

impl<'a> At<'a> {
    /// The value under `key`, if this is a mapping with it.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        Some(Self { value: self.value.get(key)?, path: self.path.key(key) })
    }

    /// The entries, if this is a mapping.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, Self)> + use<'a, '_> {
        let members = self.value.as_object().into_iter().flatten();
        members.map(|(key, value)| (key.as_str(), Self { value, path: self.path.key(key) }))
    }

    /// The items, if this is a list.
    pub(super) fn items(&self) -> impl Iterator<Item = Self> + use<'a, '_> {
        let items = self.value.as_array().into_iter().flatten().enumerate();
        items.map(|(index, value)| Self { value, path: self.path.index(index) })
    }
}
