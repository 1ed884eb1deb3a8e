//! A command's arguments as options and operands.

use super::syntax::Word;

/// A command's arguments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arguments<'w>(pub(super) &'w [Word]);

impl<'w> Arguments<'w> {
    /// Everything, in order.
    pub(super) fn texts(self) -> impl Iterator<Item = &'w str> {
        self.0.iter().map(|word| word.text.as_str())
    }

    /// What starts with a dash, before `--`.
    pub(super) fn options(self) -> impl Iterator<Item = &'w str> {
        self.texts().take_while(|text| *text != "--").filter(|text| is_option(text))
    }

    /// What is no option. The values of options are among them.
    pub(super) fn operands(self) -> impl Iterator<Item = &'w Word> {
        let mut open = true;
        self.0.iter().filter(move |word| {
            if open && word.text == "--" {
                open = false;
                return false;
            }
            !open || !is_option(&word.text)
        })
    }

    /// The texts of the operands.
    pub(super) fn words(self) -> impl Iterator<Item = &'w str> {
        self.operands().map(|word| word.text.as_str())
    }

    /// The operand at this place.
    pub(super) fn word(self, index: usize) -> &'w str {
        self.words().nth(index).unwrap_or_default()
    }

    /// Whether a group of short options has this letter.
    pub(super) fn short(self, letter: char) -> bool {
        self.options().any(|text| !text.starts_with("--") && text.contains(letter))
    }

    /// Whether there is this long option, its beginning, or it with a value.
    pub(super) fn long(self, name: &str) -> bool {
        self.options().filter_map(|text| text.strip_prefix("--")).any(|text| {
            let text = text.split_once('=').map_or(text, |(text, _)| text);
            text == name || (text.len() > 3 && name.starts_with(text))
        })
    }

    /// Whether there is an argument of this text.
    pub(super) fn has(self, text: &str) -> bool {
        self.texts().any(|argument| argument == text)
    }

    /// Whether there is an argument of any of these texts.
    pub(super) fn any(self, texts: &[&str]) -> bool {
        self.texts().any(|argument| texts.contains(&argument))
    }

    /// The value of an option: its next argument, or what follows `=`.
    pub(super) fn value(self, names: &[&str]) -> Option<&'w Word> {
        let at = self.0.iter().position(|word| names.contains(&word.text.as_str()))?;
        self.0.get(at.saturating_add(1))
    }

    /// Whether it only shows what it would do, or how it is used.
    pub(super) fn only_shows(self) -> bool {
        self.options().any(|text| {
            let name = text.split_once('=').map_or(text, |(name, _)| name);
            let denied = text.ends_with("=false") || text.ends_with("=none");
            !denied
                && matches!(name, "--help" | "--version" | "--dry-run" | "--dryrun" | "--dry_run")
        })
    }
}

pub(super) fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}
