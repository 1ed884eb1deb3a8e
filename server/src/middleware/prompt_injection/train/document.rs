//! A text to learn from, as the model sees it.

use super::super::score::{Group, Sink, decodings, fold, place, read};
use std::ops::Range;

/// A text to learn from.
#[derive(Debug, Clone)]
pub struct Example {
    /// The text.
    pub text: String,
    /// Whether it is an attack.
    pub attack: bool,
    /// The number of its source, below 64.
    pub source: u32,
    /// How much it counts.
    pub weight: f32,
}

/// A feature: where its weight stands, and its group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Feature {
    pub(super) place: u32,
    pub(super) group: Group,
}

/// A sentence: its features, and how many words it has.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) features: Vec<Feature>,
    pub(super) words: u32,
}

/// A part of a document, by its sentences.
pub(super) type Part = Range<usize>;

/// An example as the model sees it.
#[derive(Debug)]
pub struct Document {
    pub(super) sentences: Vec<Sentence>,
    pub(super) attack: bool,
    pub(super) source: u32,
    pub(super) weight: f32,
}

impl Document {
    /// Reads an example, and what it hides.
    #[must_use]
    pub fn new(example: &Example) -> Self {
        let mut sink = Collect::default();
        let folded = fold(&example.text);
        let hints = read(&folded, &mut sink);
        for (_, decoded) in decodings(&example.text, &folded, hints) {
            read(&fold(&decoded), &mut sink);
        }
        Self {
            sentences: sink.sentences,
            attack: example.attack,
            source: example.source,
            weight: example.weight,
        }
    }

    /// The sentences of a part.
    pub(super) fn part(&self, part: &Part) -> &[Sentence] {
        self.sentences.get(part.clone()).unwrap_or_default()
    }

    /// All of it.
    pub(super) fn whole(&self) -> Part {
        0..self.sentences.len()
    }

    /// Every part that the model looks at.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> {
        let count = self.sentences.len();
        let single = (0..count).map(|at| at..at + 1);
        let three = (1..count).map(|at| at.saturating_sub(2)..at + 1);
        single.chain(three).chain(std::iter::once(0..count))
    }

    /// Every feature.
    pub(super) fn features(&self) -> impl Iterator<Item = Feature> {
        self.sentences.iter().flat_map(|sentence| sentence.features.iter().copied())
    }
}

#[derive(Default)]
struct Collect {
    features: Vec<Feature>,
    sentences: Vec<Sentence>,
}

impl Sink for Collect {
    fn feature(&mut self, group: Group, hash: u64) {
        let place = u32::try_from(place(group, hash)).unwrap_or_default();
        self.features.push(Feature { place, group });
    }

    fn sentence(&mut self, words: u32) {
        let features = std::mem::take(&mut self.features);
        self.sentences.push(Sentence { features, words });
    }
}
