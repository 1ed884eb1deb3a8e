//! What one detector takes for a secret, and which of several stand.

use std::ops::Range;

/// A stretch that passed every check of one detector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) span: Range<usize>,
    /// Of several as long, the lowest stands.
    pub(super) rank: Rank,
    /// Whose it is, as an index of [`super::Rules`].
    pub(super) service: u16,
}

/// What speaks for a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Its own form.
    Form,
    /// The name of a service beside it.
    Service,
    /// The word that it is named by.
    Word,
}

/// The candidates that stand, in the order of the text, none overlapping: the
/// longest, then the one of higher rank, then the first.
pub(super) fn settle(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    if candidates.len() < 2 {
        return candidates;
    }
    candidates.sort_unstable_by_key(|c| {
        (std::cmp::Reverse(c.span.len()), c.rank, c.span.start, c.service)
    });
    let mut standing: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let place = standing.partition_point(|other| other.span.end <= candidate.span.start);
        if standing.get(place).is_none_or(|next| candidate.span.end <= next.span.start) {
            standing.insert(place, candidate);
        }
    }
    standing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(candidates: &[(usize, usize, Rank)], expected: &[(usize, usize, Rank)]) {
        let mut all: Vec<Candidate> = candidates
            .iter()
            .map(|&(start, end, rank)| Candidate { span: start..end, rank, service: 0 })
            .collect();
        for _ in 0..all.len() {
            all.rotate_left(1);
            let settled: Vec<_> =
                settle(all.clone()).iter().map(|c| (c.span.start, c.span.end, c.rank)).collect();
            assert_eq!(settled, expected);
        }
    }

    #[test]
    fn the_longest_stands_and_of_two_as_long_the_one_with_a_form() {
        check(
            &[(0, 5, Rank::Form), (3, 20, Rank::Word), (18, 25, Rank::Form)],
            &[(3, 20, Rank::Word)],
        );
        check(&[(0, 7, Rank::Word), (0, 7, Rank::Form)], &[(0, 7, Rank::Form)]);
        check(
            &[(9, 12, Rank::Word), (0, 4, Rank::Form)],
            &[(0, 4, Rank::Form), (9, 12, Rank::Word)],
        );
    }
}
