//! How long to measure, and which rows.

use std::time::Duration;

/// What the command line asks for.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// How often baseline and subject take turns.
    pub(crate) turns: usize,
    /// How long a turn lasts.
    pub(crate) turn: Duration,
    /// How often the process is started.
    pub(crate) starts: usize,
    /// How many runs are opened.
    pub(crate) runs: usize,
    /// Only rows with this in their name.
    only: Option<String>,
}

impl Options {
    /// Reads the arguments. Without cargo's own `--bench`, somebody only wants
    /// to see that it works, so that every part is made as small as it can be.
    pub(crate) fn read(arguments: impl Iterator<Item = String>) -> Self {
        let arguments: Vec<String> = arguments.collect();
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let (turns, millis, starts, runs) = match (has("--bench"), has("--quick")) {
            (true, false) => (40, 60, 20, 100_000),
            (true, true) => (12, 30, 7, 20_000),
            (false, _) => (1, 10, 1, 2_000),
        };
        let only = arguments.into_iter().find(|argument| !argument.starts_with("--"));
        Self { turns, turn: Duration::from_millis(millis), starts, runs, only }
    }

    /// Whether the row named `name` is asked for.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    }
}
