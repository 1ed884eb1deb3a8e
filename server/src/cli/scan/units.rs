//! What of a piece of a file is looked at by itself: a text, or the values of JSON.

use super::Kind;
use crate::middleware::json::{Member, rewrite_members};

/// A text that is looked at by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// The name of the value in JSON that it is, or empty.
    pub(super) member: String,
    /// What it says.
    pub(super) text: String,
    /// The byte of the piece at which it begins.
    pub(super) at: usize,
    /// Whether its bytes are those of the piece: not so where JSON escapes them.
    pub(super) is_plain: bool,
}

/// What a text is, when nobody says.
pub(super) fn guess(kind: Kind, ending: &str, start: &str) -> Kind {
    match (kind, ending) {
        (Kind::Auto, "json") => Kind::Json,
        (Kind::Auto, "jsonl" | "ndjson") => Kind::Jsonl,
        (Kind::Auto, "") => {
            let is_json =
                |text: &str| text.starts_with(['{', '[']) && rewrite(text, |_| None).is_some();
            let start = start.trim_start();
            match (is_json(start), start.lines().next().is_some_and(is_json)) {
                (true, _) => Kind::Json,
                (false, true) => Kind::Jsonl,
                (false, false) => Kind::Text,
            }
        }
        (Kind::Auto, _) => Kind::Text,
        (known, _) => known,
    }
}

/// The units of a piece. What should be JSON and is not is a text.
pub(super) fn units(kind: Kind, piece: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    each(kind, piece, &mut |at, member| {
        let plain = piece
            .get(at..)
            .is_some_and(|rest| rest.strip_prefix('"').unwrap_or(rest).starts_with(member.text));
        let quote = usize::from(member.name.is_some() || kind != Kind::Text)
            & usize::from(piece.get(at..).is_some_and(|rest| rest.starts_with('"')));
        units.push(Unit {
            member: member.name.unwrap_or_default().to_owned(),
            text: member.text.to_owned(),
            at: at + if plain { quote } else { 0 },
            is_plain: plain,
        });
        None
    });
    units
}

/// The piece with units rewritten; `None` when none is.
pub(super) fn rewritten(
    kind: Kind,
    piece: &str,
    mask: &mut dyn FnMut(&str, &str) -> Option<String>,
) -> Option<String> {
    each(kind, piece, &mut |_, member| mask(member.name.unwrap_or_default(), member.text))
}

type Visit<'a> = dyn FnMut(usize, Member<'_>) -> Option<String> + 'a;

fn each(kind: Kind, piece: &str, visit: &mut Visit<'_>) -> Option<String> {
    if kind != Kind::Jsonl {
        return document(kind, 0, piece, visit);
    }
    let mut out = String::new();
    let (mut at, mut copied) = (0, 0);
    for line in piece.split_inclusive('\n') {
        if let Some(new) = document(Kind::Json, at, line, visit) {
            out.push_str(piece.get(copied..at).unwrap_or_default());
            out.push_str(&new);
            copied = at + line.len();
        }
        at += line.len();
    }
    if copied == 0 {
        return None;
    }
    out.push_str(piece.get(copied..).unwrap_or_default());
    Some(out)
}

fn document(kind: Kind, shift: usize, text: &str, visit: &mut Visit<'_>) -> Option<String> {
    if kind == Kind::Json
        && let Some(done) = rewrite(text, |member| visit(shift + member.at, member))
    {
        return done;
    }
    visit(shift, Member { name: None, text, at: 0 })
}

/// JSON with values rewritten, `None` inside when none is; `None` when it is no JSON.
fn rewrite(json: &str, visit: impl FnMut(Member<'_>) -> Option<String>) -> Option<Option<String>> {
    // Looked at first, so that nothing is offered of what turns out to be no JSON.
    rewrite_members(json, |_| None).ok()?;
    Some(match rewrite_members(json, visit).ok()? {
        std::borrow::Cow::Borrowed(_) => None,
        std::borrow::Cow::Owned(new) => Some(new),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_is_told_by_the_ending_and_else_by_the_beginning() {
        for (ending, start, kind) in [
            ("json", "", Kind::Json),
            ("ndjson", "", Kind::Jsonl),
            ("log", "{}", Kind::Text),
            ("", "{\"a\": 1}", Kind::Json),
            ("", "{\"a\": 1}\n{\"a\": 2}\n", Kind::Jsonl),
            ("", "{ not JSON", Kind::Text),
        ] {
            assert_eq!(guess(Kind::Auto, ending, start), kind, "{ending} {start}");
        }
        assert_eq!(guess(Kind::Text, "json", "{}"), Kind::Text);
    }

    #[test]
    fn values_of_json_have_their_names_and_places() {
        let found = units(Kind::Jsonl, "{\"a\": \"x\"}\nno JSON\n[7, \"\\n\"]");
        let found: Vec<_> =
            found.iter().map(|it| (&*it.member, &*it.text, it.at, it.is_plain)).collect();
        let expected = [
            ("a", "x", 7, true),
            ("", "no JSON\n", 11, true),
            ("", "7", 20, true),
            ("", "\n", 23, false),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_rewritten_stays_json_line_by_line() {
        let mut mask = |name: &str, text: &str| (name == "k").then(|| format!("<{text}>"));
        let text = "{\"k\": 1}\n{\"j\": 2}\n{\"k\": \"\\\"\"}\n";
        let expected = "{\"k\": \"<1>\"}\n{\"j\": 2}\n{\"k\": \"<\\\">\"}\n";
        assert_eq!(rewritten(Kind::Jsonl, text, &mut mask).unwrap(), expected);
        assert_eq!(rewritten(Kind::Text, text, &mut mask), None);
    }
}
