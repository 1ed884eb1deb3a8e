//! Leaves settings out of a request that its model does not know.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use sidehook_proto::v1;
use std::fmt;

/// Leaves the settings `names` out of `request`; everything else stays as it is.
pub(super) fn strip(request: &mut v1::ChatRequest, names: &[String]) {
    for name in names {
        match name.as_str() {
            "temperature" => request.temperature = None,
            "top_p" => request.top_p = None,
            "max_tokens" => request.max_tokens = None,
            "stop" => request.stop.clear(),
            "tools" => request.tools.clear(),
            "tool_choice" => request.tool_choice_json.clear(),
            "response_format" => request.response_format_json.clear(),
            _ => {}
        }
    }
    if let Some(rest) = without(&request.extra_json, names) {
        request.extra_json = rest;
    }
}

/// A JSON object without the members `names`, and otherwise byte for byte as it is. `None` when
/// it has none of them, or is no object.
fn without(json: &str, names: &[String]) -> Option<String> {
    let Members(members) = serde_json::from_str(json).ok()?;
    let place = |member: &RawValue| member.get().as_ptr().addr() - json.as_ptr().addr();
    let start = |(key, _): &(&RawValue, &RawValue)| place(key);
    let end = |(_, value): &(&RawValue, &RawValue)| place(value) + value.get().len();
    let kept = |(key, _): &(&RawValue, &RawValue)| {
        let name: Option<String> = serde_json::from_str(key.get()).ok();
        !name.is_some_and(|name| names.contains(&name))
    };
    let last = members.iter().rposition(kept);
    if members.iter().all(kept) {
        return None;
    }
    let mut rest = json.get(..start(members.first()?))?.to_owned();
    for (index, member) in members.iter().enumerate().filter(|(_, member)| kept(member)) {
        // With the comma, unless nothing follows.
        let until = match members.get(index + 1) {
            Some(next) if Some(index) != last => start(next),
            _ => end(member),
        };
        rest.push_str(json.get(start(member)..until)?);
    }
    rest.push_str(json.get(end(members.last()?)..)?);
    Some(rest)
}

/// The members of an object, as they are written.
struct Members<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Map, Value};

    fn check(json: &str, rest: Option<&str>) {
        let names = ["a", "b"].map(str::to_owned);
        assert_eq!(without(json, &names).as_deref(), rest, "{json}");
    }

    #[test]
    fn members_are_left_out_and_every_other_byte_stays() {
        check(r#"{"a":1}"#, Some("{}"));
        check(r#" { "a" : 1 , "x" : 1e400 } "#, Some(r#" { "x" : 1e400 } "#));
        check(r#"{"x": 1.0, "a": {"b": [2]}}"#, Some(r#"{"x": 1.0}"#));
        check(r#"{"x":9007199254740993,"a":1,"y":"ä"}"#, Some(r#"{"x":9007199254740993,"y":"ä"}"#));
        check(r#"{"b":1,"a":1,"x":{"a":1},"b":2,"a":3}"#, Some(r#"{"x":{"a":1}}"#));
        check(r#"{"\u0061":1,"x":2}"#, Some(r#"{"x":2}"#));
        check(r#"{ "a":1, "b":2 }"#, Some("{  }"));
    }

    #[test]
    fn a_text_without_them_is_not_touched() {
        for json in ["", "{}", r#"{ "x": {"a": 1} }"#, r#"["a"]"#, r#"{"a":1"#] {
            check(json, None);
        }
    }

    proptest! {
        #[test]
        fn what_is_left_is_the_object_without_them(
            members in proptest::collection::vec(("[abxy]", -9..9_i32), 0..6),
            space in " ?",
        ) {
            let written = members.iter().map(|(key, n)| format!("{space}\"{key}\":{space}{n}{space}"));
            let json = format!("{{{}}}", written.collect::<Vec<_>>().join(","));
            let names = ["a", "b"].map(str::to_owned);
            let rest = without(&json, &names).unwrap_or_else(|| json.clone());
            let mut expected: Map<String, Value> = serde_json::from_str(&json).unwrap();
            expected.retain(|key, _| !names.contains(key));
            prop_assert_eq!(serde_json::from_str::<Map<String, Value>>(&rest).unwrap(), expected);
        }
    }
}
