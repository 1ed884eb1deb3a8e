//! Why some figures are not what they should be.

/// A figure's set and measure, and why it falls short.
const FIGURES: [(&str, &str, &str); 3] = [
    ("a chat", "a kilobyte, all three (µs)", SCORED),
    ("a tool's result", "a kilobyte, all three (µs)", SCORED),
    (
        "pii-datadog-validators",
        "checksums right",
        "one Irish number of the set has three letters behind its digits. The published form has \
         one or two, so that it is refused here.",
    ),
];

const SCORED: &str = "the guard against injections takes most of it, four to six times what it \
                      takes for plain sentences. Its scorer is what has to become faster.";

/// A part of a reported text that is judged differently from what its reporter
/// expects, and why.
const REPORTS: [(&str, &str); 2] = [
    (
        "qty 100 20 3000",
        "three quantities side by side have the form of a social security number written with \
         spaces, and nothing else tells them apart. A number that stays is worse than quantities \
         that are masked.",
    ),
    (
        "Jwt__Token",
        "the value is made of words, as identifiers are. By a name such as `token` a value must \
         look random, or every `token = \"someVariable\"` in code would be taken for one.",
    ),
];

/// Why a figure falls short.
pub(super) fn of_figure(set: &str, measure: &str) -> Option<&'static str> {
    let found = FIGURES.iter().find(|(its, what, _)| *its == set && *what == measure);
    found.map(|(_, _, reason)| *reason)
}

/// Why a reported text is judged differently.
pub(super) fn of_report(text: &str) -> Option<&'static str> {
    REPORTS.iter().find(|(part, _)| text.contains(part)).map(|(_, reason)| *reason)
}
