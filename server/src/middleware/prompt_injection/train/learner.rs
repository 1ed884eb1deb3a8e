//! Logistic regression over the parts of texts.
//!
//! Of a text that is an attack only some part is one, so that each round takes
//! the part that the model is surest of. Of a harmless text every part is
//! harmless, so that each round takes the parts it errs most about, and the
//! whole.
//!
//! All of it is addition, multiplication, division and square roots, which give
//! the same everywhere.

use super::{
    super::score::{BITS, Group, Model},
    Document, Settings,
    document::{Feature, Part},
    own::Chance,
};

/// How many parts of a harmless text are learned from, beside the whole.
const WORST: usize = 3;
const SIZE: usize = 1 << BITS;

/// A part to learn from.
struct Lesson<'a> {
    document: &'a Document,
    part: Part,
    weight: f32,
}

#[derive(Clone, Copy, Default)]
struct Weight {
    value: f32,
    /// The sum of the squares of its slopes.
    squares: f32,
    /// The sum over the epochs that are averaged.
    total: f32,
    /// Whether enough sources have it.
    kept: bool,
}

struct Learner<'a> {
    settings: &'a Settings,
    weights: Vec<Weight>,
    bias: f32,
}

/// Trains a model.
#[must_use]
pub fn train(documents: &[&Document], settings: &Settings) -> Model {
    let weights = supported(documents, settings.sources);
    let mut learner = Learner { settings, weights, bias: 0.0 };
    let mut chance = Chance(0x2545_F491_4F6C_DD1D);
    let (mut total, mut count) = (0.0, 0.0);
    for round in 0..settings.rounds {
        let mut lessons = learner.lessons(documents, round == 0);
        for _ in 0..settings.epochs {
            for at in (1..lessons.len()).rev() {
                lessons.swap(at, chance.below(at + 1));
            }
            for lesson in &lessons {
                learner.learn(lesson);
            }
            if round + settings.average >= settings.rounds {
                learner.weights.iter_mut().for_each(|weight| weight.total += weight.value);
                total += learner.bias;
                count += 1.0;
            }
        }
    }
    if count > 0.0 {
        learner.weights.iter_mut().for_each(|weight| weight.value = weight.total / count);
        learner.bias = total / count;
    }
    learner.quantised(documents)
}

/// The weights at the start: which features occur in enough sources.
fn supported(documents: &[&Document], sources: u32) -> Vec<Weight> {
    let mut masks = vec![0_u64; SIZE];
    for document in documents {
        for feature in document.features() {
            if let Some(mask) = masks.get_mut(feature.place as usize) {
                let general = !matches!(feature.group, Group::Word | Group::Pair | Group::Piece);
                *mask |= if general { u64::MAX } else { 1 << (document.source % 64) };
            }
        }
    }
    let kept = |mask: u64| Weight { kept: mask.count_ones() >= sources, ..Weight::default() };
    masks.into_iter().map(kept).collect()
}

impl Learner<'_> {
    fn lessons<'d>(&self, documents: &[&'d Document], first: bool) -> Vec<Lesson<'d>> {
        let mut lessons = Vec::new();
        for document in documents.iter().filter(|document| !document.sentences.is_empty()) {
            let weight = document.weight;
            let mut add = |part, weight| lessons.push(Lesson { document, part, weight });
            match (document.attack, first) {
                (true, true) => add(document.whole(), weight),
                (true, false) => {
                    self.surest(document, 1).into_iter().for_each(|part| add(part, weight));
                }
                (false, _) => {
                    add(document.whole(), weight / 2.0);
                    let worst = if first { 0 } else { WORST };
                    let worst = self.surest(document, worst);
                    worst.into_iter().for_each(|part| add(part, weight / 2.0));
                }
            }
        }
        lessons
    }

    /// The parts that are most likely an attack.
    fn surest(&self, document: &Document, count: usize) -> Vec<Part> {
        let margins = document.parts().map(|part| (self.margin(document, &part), part));
        let mut margins: Vec<_> = if count == 0 { Vec::new() } else { margins.collect() };
        margins.sort_by(|one, two| two.0.total_cmp(&one.0));
        margins.dedup_by(|one, two| one.1 == two.1);
        margins.into_iter().take(count).map(|(_, part)| part).collect()
    }

    fn value(&self, feature: Feature) -> f32 {
        self.settings.values.get(feature.group as usize).copied().unwrap_or_default()
    }

    fn weight(&self, feature: Feature) -> f32 {
        self.weights.get(feature.place as usize).map_or(0.0, |weight| weight.value)
    }

    /// What a sum over so many words is divided by.
    fn size(&self, document: &Document, part: &Part) -> f32 {
        let words: u32 = document.part(part).iter().map(|sentence| sentence.words).sum();
        (words as f32 + self.settings.smooth).sqrt()
    }

    fn margin(&self, document: &Document, part: &Part) -> f32 {
        let features = document.part(part).iter().flat_map(|sentence| &sentence.features);
        let sum: f32 = features.map(|it| self.value(*it) * self.weight(*it)).sum();
        self.bias + sum / self.size(document, part)
    }

    fn learn(&mut self, lesson: &Lesson<'_>) {
        let Lesson { document, part, weight } = lesson;
        let target = if document.attack { 1.0 } else { 0.0 };
        let error = (logistic(self.margin(document, part)) - target) * weight;
        let share = error / self.size(document, part);
        let (rate, decay) = (self.settings.rate, self.settings.decay * weight);
        for feature in document.part(part).iter().flat_map(|sentence| &sentence.features) {
            let value = self.value(*feature);
            if let Some(learned) = self.weights.get_mut(feature.place as usize)
                && learned.kept
            {
                let slope = share + decay * learned.value;
                learned.squares += slope * slope;
                learned.value -= rate * value * slope / learned.squares.sqrt().max(1e-8);
            }
        }
        self.bias -= rate / 10.0 * error;
    }

    /// The model in steps of a signed byte.
    fn quantised(&self, documents: &[&Document]) -> Model {
        // What a place counts: as the group that has it last.
        let mut values = vec![0.0_f32; SIZE];
        for feature in documents.iter().flat_map(|document| document.features()) {
            if let Some(value) = values.get_mut(feature.place as usize) {
                *value = self.value(feature);
            }
        }
        let weights = values.iter().zip(&self.weights).map(|(value, it)| value * it.value);
        let weights: Vec<f32> = weights.collect();
        let mut sizes: Vec<f32> =
            weights.iter().map(|it| it.abs()).filter(|it| *it > 0.0).collect();
        sizes.sort_by(f32::total_cmp);
        // A few of the largest are cut, so that the others keep their differences.
        let largest = sizes.len().saturating_sub(1 + sizes.len() / 2000);
        let step = sizes.get(largest).copied().unwrap_or(1.0) / 127.0;
        let byte = |weight: &f32| (weight / step).round().clamp(-127.0, 127.0) as i8;
        let weights: Vec<i8> = weights.iter().map(byte).collect();
        Model::of(self.bias, step, self.settings.smooth, &weights)
    }
}

/// The logistic function. The exponential is a power by repeated squares.
fn logistic(x: f32) -> f32 {
    let mut power = 1.0 - f64::from(x.clamp(-30.0, 30.0)) / 4096.0;
    for _ in 0..12 {
        power *= power;
    }
    (1.0 / (1.0 + power)) as f32
}
