//! What a command reads from the one before it.

use super::{find, program, wrappers};
use crate::middleware::commands::syntax::{Script, Stage, Word, output, static_output};

/// What a command reads from the one before it.
#[derive(Debug, Clone)]
pub(super) enum Input {
    /// Nothing that the text says.
    None,
    /// A text that is known.
    Text(String),
    /// Something from the network.
    Remote,
    /// Something that is decoded, or typed before.
    Hidden,
    /// Paths.
    Paths(Vec<Word>),
    /// Something else.
    Unknown,
}

impl Input {
    /// What a command hands on.
    pub(super) fn of(stage: &Stage, input: &Self) -> Self {
        if let Some(body) = &stage.body {
            if let Some(text) = output(body) {
                return Self::Text(text);
            }
            let last = body.pipelines.last().and_then(|pipeline| pipeline.stages.last());
            return last.map_or(Self::Unknown, |stage| Self::of(stage, input));
        }
        if let Some(text) = static_output(stage, input.text()) {
            return Self::Text(text);
        }
        let mut words = stage.words.as_slice();
        while let Some((first, rest)) = words.split_first() {
            let name = program::name(first);
            match wrappers::inner(&name, rest) {
                Some(inner) => words = inner,
                None => return Self::from(&name, rest, input),
            }
        }
        Self::Unknown
    }

    fn from(name: &str, rest: &[Word], input: &Self) -> Self {
        let decodes =
            |options: &[&str]| rest.iter().any(|word| options.contains(&word.text.as_str()));
        match name {
            "curl" | "wget" | "aria2c" | "fetch" | "lwp-request" | "nc" | "ncat" | "http"
            | "xh" | "iwr" | "invoke-webrequest" | "irm" | "invoke-restmethod" => Self::Remote,
            "history" | "fc" => Self::Hidden,
            "base64" | "base32" if decodes(&["-d", "-D", "--decode", "-di"]) => Self::Hidden,
            "xxd"
                if rest
                    .iter()
                    .any(|word| word.text.starts_with('-') && word.text.contains('r')) =>
            {
                Self::Hidden
            }
            "openssl" if decodes(&["-d"]) => Self::Hidden,
            "rev" | "uudecode" => Self::Hidden,
            "find" | "gfind" => Self::Paths(find::entries(rest)),
            "cat" | "tee" | "sed" | "tr" | "gunzip" | "zcat" | "gzip" | "xz" | "bzip2" | "head"
            | "tail" | "grep" | "egrep" | "sort" | "awk" | "tac" | "uniq" | "jq" | "cut" => {
                input.weakened()
            }
            _ => Self::Unknown,
        }
    }

    /// What remains of it after a command that changes it.
    fn weakened(&self) -> Self {
        match self {
            Self::None | Self::Text(_) => Self::Unknown,
            other => other.clone(),
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text that a command is given: in a here-document, or by another.
    pub(super) fn given<'a>(&'a self, stage: &'a Stage) -> Option<&'a str> {
        match stage.document() {
            Some(document) => Some(&document.text),
            None => self.text(),
        }
    }

    /// Whether a script takes something from the network.
    pub(super) fn fetches(script: &Script) -> bool {
        script.pipelines.iter().any(|pipeline| {
            let mut passed = Self::None;
            for stage in &pipeline.stages {
                passed = Self::of(stage, &passed);
            }
            matches!(passed, Self::Remote)
        })
    }

    /// What it adds to the words of a command that takes its input for words.
    pub(super) fn as_words(&self) -> Vec<Word> {
        match self {
            Self::Text(text) => text.split_whitespace().map(Word::plain).collect(),
            Self::Paths(paths) => paths.clone(),
            _ => vec![Word { text: "$input".to_owned(), dynamic: true, ..Word::default() }],
        }
    }
}
