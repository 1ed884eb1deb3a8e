//! How good the guards are, measured on other people's data.

pub mod commands;
mod committed;
mod figure;
pub mod injection;
mod page;
pub mod pii;
mod pii_kinds;
mod rows;
pub mod secrets;
mod speed;
#[cfg(test)]
mod tests;
mod whole;

pub use committed::{Regression, regressions};
pub use figure::{Aim, Figure, Miss, Report};
pub use page::{PageError, page};
pub use speed::speed;
pub use whole::{Part, evaluate};
