//! What a scanner looks for, and how: the same for all its detectors.

use super::custom::Custom;
use super::entity::{Entity, KINDS};
use super::plan::Region;
use std::sync::Arc;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    kinds: Kinds,
    /// Kinds of which a text that is nothing else is one, without any word before.
    alone: Kinds,
    /// Countries whose numbers are phone numbers as they are dialled there.
    pub(super) regions: Vec<Region>,
    /// Whether addresses that name nobody's machine count: `::`, `0.0.0.0`,
    /// `127.0.0.1`.
    pub(super) noise: bool,
    pub(super) custom: Arc<[Custom]>,
}

#[derive(Debug, Clone, Copy)]
struct Kinds([bool; KINDS]);

impl Default for Kinds {
    fn default() -> Self {
        Self([false; KINDS])
    }
}

impl Wanted {
    /// Looks for these.
    #[must_use]
    pub fn new(entities: impl IntoIterator<Item = Entity>) -> Self {
        let mut wanted = Self::default();
        for entity in entities {
            if let Some(kind) = wanted.kinds.0.get_mut(entity.rank()) {
                *kind = true;
            }
        }
        wanted
    }

    /// A text that is nothing but a number is one of these kinds.
    #[must_use]
    pub fn alone(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        self.alone = Self::new(entities).kinds;
        self
    }

    /// Phone numbers may be written as in these countries.
    #[must_use]
    pub fn regions(mut self, regions: impl IntoIterator<Item = Region>) -> Self {
        self.regions = regions.into_iter().collect();
        self
    }

    /// Addresses that name nobody's machine count too.
    #[must_use]
    pub fn noise(mut self, noise: bool) -> Self {
        self.noise = noise;
        self
    }

    /// What the configuration adds is looked for.
    #[must_use]
    pub fn custom(mut self, custom: Vec<Custom>) -> Self {
        for place in (0_u8..).take(custom.len()) {
            if let Some(kind) = self.kinds.0.get_mut(Entity::Custom(place).rank()) {
                *kind = true;
            }
        }
        self.custom = custom.into();
        self
    }

    #[inline]
    pub(super) fn has(&self, entity: Entity) -> bool {
        self.kinds.0.get(entity.rank()) == Some(&true)
    }

    pub(super) fn has_alone(&self, entity: Entity) -> bool {
        self.alone.0.get(entity.rank()) == Some(&true)
    }

    /// The name of a kind in the configuration.
    #[must_use]
    pub fn name(&self, entity: Entity) -> &str {
        match entity {
            Entity::Custom(place) => {
                self.custom.get(usize::from(place)).map_or("custom", |custom| &custom.name)
            }
            known => known.label(),
        }
    }
}
