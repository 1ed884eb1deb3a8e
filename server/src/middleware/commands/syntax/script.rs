//! What a parsed text runs.

use super::Word;

/// Commands in the order in which they stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    /// Each with its stages.
    pub pipelines: Vec<Pipeline>,
}

/// Stages that pass their output on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pipeline {
    /// From left to right.
    pub stages: Vec<Stage>,
    /// Whether it ends with `&`.
    pub background: bool,
}

/// One command, or a group of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stage {
    /// The command and its arguments.
    pub words: Vec<Word>,
    /// Where it reads from and writes to.
    pub redirects: Vec<Redirect>,
    /// What runs inside its words.
    pub nested: Vec<Script>,
    /// The commands of a group or a function.
    pub body: Option<Script>,
    /// The name of the function that it defines.
    pub function: Option<String>,
}

/// Where a command reads from or writes to.
#[derive(Debug, Clone)]
pub(crate) struct Redirect {
    /// Which way.
    pub kind: RedirectKind,
    /// The file, or the text of a here-document.
    pub target: Word,
}

/// Which way a redirection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    /// Replaces a file.
    Write,
    /// Adds to a file.
    Append,
    /// Reads a file.
    Read,
    /// Reads the text itself: a here-document or a here-string.
    Text,
    /// Copies a file descriptor.
    Descriptor,
}

impl Stage {
    /// The text that it is given with `<<` or `<<<`.
    #[must_use]
    pub(crate) fn document(&self) -> Option<&Word> {
        let mut texts =
            self.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text);
        texts.next_back().map(|redirect| &redirect.target)
    }
}
