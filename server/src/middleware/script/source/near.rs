//! Finds the names that somebody may have meant.

/// A name that is less alike is not worth a mention.
const ALIKE: f64 = 0.84;

/// How many names are mentioned.
const MENTIONED: usize = 3;

/// The names that are like `written`, the most alike first.
pub(super) fn near<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut scored: Vec<(f64, &str)> = known
        .map(|name| (strsim::jaro_winkler(&written.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup();
    scored.into_iter().take(MENTIONED).map(|(_, name)| name).collect()
}

/// A question that suggests the names; `None` if there are none.
pub(super) fn did_you_mean(names: &[impl AsRef<str>]) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    let (last, others) = quoted.split_last()?;
    Some(match others {
        [] => format!("did you mean {last}?"),
        others => format!("did you mean {} or {last}?", others.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_alike_comes_first_and_strangers_are_left_out() {
        let known = ["limits", "keys", "key"];
        assert_eq!(near("kyes", known.into_iter()), ["keys"]);
        assert_eq!(near("KEYS", known.into_iter()), ["keys", "key"]);
    }

    #[test]
    fn a_suggestion_is_a_question() {
        assert_eq!(did_you_mean(&[""; 0]), None);
        assert_eq!(did_you_mean(&["a"]).as_deref(), Some("did you mean `a`?"));
        assert_eq!(did_you_mean(&["a", "b"]).as_deref(), Some("did you mean `a` or `b`?"));
    }
}
