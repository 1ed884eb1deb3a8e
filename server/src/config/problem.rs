//! What is wrong with a configuration: every problem has a place, and all are shown at once.

use std::fmt;

/// A place in a text. Both numbers count from one, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// The first character of the text.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// What is wrong with one value, before it is known where the value stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", Suffix(.suggestion.as_deref()))]
pub struct Complaint {
    /// What is wrong: lower case, without a full stop.
    pub message: String,
    /// What to do about it, such as ``did you mean `2s`?``.
    pub suggestion: Option<String>,
}

impl Complaint {
    /// A complaint that suggests nothing.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), suggestion: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn suggest(self, suggestion: impl Into<String>) -> Self {
        self.suggest_if(Some(suggestion.into()))
    }

    /// Adds what to do about it, if anybody knows.
    #[must_use]
    pub fn suggest_if(self, suggestion: Option<String>) -> Self {
        Self { suggestion, ..self }
    }
}

/// One thing that is wrong with a configuration, and where.
///
/// Displayed as ``sidehook.yaml:12:5: middleware[1].prioritty: unknown key; did you mean
/// `priority`?``, which editors and terminals turn into a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The name of the file, as the user gave it.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// Where in the configuration, such as `middleware[1].prioritty`; empty for the whole.
    pub path: String,
    /// What is wrong: lower case, without a full stop.
    pub message: String,
    /// What to do about it.
    pub suggestion: Option<String>,
}

impl Problem {
    /// The line, counted from one.
    #[must_use]
    pub fn line(&self) -> usize {
        self.place.line
    }

    /// The column in characters, counted from one.
    #[must_use]
    pub fn column(&self) -> usize {
        self.place.column
    }
}

/// Why a configuration cannot be used: at least one problem, sorted by place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Sorts `problems`; `None` if there are none.
    #[must_use]
    pub fn of(mut problems: Vec<Problem>) -> Option<Self> {
        // Stable: problems of one place keep the order in which they were found.
        problems.sort_by(|a, b| (&a.file, a.place).cmp(&(&b.file, b.place)));
        problems.dedup();
        (!problems.is_empty()).then_some(Self(problems))
    }

    /// The problems, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl std::error::Error for Problem {}

impl std::error::Error for Problems {}

/// A suggestion as it follows a message.
struct Suffix<'a>(Option<&'a str>);

impl fmt::Display for Suffix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |suggestion| write!(f, "; {suggestion}"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place: Place { line, column }, path, message, suggestion } = self;
        write!(f, "{file}:{line}:{column}: ")?;
        if !path.is_empty() {
            write!(f, "{path}: ")?;
        }
        write!(f, "{message}{}", Suffix(suggestion.as_deref()))
    }
}

/// One line for each problem, then a line that counts them.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in self.iter() {
            writeln!(f, "{problem}")?;
        }
        match self.0.len() {
            1 => write!(f, "1 problem in the configuration"),
            n => write!(f, "{n} problems in the configuration"),
        }
    }
}
