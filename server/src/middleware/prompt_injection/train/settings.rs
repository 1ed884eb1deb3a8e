//! What the training may be told.

use super::super::score::GROUPS;

/// How to train. The default is what the weights that ship were trained with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How much a feature counts, by group: words, pairs, pieces, meanings, what
    /// follows, triples, marks, shapes.
    pub values: [f32; GROUPS],
    /// How far a step goes.
    pub rate: f32,
    /// How strongly weights are drawn to zero.
    pub decay: f32,
    /// Added to the number of words of a part.
    pub smooth: f32,
    /// How often the parts to learn from are chosen again.
    pub rounds: usize,
    /// How often each is learned from in a round.
    pub epochs: usize,
    /// Over how many of the last rounds the weights are averaged.
    pub average: usize,
    /// In how many sources a word, a pair or a piece must occur, so that no
    /// source is known by its subjects.
    pub sources: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            values: [1.5, 1.0, 0.4, 1.0, 1.2, 1.2, 3.0, 1.0],
            rate: 0.1,
            decay: 0.0015,
            smooth: 6.0,
            rounds: 5,
            epochs: 8,
            average: 2,
            sources: 2,
        }
    }
}
