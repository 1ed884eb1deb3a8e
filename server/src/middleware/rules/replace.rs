//! Replacements of all the rules that hold, in order, over one text.

use super::actions::Actions;
use std::borrow::Cow;

/// Replaces in `text`; `None` when nothing matches.
pub(super) fn replace(holding: &[&Actions], text: &str) -> Option<String> {
    let mut changed: Option<String> = None;
    for (pattern, with) in holding.iter().filter_map(|actions| actions.replace.as_ref()) {
        let current = changed.as_deref().unwrap_or(text);
        if let Cow::Owned(replaced) = pattern.replace_all(current, with.as_str()) {
            changed = Some(replaced);
        }
    }
    changed.filter(|changed| changed != text)
}

/// Whether any of the actions replaces.
pub(super) fn any(holding: &[&Actions]) -> bool {
    holding.iter().any(|actions| actions.replace.is_some())
}
