//! What a command prints, where the text alone says so.

use super::{Pipeline, Script, Stage};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};

/// How many stages and values are followed.
const MOST: usize = 16;

/// The longest text that is followed, in bytes.
const LONGEST: usize = 1 << 16;

/// What a script prints, if it is known.
#[must_use]
pub(crate) fn output(script: &Script) -> Option<String> {
    match script.pipelines.as_slice() {
        [Pipeline { stages, .. }] => match stages.as_slice() {
            [stage] => static_output(stage, None),
            [first, rest @ ..] if rest.len() < MOST => {
                let mut text = static_output(first, None)?;
                for stage in rest {
                    text = static_output(stage, Some(&text))?;
                }
                Some(text)
            }
            _ => None,
        },
        _ => None,
    }
}

/// What a command prints of its own words and its input, if it is known.
#[must_use]
pub(crate) fn static_output(stage: &Stage, input: Option<&str>) -> Option<String> {
    let (name, arguments) = stage.words.split_first()?;
    let longest = arguments.iter().map(|word| word.text.len()).sum::<usize>() > LONGEST;
    if longest || arguments.iter().any(|word| word.dynamic) {
        return None;
    }
    let texts = || arguments.iter().map(|word| word.text.as_str());
    let own = stage.document();
    let input = match own {
        Some(word) => Some(word.text.as_str()),
        None => input,
    };
    match base_name(&name.text) {
        "echo" => {
            let plain: Vec<_> =
                texts().skip_while(|text| matches!(*text, "-n" | "-e" | "-E" | "-ne")).collect();
            Some(plain.join(" "))
        }
        "printf" => printed(&texts().collect::<Vec<_>>()),
        "cat" | "tee" if texts().all(|text| text == "-") => input.map(str::to_owned),
        "rev" if arguments.is_empty() => input.map(|text| text.chars().rev().collect()),
        "base64" if texts().any(|text| matches!(text, "-d" | "-D" | "--decode" | "-di")) => {
            decoded(input?)
        }
        "which" | "whereis" => texts().next_back().map(str::to_owned),
        "command" | "type" if texts().any(|text| matches!(text, "-v" | "-V" | "-p" | "-P")) => {
            texts().next_back().map(str::to_owned)
        }
        "basename" | "realpath" | "readlink" => texts().next_back().map(str::to_owned),
        "pwd" => Some(".".to_owned()),
        _ => None,
    }
}

fn decoded(text: &str) -> Option<String> {
    let text: String = text.split_whitespace().collect();
    let text = text.trim_end_matches('=');
    String::from_utf8(STANDARD_NO_PAD.decode(text).ok()?).ok()
}

/// What `printf` prints of plain text and `%s`.
fn printed(arguments: &[&str]) -> Option<String> {
    let (format, values) = arguments.split_first()?;
    let mut text = format.replace("\\n", "\n").replace("\\t", "\t");
    if !text.contains('%') {
        return Some(text);
    }
    if values.len() > MOST {
        return None;
    }
    if let [value] = values {
        text = text.replace("%s", value).replace("%b", value);
    } else {
        for value in values {
            text = text.replacen("%s", value, 1);
        }
    }
    Some(text)
}

fn base_name(text: &str) -> &str {
    text.rsplit('/').next().unwrap_or(text)
}
