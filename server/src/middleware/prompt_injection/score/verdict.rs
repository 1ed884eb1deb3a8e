//! The judgement of a text: its score, and where the attack was found.

use super::{
    decode::{Layer, decodings},
    features::Hints,
    fold::fold,
    model::{BadWeights, Model},
};

/// What is said of a text. It never holds the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// How likely the text is an attack, from 0 to 1.
    pub score: f32,
    /// Where the part with this score was found.
    pub layer: Layer,
    /// Whether it says that instructions are to be ignored.
    pub overrides: bool,
}

/// Judges texts.
#[derive(Debug, Clone)]
pub struct Scorer {
    model: Model,
}

/// Text that nobody sees is an attack whatever it says, if it is at least so
/// long. The flag of a region takes seven characters.
const HIDDEN_TEXT: usize = 16;
/// How sure that is, as the logarithm of the odds.
const HIDDEN_MARGIN: f32 = 3.0;

impl Scorer {
    /// Judges with the model that ships.
    ///
    /// # Errors
    ///
    /// [`BadWeights`] when the weights that were built in are damaged.
    pub fn new() -> Result<Self, BadWeights> {
        Model::shipped().map(Self::with)
    }

    /// Judges with `model`.
    #[must_use]
    pub const fn with(model: Model) -> Self {
        Self { model }
    }

    /// Judges `text`: as it stands, and as it reads when it is decoded.
    #[must_use]
    pub fn judge(&self, text: &str) -> Verdict {
        let folded = fold(text);
        let (margin, hints) = self.model.margin(&folded);
        let mut best = (margin, Layer::Text, hints);
        for (layer, decoded) in decodings(text, &folded, hints) {
            let (mut margin, hints) = self.model.margin(&fold(&decoded));
            if layer == Layer::Hidden && folded.smuggled.len() >= HIDDEN_TEXT {
                margin = margin.max(HIDDEN_MARGIN);
            }
            if margin > best.0 {
                best = (margin, layer, hints);
            }
        }
        let (margin, layer, hints): (f32, Layer, Hints) = best;
        Verdict { score: score(margin), layer, overrides: hints.overrides > 0 }
    }
}

/// The odds as a number from 0 to 1.
fn score(margin: f32) -> f32 {
    1.0 / (1.0 + (-margin).exp())
}
