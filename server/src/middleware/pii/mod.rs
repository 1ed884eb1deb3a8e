//! Finds personal data in texts and masks it: in whole texts, in JSON and in
//! streams, with the same outcome.
//!
//! [`segments`] cuts a text into pieces that no finding crosses, and steps over
//! those whose [`signals`] do not meet the [`needs`] of what is looked for. [`Scanner`]
//! asks one detector per [`Entity`] about each piece, and [`overlap`] settles
//! what several of them claim. [`Masker`] masks each piece until nothing is left
//! to find in it, [`StreamMasker`] as soon as it is complete. Since both know
//! nothing larger than a piece and the end of what they wrote before it, they
//! cannot disagree.

mod birth;
mod bitcoin;
mod build;
mod card;
mod chars;
mod config;
mod counts;
mod custom;
mod email;
mod entity;
mod finder;
mod gaps;
mod groups;
mod iban;
mod ids;
mod ipv4;
mod ipv6;
mod mac;
mod mask;
mod middleware;
mod needs;
mod notable;
mod overlap;
mod phone;
mod plan;
mod remembered;
mod scanner;
mod segments;
mod signals;
mod sinks;
mod ssn;
mod stream;
mod style;
#[cfg(test)]
mod texts;
mod tokens;
mod visit;
mod wanted;
mod web;
mod window;
mod words;

pub(crate) use build::build;
pub use config::{CustomConfig, PiiConfig, PiiMode, Replacement};
pub use counts::Counts;
pub use custom::Custom;
pub use entity::{Entity, MAX_CUSTOM, UnknownEntity};
pub use ids::is_valid;
pub use mask::{Masker, Masking};
pub use middleware::Pii;
pub use plan::{Region, region_names};
pub use scanner::{Finding, Scanner};
pub use segments::MAX_SEGMENT;
pub use stream::StreamMasker;
pub use style::Style;
pub use tokens::{MAX_TOKEN, TokenStream, Tokens};
pub use wanted::Wanted;
