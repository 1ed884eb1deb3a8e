//! The rules of chains over unary hooks: order, verdicts, rewrites, faults,
//! effects, state, and the laws that hold for all of them.

pub(in crate::engine) mod asked;
mod cancel;
mod companion;
mod conditions;
mod effects;
mod faults;
mod laws;
mod nested;
mod order;
mod rewrite;
pub(in crate::engine) mod scripted;
mod state;
mod transform;
mod verdicts;
mod vetoes;
