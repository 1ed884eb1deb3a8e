//! Finds personal data in a text: one pass cuts it into segments, and only
//! those that hold what a kind needs are looked at again.

use std::sync::Arc;

use super::entity::Entity;
use super::needs::Needs;
use super::segments::Segments;
use super::signals::Signals;
use super::wanted::Wanted;
use super::window::{Candidate, Window};
use super::{
    birth, bitcoin, card, custom, email, iban, ids, ipv4, ipv6, mac, overlap, phone, ssn, web,
};

/// Where personal data stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// Its first byte.
    pub start: usize,
    /// The byte behind it. Both are character boundaries.
    pub end: usize,
    /// What it is.
    pub entity: Entity,
}

/// A detector: what must be there for it to find something, and itself.
#[derive(Debug, Clone, Copy)]
struct Detector {
    needs: Needs,
    find: Find,
}

type Find = fn(&Window<'_>, &mut Vec<Candidate>);

/// Looks for a fixed set of entities. Cheap to copy.
#[derive(Debug, Clone)]
pub struct Scanner {
    wanted: Arc<Wanted>,
    detectors: Arc<[Detector]>,
    needs: Needs,
}

impl Scanner {
    /// A scanner for these entities. Neither order nor repetition matters.
    #[must_use]
    pub fn new(entities: &[Entity]) -> Self {
        Self::of(Wanted::new(entities.iter().copied()))
    }

    /// A scanner for this.
    #[must_use]
    pub fn of(wanted: Wanted) -> Self {
        let needs = Needs::of(&wanted);
        let detectors = detectors(&wanted).into();
        Self { wanted: Arc::new(wanted), detectors, needs }
    }

    /// What it looks for.
    #[must_use]
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// Every finding in the order of the text, none overlapping.
    ///
    /// Where kinds overlap, the longest stands, then the one of higher rank
    /// (the order of [`Entity::ALL`]), then the first. A finding that crosses a
    /// forced cut of a run longer than [`super::MAX_SEGMENT`] bytes is missed.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        for segment in Segments::new(text, self.needs) {
            let written = text.get(..segment.start).unwrap_or_default();
            let window = Window::new(segment.text, segment.cut.edges, written, &self.wanted);
            let found = self.search(&window, segment.cut.signals, true);
            findings.extend(found.into_iter().map(|found| Finding {
                start: segment.start + found.start,
                end: segment.start + found.end,
                entity: found.entity,
            }));
        }
        findings
    }

    pub(super) fn needs(&self) -> Needs {
        self.needs
    }

    /// The findings of one segment; those of the configuration's own kinds only
    /// when they are asked for.
    pub(super) fn search(
        &self,
        window: &Window<'_>,
        signals: Signals,
        with_custom: bool,
    ) -> Vec<Candidate> {
        let mut all = Vec::new();
        for detector in self.detectors.iter() {
            if detector.needs.may_be_met(&signals, window.text.len()) {
                (detector.find)(window, &mut all);
            }
        }
        if with_custom && !self.wanted.custom.is_empty() {
            custom::candidates(window, &mut all);
        }
        if all.len() > 1 { overlap::settle(all) } else { all }
    }
}

/// The detectors of what is wanted.
fn detectors(wanted: &Wanted) -> Vec<Detector> {
    let known: [(Entity, Find); 11] = [
        (Entity::CreditCard, card::candidates),
        (Entity::Iban, iban::candidates),
        (Entity::UsSsn, ssn::candidates),
        (Entity::Email, email::candidates),
        (Entity::Ipv6, ipv6::candidates),
        (Entity::Ipv4, ipv4::candidates),
        (Entity::MacAddress, mac::candidates),
        (Entity::Url, web::candidates),
        (Entity::BitcoinAddress, bitcoin::candidates),
        (Entity::DateOfBirth, birth::candidates),
        (Entity::Phone, phone::candidates),
    ];
    let detector = |entity, find| Detector { needs: Needs::of_one(wanted, entity), find };
    let mut all: Vec<Detector> = known
        .into_iter()
        .filter(|(entity, _)| wanted.has(*entity))
        .map(|(entity, find)| detector(entity, find))
        .collect();
    let id = Entity::ALL.into_iter().find(|entity| entity.is_national_id() && wanted.has(*entity));
    all.extend(id.map(|id| detector(id, ids::candidates)));
    all
}

/// What the tests of the detectors share.
#[cfg(test)]
pub(super) mod checks {
    use super::*;

    /// Claims that a scanner for one entity finds exactly these stretches.
    pub(in super::super) fn check(entity: Entity, text: &str, expected: &[&str]) {
        let found: Vec<&str> = Scanner::new(&[entity])
            .find(text)
            .iter()
            .map(|finding| text.get(finding.start..finding.end).unwrap())
            .collect();
        assert_eq!(found, expected, "in {text:?}");
    }
}

#[cfg(test)]
#[path = "scanner_tests.rs"]
mod tests;
