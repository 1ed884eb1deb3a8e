//! National identity, tax and health numbers: their shapes, check digits and the
//! words that announce them.

mod america_africa;
mod asia_pacific;
mod check;
mod europe_east;
mod europe_west;
mod find;
mod germanic;
mod rows;

pub(super) use find::candidates;
pub use rows::is_valid;
