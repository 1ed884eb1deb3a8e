//! From the compiler's messages to problems with a place.

use oxc_diagnostics::{LabeledSpan, OxcDiagnostic};

use super::position::Position;
use super::problem::{Complaint, SourceProblem};

/// `diagnostic`, which speaks of `text`, as a problem of `file`.
pub(super) fn problem(file: &str, text: &str, diagnostic: &OxcDiagnostic) -> SourceProblem {
    let labels = &diagnostic.labels;
    let place = labels.iter().find(|label| label.primary()).or_else(|| labels.last());
    let offset = place.map_or(0, LabeledSpan::offset);
    let elsewhere = labels.iter().filter(|label| Some(*label) != place).filter_map(|label| {
        let position = Position::of_byte(text, label.offset() as usize);
        Some(format!("{} ({position})", label.label()?))
    });
    let own = diagnostic.help.as_deref().map(str::to_owned);
    let note = diagnostic.note.as_deref().map(str::to_owned);
    let said: Vec<String> = own.into_iter().chain(note).chain(elsewhere).collect();
    // A message without help often has it in the label.
    let help = if said.is_empty() {
        place.and_then(LabeledSpan::label).map(str::to_owned)
    } else {
        Some(said.join("; "))
    };
    let message = diagnostic.message.trim_end_matches('.');
    Complaint::new(message).help(help).at_byte(file, text, offset as usize)
}
