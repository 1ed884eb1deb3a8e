//! Detectors that a configuration adds: a pattern, perhaps a checksum, perhaps
//! words that must stand before it.

use super::entity::Entity;
use super::ids::is_valid;
use super::window::{Candidate, Window};
use regex::{Regex, RegexBuilder};

/// How much memory a compiled pattern may take.
const MAX_PATTERN: usize = 1 << 20;

/// A detector of a configuration. Patterns run in linear time.
#[derive(Debug, Clone)]
pub struct Custom {
    /// Its name in masks and counts.
    pub name: String,
    pattern: Regex,
    checksum: Option<Entity>,
    words: Vec<String>,
}

impl Custom {
    /// Compiles a detector.
    ///
    /// # Errors
    ///
    /// The pattern is none, would take too much memory, or matches an empty text.
    pub fn new(
        name: impl Into<String>,
        pattern: &str,
        checksum: Option<Entity>,
        words: &[String],
    ) -> Result<Self, String> {
        let built = RegexBuilder::new(pattern).size_limit(MAX_PATTERN).build();
        let pattern = built.map_err(|error| error.to_string())?;
        if pattern.is_match("") {
            return Err("the pattern matches an empty text, and so everywhere".into());
        }
        let words = words.iter().map(|word| word.to_lowercase()).collect();
        Ok(Self { name: name.into(), pattern, checksum, words })
    }
}

pub(super) fn candidates(window: &Window<'_>, out: &mut Vec<Candidate>) {
    for (place, custom) in (0_u8..).zip(window.custom()) {
        let words: Vec<&str> = custom.words.iter().map(String::as_str).collect();
        for found in custom.pattern.find_iter(window.text) {
            let right = custom.checksum.is_none_or(|kind| is_valid(kind, found.as_str()));
            let announced = words.is_empty() || window.said(found.start(), &words);
            if !found.is_empty() && right && announced {
                let entity = Entity::Custom(place);
                out.push(Candidate { start: found.start(), end: found.end(), entity });
            }
        }
    }
}
