//! How severe a line is that a script wrote to its console.

/// The severity of a line, from `console.error` down to `console.trace`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Level {
    /// `console.error`, and an assertion that does not hold.
    Error,
    /// `console.warn`.
    Warn,
    /// `console.log`, `console.info` and what counts, times or lists.
    Info,
    /// `console.debug`.
    Debug,
    /// `console.trace`.
    Trace,
}

impl Level {
    /// The level with the name that `console.js` uses.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "error" => Self::Error,
            "warn" => Self::Warn,
            "info" => Self::Info,
            "debug" => Self::Debug,
            "trace" => Self::Trace,
            _ => return None,
        })
    }
}
