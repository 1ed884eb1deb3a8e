//! The linear model: a weight a feature, summed over sentences, a few
//! sentences together, and the whole text.

use super::{
    features::{BITS, Group, Hints, Sink, place},
    fold::Folded,
    reader::read,
};
use std::borrow::Cow;

/// The weights that ship.
const SHIPPED: &[u8] = include_bytes!("weights.bin");
/// What a file of weights begins with.
const MAGIC: &[u8; 4] = b"shi1";
/// How many weights a model has.
const SIZE: usize = 1 << BITS;
/// How many sentences are also looked at together.
const TOGETHER: usize = 3;

/// The model.
#[derive(Debug, Clone)]
pub struct Model {
    bias: f32,
    /// What one step of a weight is worth.
    step: f32,
    /// Added to the number of words, so that a short text does not weigh too
    /// much.
    smooth: f32,
    /// A signed byte each.
    weights: Cow<'static, [u8]>,
}

/// The bytes are no weights of this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a file of weights for this version")]
pub struct BadWeights;

impl Model {
    /// The model that ships.
    ///
    /// # Errors
    ///
    /// [`BadWeights`] when the file that was built in is damaged.
    pub fn shipped() -> Result<Self, BadWeights> {
        let (head, weights) = SHIPPED.split_at_checked(16).ok_or(BadWeights)?;
        Self::read(head, Cow::Borrowed(weights))
    }

    /// Reads what [`Model::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`BadWeights`] when it did not write these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadWeights> {
        let (head, weights) = bytes.split_at_checked(16).ok_or(BadWeights)?;
        Self::read(head, Cow::Owned(weights.to_vec()))
    }

    fn read(head: &[u8], weights: Cow<'static, [u8]>) -> Result<Self, BadWeights> {
        let number = |at: usize| {
            let bytes = head.get(at..at + 4)?.try_into().ok()?;
            Some(f32::from_le_bytes(bytes)).filter(|number| number.is_finite())
        };
        if head.get(..4) != Some(MAGIC) || weights.len() != SIZE {
            return Err(BadWeights);
        }
        let numbers = number(4).zip(number(8)).zip(number(12));
        let ((bias, step), smooth) = numbers.ok_or(BadWeights)?;
        Ok(Self { bias, step, smooth, weights })
    }

    /// A model of signed bytes.
    #[must_use]
    pub(in super::super) fn of(bias: f32, step: f32, smooth: f32, weights: &[i8]) -> Self {
        let weights = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        Self { bias, step, smooth, weights }
    }

    /// The model as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [self.bias, self.step, self.smooth] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.weights);
        bytes
    }

    /// How sure the model is that some part of the text is an attack, as the
    /// logarithm of the odds, and what is worth a second look.
    pub(super) fn margin(&self, folded: &Folded<'_>) -> (f32, Hints) {
        let mut sums = Sums {
            model: self,
            sum: 0,
            last: [(0, 0); TOGETHER],
            whole: (0, 0),
            best: f32::NEG_INFINITY,
        };
        let hints = read(folded, &mut sums);
        let whole = self.value(sums.whole);
        (sums.best.max(whole), hints)
    }

    fn value(&self, (sum, words): (i64, u32)) -> f32 {
        self.bias + self.step * sum as f32 / (words as f32 + self.smooth).sqrt()
    }
}

/// Adds up weights: of the sentence that is read, the last few, and the text.
struct Sums<'a> {
    model: &'a Model,
    sum: i64,
    last: [(i64, u32); TOGETHER],
    whole: (i64, u32),
    best: f32,
}

impl Sink for Sums<'_> {
    #[inline]
    fn feature(&mut self, group: Group, hash: u64) {
        let weight = self.model.weights.get(place(group, hash)).copied().unwrap_or_default();
        self.sum += i64::from(i8::from_le_bytes([weight]));
    }

    fn sentence(&mut self, words: u32) {
        let own = (self.sum, words);
        self.last.rotate_right(1);
        if let Some(newest) = self.last.first_mut() {
            *newest = own;
        }
        self.whole = (self.whole.0 + self.sum, self.whole.1 + words);
        let add = |(sum, all): (i64, u32), (more, words): &(i64, u32)| (sum + more, all + words);
        let together = self.last.iter().fold((0, 0), add);
        self.best = self.best.max(self.model.value(own)).max(self.model.value(together));
        self.sum = 0;
    }
}
