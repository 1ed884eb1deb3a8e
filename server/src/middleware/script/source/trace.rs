//! Reads the stack of a JavaScript error.

use std::fmt;

use super::calls;
use super::position::Position;
use super::program::{Module, Program};

/// A place in a script that was on the stack when an error was made.
///
/// Displayed as `check (guards/keys.ts:3:14)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The name of the function, if it has one.
    pub function: Option<String>,
    /// The name of the file.
    pub file: String,
    /// Where in the file.
    pub position: Position,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, file, position } = self;
        match function {
            Some(function) => write!(f, "{function} ({file}:{position})"),
            None => write!(f, "{file}:{position}"),
        }
    }
}

/// The frames of `stack` that are in files of `program`, for an error with this message.
pub(super) fn frames(program: &Program, message: &str, stack: &str) -> Vec<Frame> {
    let failed_call = matches!(message, "not a function" | "not a constructor");
    let mut known = if failed_call { calls::Frame::FailedCall } else { calls::Frame::Innermost };
    let mut frames = Vec::new();
    for line in stack.lines() {
        let Some(Line { function, place }) = Line::of(program, line) else { continue };
        known = {
            if let Some(Place { module, line, column }) = place
                && let Some(position) = module.code.source_of_frame(line, column, known)
            {
                let named = !function.is_empty() && function != "<anonymous>";
                let function = named.then(|| function.to_owned());
                frames.push(Frame { function, file: module.name.clone(), position });
            }
            calls::Frame::Calling(function)
        };
    }
    frames
}

/// A line of a stack.
struct Line<'s, 'p> {
    function: &'s str,
    /// `None` for what is not in the program.
    place: Option<Place<'p>>,
}

impl<'s, 'p> Line<'s, 'p> {
    /// Reads `    at name (module:line:column)`, or `    at module:line:column` of a syntax error.
    fn of(program: &'p Program, line: &'s str) -> Option<Self> {
        let line = line.trim_start().strip_prefix("at ")?;
        let Some(called) = line.strip_suffix(')') else {
            return Some(Self { function: "", place: Place::of(program, line) });
        };
        // Names of functions and files may hold parentheses, too: one reading is a module.
        let readings = called.rmatch_indices(" (").filter_map(|(at, separator)| {
            let (function, rest) = called.split_at_checked(at)?;
            Some((function, rest.strip_prefix(separator)?))
        });
        let mut elsewhere = None;
        for (function, rest) in readings {
            let place = Place::of(program, rest);
            if place.is_some() {
                return Some(Self { function, place });
            }
            elsewhere.get_or_insert(Self { function, place });
        }
        elsewhere
    }
}

/// A place as QuickJS reports it.
struct Place<'p> {
    module: &'p Module,
    line: u32,
    column: u32,
}

impl<'p> Place<'p> {
    fn of(program: &'p Program, text: &str) -> Option<Self> {
        let (text, column) = text.rsplit_once(':')?;
        let (module, line) = text.rsplit_once(':')?;
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        Some(Self { module: program.module(module)?, line, column })
    }
}
