//! The name of a program, however it is written.

use crate::middleware::commands::syntax::Word;
use std::borrow::Cow;

/// Programs that a pattern is tried on.
const PATTERNED: [&str; 6] = ["rm", "dd", "shred", "mkfs", "find", "git"];

/// The longest pattern that is tried.
const LONGEST: usize = 16;

/// The name of the program that a word starts, without its folder.
pub(super) fn name(word: &Word) -> Cow<'_, str> {
    let base = word.text.rsplit(['/', '\\']).next().unwrap_or_default();
    let base = base.strip_suffix(".exe").or(base.strip_suffix(".EXE")).unwrap_or(base);
    // Nobody writes such a pattern but to hide what it stands for.
    if word.glob && base.len() > LONGEST {
        return Cow::Borrowed("rm");
    }
    if word.glob
        && let Some(program) = PATTERNED.iter().find(|program| fits(base, program))
    {
        return Cow::Borrowed(program);
    }
    if base.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(base.to_ascii_lowercase())
    } else {
        Cow::Borrowed(base)
    }
}

/// Whether a pattern of the shell fits a short name.
fn fits(pattern: &str, name: &str) -> bool {
    let mut chars = pattern.chars();
    match chars.next() {
        None => name.is_empty(),
        Some('*') => {
            fits(chars.as_str(), name)
                || name.get(1..).is_some_and(|shorter| !name.is_empty() && fits(pattern, shorter))
        }
        Some('[') => match chars.as_str().split_once(']') {
            Some((set, rest)) => {
                let first = name.chars().next();
                first.is_some_and(|c| set.contains(c) || set.starts_with(['!', '^']))
                    && fits(rest, name.get(1..).unwrap_or_default())
            }
            None => false,
        },
        Some(c) => {
            let mut rest = name.chars();
            rest.next().is_some_and(|first| c == '?' || c == first)
                && fits(chars.as_str(), rest.as_str())
        }
    }
}
