//! Decides which of several overlapping candidates stand.
//!
//! Longest first, then [`Entity`](super::Entity) rank, then position. A fixed order over the
//! candidates themselves: who was asked first does not matter.

use super::window::Candidate;

/// The candidates that stand, in the order of the text, none overlapping.
pub(super) fn settle(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates
        .sort_unstable_by_key(|c| (std::cmp::Reverse(c.end - c.start), c.entity.rank(), c.start));
    let mut standing: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let place = standing.partition_point(|other| other.end <= candidate.start);
        if standing.get(place).is_none_or(|next| candidate.end <= next.start) {
            standing.insert(place, candidate);
        }
    }
    standing
}

#[cfg(test)]
mod tests {
    use super::super::entity::Entity;
    use super::*;

    fn check(candidates: &[(usize, usize, Entity)], expected: &[(usize, usize, Entity)]) {
        let mut all: Vec<Candidate> = candidates
            .iter()
            .map(|&(start, end, entity)| Candidate { start, end, entity })
            .collect();
        for _ in 0..all.len() {
            all.rotate_left(1);
            let settled: Vec<_> =
                settle(all.clone()).iter().map(|c| (c.start, c.end, c.entity)).collect();
            assert_eq!(settled, expected);
        }
    }

    #[test]
    fn the_longest_stands() {
        check(
            &[(0, 5, Entity::CreditCard), (3, 20, Entity::Phone), (18, 25, Entity::Email)],
            &[(3, 20, Entity::Phone)],
        );
    }

    #[test]
    fn of_two_as_long_the_higher_rank_stands() {
        check(&[(2, 9, Entity::Phone), (0, 7, Entity::UsSsn)], &[(0, 7, Entity::UsSsn)]);
    }

    #[test]
    fn those_apart_all_stand_in_order() {
        check(
            &[(9, 12, Entity::Email), (0, 4, Entity::Ipv4), (4, 9, Entity::Ipv6)],
            &[(0, 4, Entity::Ipv4), (4, 9, Entity::Ipv6), (9, 12, Entity::Email)],
        );
    }
}
