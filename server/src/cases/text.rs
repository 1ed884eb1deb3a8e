//! What came of a case, in words.

use super::{
    case::{Case, CaseFile},
    run::{Failed, Verdict},
};
use serde_json::Value;

/// A line for a case that passed, and a paragraph for one that did not.
pub(crate) fn in_words(file: &CaseFile, case: &Case, verdict: &Verdict) -> String {
    let (path, name) = (file.file.display(), case.name.replace('\n', " "));
    let Some(failed) = &verdict.failed else { return format!("ok      {path}: {name}") };
    let Failed { step, hook, differences, links } = failed;
    let step = step.map(|step| format!("step {step}, ")).unwrap_or_default();
    let mut text = format!("FAILED  {path}:{}:{}: {name}\n", case.place.line, case.place.column);
    text += &format!("        {step}{hook}\n");
    for it in differences {
        text += &format!("          {}\n", it.path);
        text +=
            &format!("            expected  {}\n            got       {}\n", it.expected, it.got);
    }
    text += "        links\n";
    if links.is_empty() {
        text += "          none\n";
    }
    for link in links {
        text += &format!("          {}\n", did(link));
    }
    text.trim_end().to_owned()
}

/// What one link did: `shell [rules] answered (decision, reason)`.
fn did(link: &Value) -> String {
    let field = |key: &str| link.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut text = format!("{} [{}] {}", field("middleware"), field("kind"), field("outcome"));
    let changed = link.get("changed_fields").and_then(Value::as_array).into_iter().flatten();
    let changed: Vec<_> = changed.filter_map(Value::as_str).collect();
    if !changed.is_empty() {
        text += &format!(" ({})", changed.join(", "));
    }
    if !field("would_have").is_empty() {
        text += &format!(", would have {}", field("would_have"));
    }
    if let Some(fault) = link.get("fault") {
        let field = |key: &str| fault.get(key).and_then(Value::as_str).unwrap_or_default();
        text += &format!(": {}: {}", field("code"), field("message"));
    }
    text
}

/// The line that ends a test.
pub(crate) fn summary(passed: usize, failed: usize) -> String {
    format!("\n{passed} passed, {failed} failed")
}
