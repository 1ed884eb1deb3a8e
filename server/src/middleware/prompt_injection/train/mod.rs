//! Trains the model that [`score`](super::score) asks, on other people's data
//! and on examples of our own.

mod document;
mod learner;
mod own;
mod settings;
#[cfg(test)]
mod tests;

pub use document::{Document, Example};
pub use learner::train;
pub use own::own;
pub use settings::Settings;
