//! Makes `numbering.bin`, the numbering plans of all countries, from the public
//! metadata of telephone numbers:
//! `cargo run --release -p sidehook-server --example numbering -- PhoneNumberMetadata.xml OUT`.
//!
//! Every pattern of valid numbers is turned into an automaton over digits. All of
//! them share their states, so that what many countries have in common is there
//! once. `pii/plan.rs` says how the file is read.

use regex_automata::{
    Anchored, Input,
    dfa::{Automaton, StartKind, dense},
    util::primitives::StateID,
};
use std::{
    collections::{BTreeMap, HashMap},
    error::Error,
};

/// No number has more digits, with every prefix.
const MAX_DIGITS: usize = 20;

/// Kinds of numbers that people have.
const TYPES: [&str; 10] = [
    "fixedLine",
    "mobile",
    "tollFree",
    "premiumRate",
    "sharedCost",
    "personalNumber",
    "voip",
    "pager",
    "uan",
    "voicemail",
];

/// One state: whether a number may end here, and where each digit leads; 0 is
/// nowhere.
type State = (bool, [u32; 10]);

#[derive(Default)]
struct Graph {
    states: Vec<State>,
    known: HashMap<State, u32>,
    /// What two states accept together.
    unions: HashMap<(u32, u32), u32>,
}

impl Graph {
    /// The state like this one; nothing accepted from here is state 0.
    fn add(&mut self, state: State) -> u32 {
        if !state.0 && state.1 == [0; 10] {
            return 0;
        }
        *self.known.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.states.len() as u32
        })
    }

    /// The root of what a pattern accepts.
    fn compile(&mut self, pattern: &str) -> Result<u32, Box<dyn Error>> {
        let config = dense::Config::new().start_kind(StartKind::Anchored);
        let dfa = dense::Builder::new().configure(config).build(&format!("(?-u)(?:{pattern})$"))?;
        let start = dfa.start_state_forward(&Input::new("").anchored(Anchored::Yes))?;
        Ok(self.walk(&dfa, start, 0, &mut HashMap::new()))
    }

    fn walk(
        &mut self,
        dfa: &dense::DFA<Vec<u32>>,
        at: StateID,
        depth: usize,
        seen: &mut HashMap<(StateID, usize), u32>,
    ) -> u32 {
        if dfa.is_dead_state(at) || depth > MAX_DIGITS {
            return 0;
        }
        if let Some(known) = seen.get(&(at, depth)) {
            return *known;
        }
        let accepts = dfa.is_match_state(dfa.next_eoi_state(at));
        let next = std::array::from_fn(|digit| {
            self.walk(dfa, dfa.next_state(at, b'0' + digit as u8), depth + 1, seen)
        });
        let state = self.add((accepts, next));
        seen.insert((at, depth), state);
        state
    }

    /// What either accepts.
    fn union(&mut self, one: u32, other: u32) -> u32 {
        let (Some(a), Some(b)) = (self.state(one), self.state(other)) else {
            return one.max(other);
        };
        let pair = (one.min(other), one.max(other));
        if let Some(known) = self.unions.get(&pair) {
            return *known;
        }
        let next = std::array::from_fn(|digit| self.union(leads(&a, digit), leads(&b, digit)));
        let both = self.add((a.0 || b.0, next));
        self.unions.insert(pair, both);
        both
    }

    fn state(&self, number: u32) -> Option<State> {
        self.states.get((number as usize).checked_sub(1)?).copied()
    }
}

/// Where a digit leads.
fn leads(state: &State, digit: usize) -> u32 {
    state.1.get(digit).copied().unwrap_or(0)
}

struct Region {
    name: String,
    code: String,
    /// What its numbers look like behind the country's code.
    pattern: String,
    /// Whether the same with the prefixes of calls inside the country.
    national: String,
    exits: Vec<String>,
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(value.split_whitespace().collect())
}

fn regions(xml: &str) -> Vec<Region> {
    let mut all = Vec::new();
    for territory in xml.split("<territory ").skip(1) {
        let body = territory.split("</territory>").next().unwrap_or_default();
        let (tag, body) = body.split_once('>').unwrap_or_default();
        let tag = format!(" {}", tag.split_whitespace().collect::<Vec<_>>().join(" "));
        let patterns: Vec<String> = TYPES
            .iter()
            .filter_map(|kind| {
                let (_, rest) = body.split_once(&format!("<{kind}>"))?;
                let (inside, _) = rest.split_once(&format!("</{kind}>"))?;
                let (_, pattern) = inside.split_once("<nationalNumberPattern>")?;
                let (pattern, _) = pattern.split_once("</nationalNumberPattern>")?;
                Some(pattern.split_whitespace().collect())
            })
            .collect();
        let pattern = patterns.join("|");
        let prefix = match attribute(&tag, "nationalPrefixTransformRule") {
            // What is rewritten is left to the plain prefix.
            Some(_) => attribute(&tag, "nationalPrefix"),
            None => attribute(&tag, "nationalPrefixForParsing")
                .or_else(|| attribute(&tag, "nationalPrefix")),
        };
        let national = match prefix {
            Some(prefix) => format!("(?:{prefix})?(?:{pattern})"),
            None => pattern.clone(),
        };
        let exit = attribute(&tag, "internationalPrefix").unwrap_or_default();
        all.push(Region {
            name: attribute(&tag, "id").unwrap_or_default(),
            code: attribute(&tag, "countryCode").unwrap_or_default(),
            pattern,
            national,
            exits: exits(&exit),
        });
    }
    all
}

/// The digits that a pattern of exit codes stands for, if they are few.
fn exits(pattern: &str) -> Vec<String> {
    let Ok(whole) = dense::DFA::new(&format!("(?-u)^(?:{pattern})$")) else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = vec![String::new()];
    while let Some(text) = open.pop() {
        let matches = whole.try_search_fwd(&Input::new(&text)).is_ok_and(|end| end.is_some());
        if matches && !text.is_empty() {
            found.push(text.clone());
        }
        if text.len() < 4 {
            open.extend((0..10).map(|digit| format!("{text}{digit}")));
        }
    }
    found.sort();
    found.truncate(40);
    found
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("usage: numbering PhoneNumberMetadata.xml OUT".into());
    };
    let regions = regions(&std::fs::read_to_string(from)?);
    let mut graph = Graph::default();
    let mut codes: BTreeMap<String, u32> = BTreeMap::new();
    let mut roots = Vec::new();
    for region in &regions {
        let numbers = graph.compile(&region.pattern)?;
        let joined = codes.get(&region.code).copied().unwrap_or(0);
        codes.insert(region.code.clone(), graph.union(joined, numbers));
        roots.push((region, graph.compile(&region.national)?));
    }
    let mut world = 0;
    for (code, numbers) in &codes {
        let chain = code.bytes().rev().fold(*numbers, |inner, byte| {
            let digit = usize::from(byte.wrapping_sub(b'0'));
            graph.add((false, std::array::from_fn(|to| if to == digit { inner } else { 0 })))
        });
        world = graph.union(world, chain);
    }
    let out = write(&graph, world, &roots)?;
    Ok(std::fs::write(to, out)?)
}

/// Keeps what is reachable, inner states first, and writes it down.
fn write(graph: &Graph, world: u32, roots: &[(&Region, u32)]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut places: HashMap<u32, u32> = HashMap::new();
    let mut states: Vec<u8> = Vec::new();
    let mut open: Vec<(u32, bool)> = roots.iter().map(|(_, root)| (*root, false)).collect();
    open.push((world, false));
    while let Some((number, done)) = open.pop() {
        let Some((accepts, next)) = graph.state(number) else { continue };
        if places.contains_key(&number) {
            continue;
        }
        if !done {
            open.push((number, true));
            open.extend(next.iter().map(|inner| (*inner, false)));
            continue;
        }
        places.insert(number, states.len() as u32 / 2 + 1);
        // A word says which digits lead on, and to where they lead.
        let mut groups: Vec<(u32, u16)> = Vec::new();
        for (digit, inner) in next.iter().enumerate().filter(|(_, inner)| **inner > 0) {
            match groups.iter_mut().find(|(other, _)| other == inner) {
                Some((_, digits)) => *digits |= 1 << digit,
                None => groups.push((*inner, 1 << digit)),
            }
        }
        let head = u16::try_from(groups.len())? | (u16::from(accepts) << 15);
        states.extend(head.to_le_bytes());
        for (inner, digits) in groups {
            let place = places.get(&inner).copied().unwrap_or(0);
            let high = u16::try_from(place >> 16)?;
            states.extend((digits | (high << 10)).to_le_bytes());
            states.extend((place as u16).to_le_bytes());
        }
    }
    let mut out = Vec::new();
    let named: Vec<_> =
        roots.iter().filter(|(region, _)| region.name.len() == 2 && region.name != "001").collect();
    out.extend(u32::try_from(named.len())?.to_le_bytes());
    out.extend(places.get(&world).copied().unwrap_or(0).to_le_bytes());
    for (region, root) in named {
        out.extend(region.name.as_bytes());
        let exits = region.exits.join(" ");
        out.extend(places.get(root).copied().unwrap_or(0).to_le_bytes());
        out.push(u8::try_from(region.code.len())?);
        out.extend(region.code.as_bytes());
        out.push(u8::try_from(exits.len())?);
        out.extend(exits.as_bytes());
    }
    out.resize(out.len().next_multiple_of(2), 0);
    out.extend(states);
    Ok(out)
}
