//! Finds personal data in texts and masks it: in whole texts, in JSON and in
//! streams, with the same outcome.
//!
//! [`segments`] cuts a text into pieces that no finding crosses. [`Scanner`]
//! asks one detector per [`Entity`] about each piece, and [`overlap`] settles
//! what several of them claim. [`Masker`] masks each piece until nothing is left
//! to find in it, [`StreamMasker`] as soon as it is complete. Since both know
//! nothing larger than a piece, they cannot disagree.

mod card;
mod chars;
mod counts;
mod email;
mod entity;
mod groups;
mod iban;
mod ipv4;
mod ipv6;
mod mask;
mod middleware;
mod overlap;
mod phone;
mod scanner;
mod segments;
mod ssn;
mod stream;
#[cfg(test)]
mod texts;
mod window;

pub use counts::Counts;
pub use entity::{Entity, UnknownEntity};
pub use mask::{Masker, Style};
pub use middleware::{Pii, PiiConfig, PiiMode};
pub use scanner::{Finding, Scanner};
pub use segments::MAX_SEGMENT;
pub use stream::StreamMasker;
