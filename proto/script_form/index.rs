//! Finds a payload by its value, in JavaScript's eyes.

use super::{
    Misread,
    inspect::{Look, number_literals},
    numbers::{Exact, as_double, double_key, is_lossy},
    parse::parse,
    payloads::{Origin, Payload, Payloads},
    reader::{forgotten, split_mark},
};
use serde_json::{Map, Value};
use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
    hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState},
};

/// The payloads of a call by their values.
#[derive(Debug)]
pub(super) struct Index<'a> {
    /// A call may repeat the same payload many times.
    groups: Vec<Group<'a>>,
    by_mark: HashMap<u64, usize>,
    /// Without what the script kept from earlier calls: only its mark tells it.
    by_hash: HashMap<u64, Vec<usize>>,
    hashing: RandomState,
    /// The literals that share a double with a lossy one, by that double.
    literals: HashMap<u64, Vec<Literal<'a>>>,
    /// Where the payload that was found last stands. Of several equal ones, the
    /// next is meant: a script seldom changes their order.
    last: Cell<Option<usize>>,
}

/// Payloads that are the same, text and all.
#[derive(Debug)]
struct Group<'a> {
    payload: &'a Payload,
    value: Value,
    /// The places of the payloads, ascending.
    places: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Literal<'a> {
    /// The mark of its payload.
    pub(super) of: Option<u64>,
    /// Whether the script kept its payload from an earlier call.
    pub(super) is_earlier: bool,
    pub(super) text: &'a str,
}

impl<'a> Index<'a> {
    pub(super) fn new(payloads: &'a Payloads) -> Self {
        let mut groups: Vec<Group<'a>> = Vec::new();
        let mut by_mark = HashMap::new();
        let mut known = HashMap::new();
        for (place, payload) in payloads.entries().iter().enumerate() {
            let same = (&payload.text, payload.origin, &payload.extra);
            let at = *known.entry(same).or_insert_with(|| {
                groups.push(Group::of(payload));
                groups.len() - 1
            });
            groups.get_mut(at).into_iter().for_each(|group| group.places.push(place));
            by_mark.extend(payload.mark.map(|mark| (mark, at)));
        }
        let hashing = RandomState::new();
        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, group) in groups.iter().enumerate() {
            by_hash.entry(hash(&hashing, &group.value)).or_default().push(at);
        }
        for payload in payloads.earlier() {
            by_mark.extend(payload.mark.map(|mark| (mark, groups.len())));
            groups.push(Group::of(payload));
        }
        let literals = literals(payloads);
        Self { groups, by_mark, by_hash, hashing, literals, last: Cell::new(None) }
    }

    /// The value of the payload that has this mark.
    pub(super) fn value(&self, mark: u64) -> Result<&Value, Misread> {
        self.marked(mark).map(|group| &group.value)
    }

    /// The values of the call's payloads that a script cannot hold.
    pub(super) fn lossy_values(&self) -> impl Iterator<Item = &Value> {
        let lossy =
            |group: &&Group<'_>| group.payload.look == Look::Lossy && !group.places.is_empty();
        self.groups.iter().filter(lossy).map(|group| &group.value)
    }

    /// The literals that share this double with a lossy one.
    pub(super) fn literals(&self, double: f64) -> &[Literal<'a>] {
        self.literals.get(&double_key(double)).map_or(&[], Vec::as_slice)
    }

    /// The payload that the value was marked as, if it is still that.
    pub(super) fn find_marked(
        &self,
        mark: u64,
        value: &Value,
        origin: Origin,
    ) -> Result<Option<&Payload>, Misread> {
        let group = self.marked(mark)?;
        Ok(group.is(value, origin).then_some(group.payload))
    }

    /// The payload that has the value, where the value has no mark.
    pub(super) fn find(&self, value: &Value, origin: Origin) -> Result<Option<&Payload>, Misread> {
        let with_hash = self.by_hash.get(&hash(&self.hashing, value)).into_iter().flatten();
        let with_hash = with_hash.filter_map(|&at| self.groups.get(at));
        let mut same: Vec<_> = with_hash.filter(|group| group.is(value, origin)).collect();
        // One that JavaScript cannot hold would still have its mark, unless it is
        // a copy, or has none for being no object.
        let is_exact = |group: &&Group<'_>| group.payload.look != Look::Lossy;
        if (value.is_object() || value.is_array()) && same.iter().any(is_exact) {
            same.retain(is_exact);
        }
        let next = |group: &&Group<'_>| group.next_place(self.last.get());
        let Some(found) = same.iter().min_by_key(|group| next(group)) else { return Ok(None) };
        if let Some(other) = same.iter().find(|it| !equal_exactly(&it.value, &found.value)) {
            return Err(ambiguous(&found.payload.text, &other.payload.text));
        }
        self.last.set(Some(found.next_place(self.last.get()).1));
        Ok(Some(found.payload))
    }

    fn marked(&self, mark: u64) -> Result<&Group<'a>, Misread> {
        self.by_mark.get(&mark).and_then(|&at| self.groups.get(at)).ok_or_else(forgotten)
    }
}

impl<'a> Group<'a> {
    fn of(payload: &'a Payload) -> Self {
        Self { payload, value: value_of(payload), places: Vec::new() }
    }

    fn is(&self, value: &Value, origin: Origin) -> bool {
        self.payload.fits(origin) && equal(value, &self.value)
    }

    /// The first place after `last`, or else the first one, which orders behind.
    fn next_place(&self, last: Option<usize>) -> (bool, usize) {
        let after = self.places.partition_point(|&place| Some(place) <= last);
        let place = |at: usize| self.places.get(at).copied();
        place(after).map_or_else(|| (true, place(0).unwrap_or_default()), |place| (false, place))
    }
}

/// Says that a value may be either of two.
pub(super) fn ambiguous(one: &str, other: &str) -> Misread {
    let short = |text: &str| text.chars().take(60).collect::<String>();
    Misread::new(format!(
        "may be {} or {}: a number that is too large or too long for JavaScript cannot be told \
         from another",
        short(one),
        short(other)
    ))
}

fn value_of(payload: &Payload) -> Value {
    if payload.text.is_empty() {
        return Value::Object(Map::new());
    }
    let text = || Value::String(payload.text.to_string());
    if payload.look == Look::Text {
        text()
    } else {
        parse(&payload.text).unwrap_or_else(|_| text())
    }
}

fn literals(payloads: &Payloads) -> HashMap<u64, Vec<Literal<'_>>> {
    let in_payloads = |look: fn(Look) -> bool| {
        let all = payloads.entries().iter().map(|it| (it, false));
        let all = all.chain(payloads.earlier().iter().map(|it| (it, true)));
        all.filter(move |(payload, _)| look(payload.look)).flat_map(|(payload, is_earlier)| {
            let of = payload.mark;
            number_literals(&payload.text).map(move |text| Literal { of, is_earlier, text })
        })
    };
    let lossy: HashSet<_> = in_payloads(|look| look == Look::Lossy)
        .filter(|literal| is_lossy(literal.text))
        .map(|literal| double_key(as_double(literal.text)))
        .collect();
    let mut by_double: HashMap<u64, Vec<Literal<'_>>> = HashMap::new();
    if lossy.is_empty() {
        return by_double;
    }
    for literal in in_payloads(|look| look != Look::Text) {
        let key = double_key(as_double(literal.text));
        if lossy.contains(&key) {
            by_double.entry(key).or_default().push(literal);
        }
    }
    by_double
}

/// Whether JavaScript cannot tell a value from a payload's.
pub(super) fn equal(value: &Value, original: &Value) -> bool {
    match (split_mark(value).1, original) {
        (Value::Null, Value::Number(number)) => number.as_f64().is_none(),
        (Value::Number(one), Value::Number(other)) => {
            one.as_f64().is_some() && one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| equal(one, other)))
        }
        (one, other) => one == other,
    }
}

/// Whether two payloads hold the same, numbers by their exact values.
fn equal_exactly(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            Exact::of(one.as_str()) == Exact::of(other.as_str())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| equal_exactly(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| equal_exactly(one, other)))
        }
        (one, other) => one == other,
    }
}

/// The same for values that are [`equal`].
fn hash(hashing: &RandomState, value: &Value) -> u64 {
    let mut hasher: DefaultHasher = hashing.build_hasher();
    match split_mark(value).1 {
        Value::Null => 0_u8.hash(&mut hasher),
        Value::Bool(value) => value.hash(&mut hasher),
        Value::Number(number) => match number.as_f64() {
            Some(double) => double_key(double).hash(&mut hasher),
            None => 0_u8.hash(&mut hasher),
        },
        Value::String(text) => text.hash(&mut hasher),
        Value::Array(items) => {
            for item in items {
                hash(hashing, item).hash(&mut hasher);
            }
        }
        Value::Object(members) => {
            let members =
                members.iter().map(|(key, value)| hashing.hash_one((key, hash(hashing, value))));
            members.fold(0, u64::wrapping_add).hash(&mut hasher);
        }
    }
    hasher.finish()
}
