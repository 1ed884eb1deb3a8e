//! Gives commands a safer form, as `apt-get install -y` is one that cannot hang.

use super::Rewrite;

/// Words behind which another command starts.
const WRAPPERS: [&str; 8] = ["sudo", "doas", "env", "nohup", "time", "command", "then", "do"];

/// The text after the replacements, if any applies.
///
/// A command is replaced where it starts, not inside of quotes, and not where it
/// has the safer form already. A text with a here-document stays as it is: its
/// lines may be data.
pub(super) fn rewritten(text: &str, rewrites: &[Rewrite]) -> Option<String> {
    let mut new: Option<String> = None;
    for rewrite in rewrites {
        if let Some(replaced) = replaced(new.as_deref().unwrap_or(text), rewrite) {
            new = Some(replaced);
        }
    }
    new
}

fn replaced(text: &str, rewrite: &Rewrite) -> Option<String> {
    if !text.contains(&rewrite.command) || text.contains("<<") {
        return None;
    }
    let mut new = String::with_capacity(text.len());
    let mut rest = text;
    let mut starts = true;
    let mut changed = false;
    while let Some(c) = rest.chars().next() {
        let taken = if starts && begins(rest, &rewrite.command) && !begins(rest, &rewrite.with) {
            new.push_str(&rewrite.with);
            changed = true;
            starts = false;
            rest = rest.get(rewrite.command.len()..).unwrap_or_default();
            continue;
        } else if starts && !c.is_whitespace() {
            let word = rest.split(|c: char| c.is_whitespace() || ";|&()".contains(c)).next();
            let word = word.unwrap_or_default();
            let wraps = WRAPPERS.contains(&word) || word.contains('=');
            starts = wraps || word.is_empty();
            if wraps { word.len() } else { piece(rest, c) }
        } else {
            piece(rest, c)
        };
        let (before, after) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        starts |= matches!(c, ';' | '|' | '&' | '(' | '{' | '\n') && taken == 1;
        new.push_str(before);
        rest = after;
    }
    changed.then_some(new)
}

/// How long the next piece is: a character, or all that is quoted.
fn piece(rest: &str, c: char) -> usize {
    let quoted = match c {
        '\'' | '"' | '`' => rest.get(1..).and_then(|inner| inner.find(c)),
        '\\' => rest.chars().nth(1).map(|next| next.len_utf8().saturating_sub(1)),
        _ => None,
    };
    quoted.map_or(c.len_utf8(), |length| length.saturating_add(2))
}

/// Whether a text begins with these words.
fn begins(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || ";|&)".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let rewrite =
            Rewrite { command: "apt-get install".into(), with: "apt-get install -y".into() };
        assert_eq!(rewritten(text, &[rewrite]).as_deref(), expected, "{text}");
    }

    #[test]
    fn a_command_is_rewritten_wherever_one_starts() {
        check("apt-get install jq", Some("apt-get install -y jq"));
        check("sudo apt-get install jq", Some("sudo apt-get install -y jq"));
        check(
            "apt-get update && apt-get install jq; ls",
            Some("apt-get update && apt-get install -y jq; ls"),
        );
        check("A=1 apt-get install", Some("A=1 apt-get install -y"));
        check("(apt-get install é)", Some("(apt-get install -y é)"));
    }

    #[test]
    fn data_and_what_is_safe_already_stay() {
        check("echo apt-get install jq", None);
        check("echo 'x; apt-get install jq'", None);
        check("apt-get install -y jq", None);
        check("apt-get installer", None);
        check("cat <<E\napt-get install jq\nE", None);
    }
}
