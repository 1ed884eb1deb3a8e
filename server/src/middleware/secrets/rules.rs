//! The rules as they are written, and the automaton that searches for all of
//! them at once.

use super::block;
use super::checksum::Checksum;
use super::pattern::Pattern;
use super::word::{WORDS, Word};
use crate::config::Document;
use aho_corasick::{Anchored, MatchKind, automaton::Automaton, nfa::contiguous::NFA};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fmt,
    ops::Range,
    sync::{Arc, OnceLock},
};

/// A token that is known by its own form.
#[derive(Debug)]
pub(super) struct TokenRule {
    pub(super) service: u16,
    pub(super) pattern: Pattern,
    pub(super) entropy: f32,
    pub(super) checksum: Option<Checksum>,
    /// One of these stands shortly before it.
    pub(super) near: Box<[Box<[u8]>]>,
    /// It holds both letters and digits.
    pub(super) mixed: bool,
    /// It is the end of an address, all of which is the secret.
    pub(super) url: bool,
}

/// What a text is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Needle {
    /// The literal of these token rules.
    Tokens(Box<[u16]>),
    /// A word that a secret is named by.
    Word(Word),
    /// The name of a service, and whether it means nothing else.
    Service { service: u16, sure: bool },
    /// `://`
    Address,
    /// `Basic `
    Basic,
    /// The option of a command that takes a name and a password.
    UserOption,
    /// `-----BEGIN`
    Block,
}

/// Everything that is searched for. Made once per process, when it is first
/// needed.
pub struct Rules {
    services: Vec<Box<str>>,
    tokens: Vec<TokenRule>,
    needles: Vec<Needle>,
    automaton: NFA,
}

/// A rule as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenToken {
    service: String,
    #[serde(rename = "name")]
    _name: String,
    pattern: String,
    #[serde(default = "three")]
    entropy: f32,
    checksum: Option<Checksum>,
    #[serde(default)]
    near: Vec<String>,
    #[serde(default)]
    mixed: bool,
    #[serde(default)]
    url: bool,
}

fn three() -> f32 {
    3.0
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenServices {
    named: Vec<serde_json::Value>,
    common: Vec<serde_json::Value>,
}

const TOKENS: &str = include_str!("rules/tokens.yaml");
const SERVICES: &str = include_str!("rules/services.yaml");

/// Services that no rule names: what is found by how it stands.
const BY_PLACE: [&str; 5] = ["generic", "password", "login", "private_key", "basic_auth"];

impl Rules {
    /// The rules that come with the program.
    ///
    /// # Errors
    ///
    /// Says which rule cannot be read, which is a mistake in the program.
    pub fn shared() -> Result<Arc<Self>, String> {
        static SHARED: OnceLock<Result<Arc<Rules>, String>> = OnceLock::new();
        SHARED.get_or_init(|| Self::compile(TOKENS, SERVICES).map(Arc::new)).clone()
    }

    fn compile(tokens: &str, services: &str) -> Result<Self, String> {
        let mut making = Making::default();
        for service in BY_PLACE {
            making.service(service);
        }
        for token in read::<Vec<WrittenToken>>("tokens.yaml", tokens)? {
            making.token(&token)?;
        }
        let services: WrittenServices = read("services.yaml", services)?;
        for (entries, sure) in [(&services.named, true), (&services.common, false)] {
            for entry in entries {
                making.named(entry, sure)?;
            }
        }
        making.finish()
    }

    /// The name of a service, as it stands in masks.
    pub(super) fn service(&self, index: u16) -> &str {
        self.services.get(usize::from(index)).map_or("generic", |name| name)
    }

    /// How many services have a rule.
    #[must_use]
    pub fn services(&self) -> usize {
        self.services.len() - BY_PLACE.len()
    }

    pub(super) fn token(&self, index: u16) -> Option<&TokenRule> {
        self.tokens.get(usize::from(index))
    }

    /// How many token rules there are.
    #[cfg(test)]
    pub(super) fn tokens(&self) -> usize {
        self.tokens.len()
    }

    /// Calls `found` for everything that is searched for, in the order in which
    /// it ends.
    pub(super) fn search(
        &self,
        text: &[u8],
        part: Range<usize>,
        mut found: impl FnMut(&Needle, Range<usize>),
    ) {
        let Ok(mut state) = self.automaton.start_state(Anchored::No) else { return };
        let bytes = text.get(part.clone()).unwrap_or_default();
        for (at, byte) in bytes.iter().enumerate() {
            let at = part.start + at;
            state = self.automaton.next_state(Anchored::No, state, *byte);
            if self.automaton.is_special(state) && self.automaton.is_match(state) {
                for index in 0..self.automaton.match_len(state) {
                    let pattern = self.automaton.match_pattern(state, index);
                    let start = at + 1 - self.automaton.pattern_len(pattern);
                    if let Some(needle) = self.needles.get(pattern.as_usize()) {
                        found(needle, start..at + 1);
                    }
                }
            }
        }
    }

    /// How many bytes the automaton takes.
    #[must_use]
    pub fn automaton_bytes(&self) -> usize {
        self.automaton.memory_usage()
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("services", &self.services.len())
            .field("tokens", &self.tokens.len())
            .finish_non_exhaustive()
    }
}

fn read<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, String> {
    let document = Document::parse(file, text).map_err(|problems| format!("{problems:?}"))?;
    T::deserialize(document.value()).map_err(|error| format!("{file}: {error}"))
}

/// Rules while they are made.
#[derive(Default)]
struct Making {
    services: Vec<Box<str>>,
    tokens: Vec<TokenRule>,
    anchors: BTreeMap<Vec<u8>, Vec<u16>>,
    names: BTreeMap<String, (u16, bool)>,
}

impl Making {
    fn service(&mut self, name: &str) -> u16 {
        let known = self.services.iter().position(|service| **service == *name);
        let index = known.unwrap_or_else(|| {
            self.services.push(name.into());
            self.services.len() - 1
        });
        u16::try_from(index).unwrap_or(0)
    }

    fn token(&mut self, written: &WrittenToken) -> Result<(), String> {
        let pattern = Pattern::parse(&written.pattern)
            .map_err(|error| format!("tokens.yaml: {}: {error}", written.pattern))?;
        let index = u16::try_from(self.tokens.len()).map_err(|error| error.to_string())?;
        self.anchors.entry(pattern.anchor().to_ascii_lowercase()).or_default().push(index);
        let service = self.service(&written.service);
        self.tokens.push(TokenRule {
            service,
            pattern,
            entropy: written.entropy,
            checksum: written.checksum,
            near: written.near.iter().map(|word| word.as_bytes().into()).collect(),
            mixed: written.mixed,
            url: written.url,
        });
        Ok(())
    }

    fn named(&mut self, entry: &serde_json::Value, sure: bool) -> Result<(), String> {
        let (word, service) = match entry {
            serde_json::Value::String(word) => (word.as_str(), word.as_str()),
            serde_json::Value::Object(pair) => {
                let pair = pair.iter().next().and_then(|(k, v)| Some((k.as_str(), v.as_str()?)));
                pair.ok_or("services.yaml: an entry names no service")?
            }
            other => return Err(format!("services.yaml: {other} is no entry")),
        };
        let service = self.service(service);
        self.names.insert(word.to_ascii_lowercase(), (service, sure));
        Ok(())
    }

    fn finish(self) -> Result<Rules, String> {
        let mut patterns: Vec<Vec<u8>> = Vec::new();
        let mut needles = Vec::new();
        let mut add = |pattern: &[u8], needle| {
            patterns.push(pattern.to_vec());
            needles.push(needle);
        };
        for (name, (service, sure)) in &self.names {
            add(name.as_bytes(), Needle::Service { service: *service, sure: *sure });
        }
        for (anchor, rules) in self.anchors {
            add(&anchor, Needle::Tokens(rules.into()));
        }
        for (word, kind) in WORDS {
            add(word.as_bytes(), Needle::Word(kind));
        }
        add(b"://", Needle::Address);
        add(b"basic ", Needle::Basic);
        add(b" -u ", Needle::UserOption);
        add(b"--user ", Needle::UserOption);
        add(b"--user=", Needle::UserOption);
        add(block::BEGIN.to_ascii_lowercase().as_bytes(), Needle::Block);
        let automaton = NFA::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .prefilter(false)
            .build(&patterns)
            .map_err(|error| error.to_string())?;
        Ok(Rules { services: self.services, tokens: self.tokens, needles, automaton })
    }
}
