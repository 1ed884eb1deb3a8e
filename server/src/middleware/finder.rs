//! What a guard finds in texts outside of any run, for `sidehook scan`.

use crate::engine::Fault;
use async_trait::async_trait;
use std::ops::Range;

/// Something that a guard finds in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it stands, in bytes at character boundaries.
    pub span: Range<usize>,
    /// What it is, such as `email`.
    pub kind: String,
}

/// Replaces what is found in a text, given the name of the value in JSON that it
/// is, or an empty one. `None` leaves the text as it is. It may remember what it
/// replaced, so that equal values have one token.
pub type Mask<'a> = Box<dyn FnMut(&str, &str) -> Option<String> + Send + 'a>;

/// A guard that finds things in texts.
#[async_trait]
pub trait Finder: Send + Sync {
    /// What is found in a text, in its order and none overlapping. `member` is the
    /// name of the value in JSON that the text is, or empty.
    ///
    /// # Errors
    ///
    /// The text cannot be judged now.
    async fn find(&self, member: &str, text: &str) -> Result<Vec<Found>, Fault>;

    /// What masks the texts of one document. A guard that changes no texts leaves
    /// them all.
    fn mask(&self) -> Mask<'_>;
}
