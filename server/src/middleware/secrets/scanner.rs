//! Finds secrets in a text: one pass finds the words that one may stand at, and
//! only there is more looked at.

use super::assignment::{self, Name};
use super::bytes::View;
use super::candidate::{Candidate, Rank, settle};
use super::cutter::Quotes;
use super::regions::regions;
use super::rules::{Needle, Rules};
use super::{block, gate, login, token};
use std::{ops::Range, sync::Arc};

/// How many bytes before a finding it may depend on.
pub(super) const CONTEXT: usize = 512;

/// How far before a value the name of its service may stand.
const SERVICE_REACH: usize = 64;

/// Where a secret stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding<'r> {
    /// Its first byte.
    pub start: usize,
    /// The byte behind it. Both are character boundaries.
    pub end: usize,
    /// Whose it is, such as `github`, or what, such as `password`.
    pub service: &'r str,
}

/// Looks for secrets. Cheap to copy.
#[derive(Debug, Clone)]
pub struct Scanner {
    rules: Arc<Rules>,
}

impl Scanner {
    /// A scanner with these rules.
    #[must_use]
    pub fn new(rules: Arc<Rules>) -> Self {
        Self { rules }
    }

    /// Every finding in the order of the text, none overlapping. Where they
    /// overlap, the longest stands, then the first.
    #[must_use]
    pub fn find<'s>(&'s self, text: &str) -> Vec<Finding<'s>> {
        let found = self.candidates(text).into_iter();
        found
            .map(|found| Finding {
                start: found.span.start,
                end: found.span.end,
                service: self.rules.service(found.service),
            })
            .collect()
    }

    pub(super) fn candidates(&self, text: &str) -> Vec<Candidate> {
        let mut all = Vec::new();
        for (start, view) in regions(text) {
            let found = self.search(&view, 0).into_iter();
            all.extend(found.map(|found| Candidate {
                span: start + found.span.start..start + found.span.end,
                ..found
            }));
        }
        all
    }

    /// Whether a name holds a word that secrets are named by.
    pub(super) fn names_secret(&self, name: &str) -> bool {
        let mut named = false;
        self.rules.search(name.as_bytes(), 0..name.len(), |needle, _| {
            named |= matches!(needle, Needle::Word(_) | Needle::Service { .. });
        });
        named
    }

    pub(super) fn service(&self, index: u16) -> &str {
        self.rules.service(index)
    }

    /// The findings of one region that begin at `from` or later.
    pub(super) fn search(&self, view: &View<'_>, from: usize) -> Vec<Candidate> {
        let mut search = Search::new(&self.rules, view, from);
        gate::parts(view.text, |part| {
            self.rules.search(view.text, part, |needle, hit| search.hit(needle, hit));
        });
        search.found.retain(|found| found.span.start >= from);
        settle(search.found)
    }
}

/// One pass over a region.
struct Search<'a> {
    rules: &'a Rules,
    view: &'a View<'a>,
    found: Vec<Candidate>,
    /// The last name of a service.
    service: Option<(u16, usize)>,
    spaces: Spaces,
}

impl<'a> Search<'a> {
    fn new(rules: &'a Rules, view: &'a View<'a>, from: usize) -> Self {
        let mut quotes = Quotes::default();
        quotes.pass(view.slice(from.saturating_sub(16), from));
        let spaces = Spaces { quotes, at: from, closed: Vec::new() };
        Self { rules, view, found: Vec::new(), service: None, spaces }
    }

    fn hit(&mut self, needle: &Needle, hit: Range<usize>) {
        match needle {
            Needle::Tokens(rules) => {
                for rule in rules.iter().filter_map(|rule| self.rules.token(*rule)) {
                    if let Some(span) = token::find(self.view, rule, hit.start) {
                        self.add(span, Rank::Form, rule.service);
                    }
                }
            }
            Needle::Word(word) => self.named(&hit, Name::Word(*word), None),
            Needle::Service { service, sure } => {
                if self.view.begins(hit.start) {
                    self.service = Some((*service, hit.end));
                }
                self.named(&hit, Name::Service { sure: *sure }, Some(*service));
            }
            Needle::Address => {
                if let Some(span) = login::in_address(self.view, hit.end) {
                    self.add(span, Rank::Word, LOGIN);
                }
            }
            Needle::Basic => {
                if let Some(span) = login::basic(self.view, hit.end) {
                    self.add(span, Rank::Word, BASIC);
                }
            }
            Needle::UserOption => {
                if let Some(span) = login::in_option(self.view, hit.end) {
                    self.add(span, Rank::Word, LOGIN);
                }
            }
            Needle::Block => {
                if let Some(span) = block::find(self.view.text, hit.start) {
                    self.add(span, Rank::Form, PRIVATE_KEY);
                }
            }
        }
    }

    fn named(&mut self, hit: &Range<usize>, name: Name, service: Option<u16>) {
        let (text, spaces) = (self.view.text, &mut self.spaces);
        let allow = &mut |span: &Range<usize>| spaces.allow(text, span);
        let Some(value) = assignment::find(self.view, hit, name, allow) else { return };
        let near = self
            .service
            .filter(|(_, end)| *end <= value.span.start && value.span.start - end <= SERVICE_REACH);
        let (rank, service) = match (service.or(near.map(|(service, _)| service)), name) {
            (Some(service), _) => (Rank::Service, service),
            (None, Name::Word(super::word::Word::Password)) => (Rank::Word, PASSWORD),
            (None, _) => (Rank::Word, GENERIC),
        };
        self.add(value.span, rank, service);
    }

    fn add(&mut self, span: Range<usize>, rank: Rank, service: u16) {
        self.found.push(Candidate { span, rank, service });
    }
}

// In the order of `rules::BY_PLACE`.
const GENERIC: u16 = 0;
const PASSWORD: u16 = 1;
const LOGIN: u16 = 2;
const PRIVATE_KEY: u16 = 3;
const BASIC: u16 = 4;

/// Which quoted values with white space in them no stream cuts.
struct Spaces {
    quotes: Quotes,
    /// How far the quotes were read.
    at: usize,
    closed: Vec<(usize, usize)>,
}

impl Spaces {
    fn allow(&mut self, text: &[u8], span: &Range<usize>) -> bool {
        while self.at <= span.end {
            let Some(&byte) = text.get(self.at) else { break };
            let first = match byte {
                0x80..=0xbf => None,
                0xc0.. => Some(b'~'),
                byte => Some(byte),
            };
            if let Some(since) = first.and_then(|byte| self.quotes.feed(byte, self.at)) {
                self.closed.push((since + 1, self.at));
            }
            self.at += 1;
        }
        self.closed.binary_search(&(span.start, span.end)).is_ok()
    }
}

#[cfg(test)]
#[path = "scanner_tests.rs"]
mod tests;
