//! Scores texts: folds them, looks at what they hide, and asks a linear model
//! about each part.

mod confusable;
mod decode;
mod escapes;
mod features;
mod fold;
mod lexicon;
mod marks;
mod model;
mod reader;
#[cfg(test)]
mod tests;
mod verdict;

pub(super) use decode::decodings;
pub(super) use features::{BITS, GROUPS, Group, Sink, place};
pub(super) use fold::fold;
pub(super) use reader::read;

pub use decode::Layer;
pub use model::{BadWeights, Model};
pub use verdict::{Scorer, Verdict};
