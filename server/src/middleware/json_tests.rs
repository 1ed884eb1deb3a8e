//! What changes in a JSON text, and what does not.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// Replaces every leaf that holds an `x`, also the number 42.
fn cross_out(text: &str) -> Option<String> {
    if text == "42" {
        Some("forty-two".to_owned())
    } else {
        text.contains('x').then(|| text.replace('x', "\"\\\n"))
    }
}

fn check(json: &str, expected: &str) {
    assert_eq!(rewrite_leaves(json, cross_out).unwrap(), expected);
}

#[test]
fn only_the_literals_that_change_change() {
    check(
        r#"{ "x" : "x", "n":9007199254740993 , "e":1e400,"s":"\u0041\/" }"#,
        r#"{ "x" : "\"\\\n", "n":9007199254740993 , "e":1e400,"s":"\u0041\/" }"#,
    );
    check(r#"[42,"ax",true,null,-0.5E+3]"#, r#"["forty-two","a\"\\\n",true,null,-0.5E+3]"#);
    check(" \"x\"\n", " \"\\\"\\\\\\n\"\n");
}

#[test]
fn an_unchanged_text_is_borrowed() {
    for json in [r#"{"a":[{}, [], ""]}"#, "0", "\"\"", "  true "] {
        assert!(matches!(rewrite_leaves(json, cross_out), Ok(Cow::Borrowed(text)) if text == json));
    }
}

#[test]
fn strings_are_offered_unescaped() {
    let mut seen = Vec::new();
    let json = r#"["\u0062ob\u0040x", "\ud83d\ude00\n", "\ud83d!", "\ud83d\u0041"]"#;
    rewrite_leaves(json, |text| {
        seen.push(text.to_owned());
        None
    })
    .unwrap();
    assert_eq!(seen, ["bob@x", "😀\n", "\u{fffd}!", "\u{fffd}A"]);
}

#[test]
fn keys_are_never_offered() {
    check(r#"{"x":{"x":1},"42":2}"#, r#"{"x":{"x":1},"42":2}"#);
}

#[test]
fn depth_does_not_overflow_the_stack() {
    let depth = 10_000;
    let json = format!("{}\"x\"{}", "[{\"a\":".repeat(depth), "}]".repeat(depth));
    let masked = rewrite_leaves(&json, |_| Some("y".to_owned())).unwrap();
    assert_eq!(masked, json.replace('x', "y"));
}

#[test]
fn what_is_not_json_is_an_error_at_its_place() {
    for (text, at) in [
        ("", 0),
        ("{", 1),
        ("[1,]", 3),
        ("{\"a\" 1}", 5),
        ("{\"a\":1,}", 7),
        ("[1}", 2),
        ("01", 1),
        ("1.", 2),
        ("-", 1),
        ("nul", 3),
        ("\"a", 2),
        ("\"\n\"", 1),
        ("\"\\x\"", 2),
        ("\"\\u12g4\"", 5),
        ("1 2", 2),
        ("1,2", 1),
        ("hello", 0),
    ] {
        assert_eq!(rewrite_leaves(text, cross_out), Err(NotJson { at }), "{text}");
    }
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".*", inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn reversed(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.chars().rev().collect()),
        Value::Array(all) => all.into_iter().map(reversed).collect(),
        Value::Object(all) => all.into_iter().map(|(key, value)| (key, reversed(value))).collect(),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

proptest! {
    #[test]
    fn a_rewrite_does_to_the_text_what_it_would_do_to_the_value(value in json(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let is_number = |text: &str| serde_json::from_str::<serde_json::Number>(text).is_ok();
        // A string that reads as a number would be kept here and not below.
        prop_assume!(!text.contains("\"-") && !text.split('"').any(is_number));
        let rewritten = rewrite_leaves(&text, |leaf| (!is_number(leaf)).then(|| leaf.chars().rev().collect())).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&rewritten).unwrap(), reversed(serde_json::from_str(&text).unwrap()));
    }

    #[test]
    fn whatever_serde_reads_is_read_and_returned_as_it_is(text in r#"[\[\]{}",:0-9eE+.\\ untrflas-]{0,12}"#) {
        let rewritten = rewrite_leaves(&text, |_| None);
        match serde_json::from_str::<Value>(&text) {
            Ok(_) => prop_assert_eq!(rewritten.unwrap(), text.as_str()),
            // serde_json also refuses numbers it cannot hold.
            Err(error) if error.to_string().contains("out of range") => {}
            Err(_) => prop_assert!(rewritten.is_err()),
        }
    }
}
