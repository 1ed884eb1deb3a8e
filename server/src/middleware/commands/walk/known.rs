//! What earlier commands of a text did that later ones depend on.

use crate::middleware::commands::syntax::{RedirectKind, Stage, Word};
use std::borrow::Cow;

/// What is known of the folder that commands run in, and of files.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The folder, if `cd` named one.
    pub(super) folder: Option<String>,
    files: Vec<(String, String)>,
}

/// How many files are remembered.
const MOST: usize = 16;

impl Known {
    /// Notes where `cd` goes.
    pub(super) fn enter(&mut self, target: Option<&Word>) {
        let text = target.map_or("~", |word| word.text.as_str());
        let absolute = text.starts_with(['/', '~', '$']);
        self.folder = match (&self.folder, text) {
            (_, "-") => None,
            (Some(folder), text) if !absolute => Some(format!("{folder}/{text}")),
            (None, text) if text.starts_with("..") => None,
            (_, text) => Some(text.to_owned()),
        };
    }

    /// Notes what is written to a file.
    pub(super) fn write(&mut self, stage: &Stage, text: Option<String>) {
        let Some(text) = text else { return };
        let tee = stage.words.iter().filter(|word| word.text.contains('.')).take(1);
        let redirects = stage
            .redirects
            .iter()
            .filter(|redirect| matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append));
        for word in redirects.map(|redirect| &redirect.target).chain(tee) {
            if self.files.len() < MOST && !word.dynamic {
                self.files.push((plain(&word.text).to_owned(), text.clone()));
            }
        }
    }

    /// What was written to a file.
    pub(super) fn file(&self, path: &str) -> Option<String> {
        let file = self.files.iter().rev().find(|(known, _)| known == plain(path));
        file.map(|(_, text)| text.clone())
    }

    /// Words as they are seen from the folder where the text started.
    pub(super) fn located<'w>(&self, words: &'w [Word]) -> Cow<'w, [Word]> {
        let Some(folder) = &self.folder else { return Cow::Borrowed(words) };
        let mut located = words.to_vec();
        for word in &mut located {
            if !word.text.starts_with(['/', '~', '$', '-', '(', '!', '%']) && !word.text.is_empty()
            {
                word.text = format!("{folder}/{}", word.text);
            }
        }
        Cow::Owned(located)
    }
}

fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}
