//! Which segments are worth searching for what is looked for.

use super::entity::Entity;
use super::signals::{Sign, Signals};
use super::wanted::Wanted;

/// The length of the shortest hardware address.
const MAC: usize = 14;

/// Which segments may hold something that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Needs {
    /// So many digits are enough.
    digits: usize,
    /// So many bytes are enough: without digits, with one or two, three, or more.
    lengths: [usize; 4],
    /// An `@` is enough.
    ats: bool,
    /// What IPv6 addresses have is enough.
    colons: bool,
    /// Two colons side by side are enough then.
    noise: bool,
    /// Three full stops behind digits are enough.
    points: bool,
    /// A full stop before a letter is enough.
    pub(super) names: bool,
    /// What separates the parts of a hardware address is enough.
    pub(super) dashes: bool,
    /// Anything is enough.
    pub(super) all: bool,
}

impl Default for Needs {
    fn default() -> Self {
        Self {
            digits: usize::MAX,
            lengths: [usize::MAX; 4],
            ats: false,
            colons: false,
            noise: false,
            points: false,
            names: false,
            dashes: false,
            all: false,
        }
    }
}

impl Needs {
    /// Whether a segment of this length can hold a finding: an estimate from above.
    /// More of anything never makes it less likely.
    #[inline]
    pub(super) fn may_be_met(&self, signals: &Signals, len: usize) -> bool {
        let has = |sign: Sign, least: u64| signals.of(sign) >= least;
        let [none, few, some, many] = self.lengths;
        let shortest = match signals.of(Sign::Digit) {
            0 => none,
            1 | 2 => few,
            3 => some,
            _ => many,
        };
        signals.longest_number() >= self.digits
            || len >= shortest
            || (self.ats && has(Sign::At, 1))
            || (self.colons && may_be_ipv6(signals, self.noise))
            || (self.points && has(Sign::Point, 3))
            || (self.names && has(Sign::Name, 1))
            || (self.dashes && len >= MAC && may_be_mac(signals))
            || self.all
    }

    /// Everything is searched.
    #[cfg(test)]
    pub(super) fn anything() -> Self {
        Self { all: true, ..Self::default() }
    }

    /// What this needs at least.
    pub(super) fn of(wanted: &Wanted) -> Self {
        let all = !wanted.custom.is_empty();
        Self { all, ..Self::by(wanted, |entity| wanted.has(entity)) }
    }

    /// What one kind of it needs at least.
    pub(super) fn of_one(wanted: &Wanted, one: Entity) -> Self {
        Self::by(wanted, |entity| entity == one)
    }

    fn by(wanted: &Wanted, has: impl Fn(Entity) -> bool) -> Self {
        let least = |all: &[(bool, usize)]| {
            all.iter().filter(|(is, _)| *is).map(|(_, least)| *least).min().unwrap_or(usize::MAX)
        };
        let ids = Entity::ALL.into_iter().any(|entity| entity.is_national_id() && has(entity));
        let phone = if wanted.regions.is_empty() { 7 } else { 6 };
        let coin = (has(Entity::BitcoinAddress), 26);
        let date = (has(Entity::DateOfBirth), 6);
        Self {
            digits: least(&[
                (has(Entity::Phone), phone),
                (has(Entity::UsSsn), 9),
                (has(Entity::CreditCard), 12),
            ]),
            lengths: [
                usize::MAX,
                least(&[coin]),
                least(&[coin, date]),
                least(&[coin, date, (ids, 8), (has(Entity::Iban), 15)]),
            ],
            ats: has(Entity::Email),
            colons: has(Entity::Ipv6),
            noise: has(Entity::Ipv6) && wanted.noise,
            points: has(Entity::Ipv4) || has(Entity::Url),
            names: has(Entity::Url),
            dashes: has(Entity::MacAddress),
            all: false,
        }
    }
}

/// Eight groups, or two colons side by side. The latter stand in programs too, but
/// then mostly without a digit; without noise there are others beside them.
fn may_be_ipv6(signals: &Signals, noise: bool) -> bool {
    let sides = signals.of(Sign::Pair) > 0;
    let links = signals.of(Sign::Link);
    links >= 6 || (sides && (noise || links >= 4 || signals.of(Sign::Digit) > 0))
}

fn may_be_mac(signals: &Signals) -> bool {
    let has = |sign: Sign, least: u64| signals.of(sign) >= least;
    has(Sign::Link, 5) || has(Sign::Dash, 5) || (has(Sign::Dot, 2) && has(Sign::Digit, 1))
}
