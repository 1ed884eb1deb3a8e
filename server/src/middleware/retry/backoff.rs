//! How long is waited before a call is made again.

use super::{Jitter, RetryConfig};
use std::{fmt, time::Duration};

/// Gives numbers from 0 up to 1.
pub struct Random(Box<dyn Fn() -> f64 + Send + Sync>);

impl Random {
    /// Gives what `next` gives.
    #[must_use]
    pub fn of(next: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        Self(Box::new(next))
    }

    /// Gives what the operating system gives.
    #[must_use]
    pub fn system() -> Self {
        // As many bits as a fraction of `f64` has. Without an answer it is a half, which is still
        // a delay.
        Self::of(|| getrandom::u64().map_or(0.5, |bits| (bits >> 11) as f64 / (1_u64 << 53) as f64))
    }
}

impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Random").finish_non_exhaustive()
    }
}

/// The delays between attempts: exponential, with full jitter.
#[derive(Debug)]
pub struct Backoff {
    first: Duration,
    factor: f64,
    max: Duration,
    /// Absent without jitter.
    random: Option<Random>,
}

impl Backoff {
    /// The delays that `config` describes.
    #[must_use]
    pub fn new(config: &RetryConfig, random: Random) -> Self {
        Self {
            first: config.first_delay.into(),
            factor: config.factor,
            max: config.max_delay.into(),
            random: (config.jitter == Jitter::Full).then_some(random),
        }
    }

    /// How long to wait after the attempt `number`, from 1, has failed and the provider asked for
    /// a delay, if it did. `None` when it asked for more than is ever waited.
    #[must_use]
    pub fn delay(&self, number: u32, asked: Option<Duration>) -> Option<Duration> {
        let asked = asked.unwrap_or_default();
        if asked > self.max {
            return None;
        }
        let power = self.factor.powf(f64::from(number.saturating_sub(1)));
        let grown = Duration::try_from_secs_f64(self.first.as_secs_f64() * power);
        let most = grown.unwrap_or(self.max).min(self.max);
        let share = self.random.as_ref().map_or(1.0, |random| (random.0)().clamp(0.0, 1.0));
        Some(most.mul_f64(share).max(asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn backoff(jitter: Jitter, share: f64) -> Backoff {
        Backoff::new(&RetryConfig { jitter, ..RetryConfig::default() }, Random::of(move || share))
    }

    #[test]
    fn delays_double_up_to_the_longest() {
        let backoff = backoff(Jitter::None, 0.0);
        let seconds = |number| backoff.delay(number, None).unwrap().as_secs_f64();
        assert_eq!([1, 2, 3, 7, 100, u32::MAX].map(seconds), [1.0, 2.0, 4.0, 60.0, 60.0, 60.0]);
    }

    #[test]
    fn full_jitter_takes_a_share_of_the_delay() {
        for (share, expected) in [(0.0, 0), (0.25, 1000), (1.0, 4000)] {
            let delay = backoff(Jitter::Full, share).delay(3, None);
            assert_eq!(delay, Some(Duration::from_millis(expected)), "{share}");
        }
    }

    #[test]
    fn what_the_provider_asks_for_is_the_least_and_too_much_of_it_the_end() {
        let backoff = backoff(Jitter::None, 0.0);
        let delay = |number, seconds| backoff.delay(number, Some(Duration::from_secs(seconds)));
        assert_eq!(delay(1, 30), Some(Duration::from_secs(30)));
        assert_eq!(delay(3, 1), Some(Duration::from_secs(4)));
        assert_eq!(delay(1, 60), Some(Duration::from_secs(60)));
        assert_eq!(delay(1, 61), None);
    }

    #[test]
    fn the_operating_system_gives_numbers_that_differ() {
        let random = Random::system();
        let numbers: Vec<_> = (0..32).map(|_| (random.0)()).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        assert!(numbers.iter().any(|number| *number != numbers[0]));
    }

    proptest! {
        #[test]
        fn a_delay_is_never_longer_than_the_longest(
            number in any::<u32>(),
            share in 0.0..=1.0_f64,
            asked in proptest::option::of(any::<u64>()),
        ) {
            let asked = asked.map(Duration::from_millis);
            let delay = backoff(Jitter::Full, share).delay(number, asked);
            prop_assert!(delay.is_none_or(|delay| delay <= Duration::from_secs(60)));
            prop_assert!(delay.is_none_or(|delay| delay >= asked.unwrap_or_default()));
        }
    }
}
