//! Keeps `docs/hooks.md` equal to the cards of the hooks.

use super::HookId;
use std::{env, fs, path::Path};

const HEAD: &str = "\
# The hooks

<!-- Made from the cards in server/src/hooks by `UPDATE=1 cargo test -p sidehook-server cards`. -->

Every hook has a card: when it fires, what its middleware sees and may answer, how the answers of a chain combine, what a veto does, and what happens when a middleware fails.
`sidehook hooks` prints the same as a table.
";

/// The parts of a card, in order.
const PARTS: [&str; 8] = ["Fires", "Sees", "Answers", "Rule", "Veto", "Faults", "Limits", "Source"];

#[test]
fn the_documentation_is_made_of_the_cards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = HEAD.to_owned();
    let mut service = "";
    for hook in HookId::ALL {
        if hook.service() != service {
            service = hook.service();
            text += &format!("\n## {service}\n");
        }
        let file = root.join("src/hooks").join(format!("{}.rs", hook.name()));
        text += &section(hook, &fs::read_to_string(file).unwrap());
    }
    let page = root.join("../docs/hooks.md");
    if env::var_os("UPDATE").is_some() {
        fs::write(&page, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(page).unwrap(), text, "run it with UPDATE=1");
}

/// A hook's card as a section.
fn section(hook: HookId, source: &str) -> String {
    let card: Vec<_> = source.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let card = card.join("\n").replace("\n   ", " ");
    let lines: Vec<_> = card.lines().map(str::trim).collect();
    let title = lines[0].strip_prefix(&format!("`{}`: ", hook.method()));
    let title = title.unwrap_or_else(|| panic!("the card of {hook} starts with its name"));
    let mut text = format!("\n### {}\n\n`{hook}`: {title}\n\n", hook.method());
    let parts: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("- **")).collect();
    let names: Vec<_> = parts.iter().filter_map(|part| part.split_once("** ")).collect();
    assert_eq!(names.iter().map(|(name, _)| *name).collect::<Vec<_>>(), PARTS, "{hook}");
    for (name, what) in names {
        let what = what.replace("[`Rule::", "`").replace("`]", "`");
        text += &format!("- **{name}**: {what}\n");
    }
    text
}
