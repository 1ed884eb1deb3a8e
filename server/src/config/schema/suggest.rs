//! What somebody may have meant who wrote something else.

/// Finds the option that is most like `written`, if one is like it at all. Letter case and
/// separators do not count: `onlyHooks` is `only_hooks`.
pub(super) fn closest<'a>(
    written: &str,
    options: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let written = letters(written);
    let length = written.chars().count();
    // A third of the letters may be wrong, but never all of a short word.
    let bearable = (length / 3).max(1);
    options
        .into_iter()
        .map(|option| (strsim::damerau_levenshtein(&written, &letters(option)), option))
        .filter(|(distance, _)| *distance <= bearable && *distance < length)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, option)| option)
}

fn letters(text: &str) -> String {
    // A word longer than any option is like none; cutting it bounds the work.
    let letters = text.chars().filter(|c| !matches!(c, '_' | '-' | ' ' | '.')).take(64);
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_option_is_found() {
        let options = ["name", "only_hooks", "on_fault", "priority", "timeout"];
        for (written, expected) in [
            ("prioritty", Some("priority")),
            ("onlyHooks", Some("only_hooks")),
            ("ONLY-HOOKS", Some("only_hooks")),
            ("nmae", Some("name")),
            ("time_out", Some("timeout")),
            ("x", None),
            ("", None),
            ("retries", None),
        ] {
            assert_eq!(closest(written, options), expected, "{written}");
        }
    }
}
