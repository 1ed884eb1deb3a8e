//! How often each entity was masked.

use super::entity::Entity;

/// Findings per entity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts([usize; Entity::ALL.len()]);

impl Counts {
    /// How often this entity was found.
    #[must_use]
    pub fn get(&self, entity: Entity) -> usize {
        self.0.get(entity.rank()).copied().unwrap_or(0)
    }

    /// All findings.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// The entities that were found, in the order of [`Entity::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Entity, usize)> {
        Entity::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }

    /// Adds the findings of another text.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }

    pub(super) fn add(&mut self, entity: Entity) {
        if let Some(count) = self.0.get_mut(entity.rank()) {
            *count += 1;
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
        let mut both = counts;
        both.add(Entity::Phone);
        both.merge(&counts);
        assert_eq!(both.iter().collect::<Vec<_>>(), [(Entity::Email, 2), (Entity::Phone, 1)]);
        assert_eq!((both.total(), both.get(Entity::Iban)), (3, 0));
    }
}
