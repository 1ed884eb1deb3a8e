//! How often each entity was masked.

use super::entity::{Entity, KINDS, MAX_CUSTOM};

/// Findings per entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts([u32; KINDS]);

impl Default for Counts {
    fn default() -> Self {
        Self([0; KINDS])
    }
}

impl Counts {
    /// How often this entity was found.
    #[must_use]
    pub fn get(&self, entity: Entity) -> usize {
        self.0.get(entity.rank()).map_or(0, |count| *count as usize)
    }

    /// All findings.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.iter().map(|count| *count as usize).sum()
    }

    /// The entities that were found, in the order of their rank.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, usize)> {
        let custom = (0..).take(MAX_CUSTOM).map(Entity::Custom);
        let all = Entity::ALL.into_iter().chain(custom).zip(self.0);
        all.filter(|(_, count)| *count > 0).map(|(entity, count)| (entity, count as usize))
    }

    /// Adds the findings of another text.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
    }

    pub(super) fn add(&mut self, entity: Entity) {
        if let Some(count) = self.0.get_mut(entity.rank()) {
            *count = count.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_per_entity() {
        let mut counts = Counts::default();
        counts.add(Entity::Email);
        counts.add(Entity::Custom(2));
        let mut both = counts;
        both.add(Entity::Phone);
        both.merge(&counts);
        let all = [(Entity::Email, 2), (Entity::Phone, 1), (Entity::Custom(2), 2)];
        assert_eq!(both.iter().collect::<Vec<_>>(), all);
        assert_eq!((both.total(), both.get(Entity::Iban)), (5, 0));
    }
}
