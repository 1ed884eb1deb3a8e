//! The JSON schema, and that the walker and a validator from the shelf agree about it.

use std::sync::LazyLock;

use proptest::{prelude::*, sample::select};
use serde::Deserialize;

use super::*;
use crate::config::{
    Document,
    file::Entry,
    sample_kinds::{Pii, Rules, kinds},
};

#[test]
fn the_schema_is_a_valid_schema_without_null() {
    let schema = json_schema(&kinds());
    jsonschema::meta::validate(&schema).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["title"], "Sidehook configuration");
    assert!(!schema.to_string().contains("null"), "{schema:#}");
}

#[test]
fn every_key_is_described_and_defaults_are_printed() {
    let schema = json_schema(&kinds());
    for section in
        ["", "/$defs/Listen", "/$defs/Runs", "/$defs/Limits", "/$defs/Drain", "/$defs/Log"]
    {
        let keys = schema.pointer(&format!("{section}/properties")).unwrap().as_object().unwrap();
        for (key, schema) in keys {
            assert!(schema["description"].is_string(), "{section} {key}");
            assert!(section.is_empty() || !schema["default"].is_null(), "{section} {key}");
        }
    }
    assert_eq!(schema["$defs"]["Runs"]["properties"]["idle_ttl"]["default"], "30m");
}

#[test]
fn every_middleware_has_the_common_keys_and_those_of_its_kind() {
    let schema = json_schema(&kinds());
    let common = schema["$defs"]["MiddlewareKeys"]["properties"].as_object().unwrap();
    assert_eq!(common.keys().collect::<Vec<_>>(), MiddlewareKeys::ALL);
    let rules = schema["$defs"]["Middleware"]["oneOf"][1]["properties"].as_object().unwrap();
    assert!(
        ["name", "kind", "rules", "max_text", "mode"].iter().all(|key| rules.contains_key(*key))
    );
    assert_eq!(rules.len(), common.len() + 2);
    let builtins = schema["$defs"]["Builtins"]["properties"].as_object().unwrap();
    assert_eq!(builtins.keys().collect::<Vec<_>>(), ["pii"]);
    assert!(!builtins["pii"]["properties"].as_object().unwrap().contains_key("name"));
    assert!(kinds().conflicts().is_empty());
}

#[test]
fn without_kinds_no_middleware_fits() {
    let schema = json_schema(&Kinds::default());
    let config = json!({ "version": 1, "hooks": [{ "name": "a", "kind": "b" }] });
    let findings = walk(&schema, &config);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].path.to_string(), "hooks[0]");
    assert!(!jsonschema::is_valid(&schema, &config));
}

#[test]
fn walker_and_validator_agree_on_samples() {
    for (text, expected) in SAMPLES {
        let value = Document::parse("f", text).unwrap().value().clone();
        check_agreement(&value, Some(*expected));
    }
}

/// Configurations, and whether they fit the schema.
const SAMPLES: &[(&str, bool)] = &[
    ("version: 1", true),
    ("", false),
    ("[]", false),
    ("version: 2", false),
    ("version: '1'", false),
    ("{version: 1, versoin: 1}", false),
    ("{version: 1, listen: {grpc: []}}", false),
    ("{version: 1, listen: {grpc: ['unix:///x', '[::1]:0']}}", true),
    ("{version: 1, listen: {grpc: ['unix://x']}}", false),
    ("{version: 1, listen: {grpc: 127.0.0.1:1}}", false),
    ("{version: 1, hooks: }", false),
    ("{version: 1, hooks: [{name: a, kind: pii}]}", true),
    ("{version: 1, hooks: [{name: A, kind: pii}]}", false),
    ("{version: 1, hooks: [{name: a}]}", false),
    ("{version: 1, hooks: [{kind: pii}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pie}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, rules: []}]}", false),
    (
        "{version: 1, hooks: [{name: a, kind: pii, mode: block}, {name: a, kind: pii, mode: off}]}",
        true,
    ),
    ("{version: 1, hooks: [{name: a, kind: rules, rules: [], mode: block}]}", false),
    ("{version: 1, hooks: [{name: a, kind: rules}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, timeout: 0}]}", true),
    ("{version: 1, hooks: [{name: a, kind: pii, timeout: 1}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, timeout: 1h5ms}]}", true),
    ("{version: 1, hooks: [{name: a, kind: pii, priority: -2147483648}]}", true),
    ("{version: 1, hooks: [{name: a, kind: pii, priority: 2147483648}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, priority: 1.5}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, threshold: 1}]}", true),
    ("{version: 1, hooks: [{name: a, kind: pii, threshold: 1.01}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, only_hooks: []}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, only_hooks: [wrap, wrap]}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, only_hooks: [wrap, on_event]}]}", true),
    ("{version: 1, hooks: [{name: a, kind: pii, on_fault: skip}]}", true),
    ("{version: 1, hooks: [{name: a, kind: pii, on_fault: {wrap: skip}}]}", true),
    ("{version: 1, hooks: [{name: a, kind: pii, on_fault: {wrap: no}}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, on_fault: {warp: skip}}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, enabled: yes}]}", false),
    ("{version: 1, hooks: [{name: a, kind: pii, agents: ['']}]}", false),
    ("{version: 1, agents: {'': {}}}", false),
    ("{version: 1, agents: {a: {}, 'b*': {middleware: []}}}", true),
    ("{version: 1, agents: {a: []}}", false),
    ("{version: 1, sets: {a: []}}", true),
    ("{version: 1, sets: {A: []}}", false),
    ("{version: 1, builtin: {pii: {}}}", true),
    ("{version: 1, builtin: {pii: {priority: 1}}}", false),
    ("{version: 1, builtin: {rules: {rules: []}}}", false),
    ("{version: 1, runs: {max_runs: 0}}", false),
    ("{version: 1, runs: {max_runs: 4294967296}}", false),
    ("{version: 1, runs: {max_state_bytes: 1048576}}", false),
    ("{version: 1, runs: {max_state_bytes: 16 MiB, idle_ttl: 0s}}", false),
    ("{version: 1, log: {level: debug, format: json}}", true),
    ("{version: 1, log: {level: INFO}}", false),
    (
        "{version: 1, hooks: [{name: a, kind: rules, rules: [{pattern: x, action: {do: deny, reason: y}}]}]}",
        true,
    ),
    (
        "{version: 1, hooks: [{name: a, kind: rules, rules: [{pattern: x, action: {do: deny}}]}]}",
        false,
    ),
    (
        "{version: 1, hooks: [{name: a, kind: rules, rules: [{pattern: x, action: {do: score, by: 0.5, label: A}}]}]}",
        false,
    ),
    (
        "{version: 1, hooks: [{name: a, kind: rules, rules: [{pattern: '', action: {do: log}}]}]}",
        false,
    ),
    (
        "{version: 1, hooks: [{name: a, kind: rules, rules: [{pattern: x, action: {do: log}, note: [{}], max_hits: 11}]}]}",
        false,
    ),
];

static SCHEMA: LazyLock<(Value, jsonschema::Validator)> = LazyLock::new(|| {
    let schema = json_schema(&kinds());
    let validator = jsonschema::validator_for(&schema).unwrap();
    (schema, validator)
});

/// Values that stand in for others.
const OTHERS: &[&str] = &[
    "null",
    "true",
    "0",
    "1",
    "-1",
    "7",
    "300",
    "5000000000",
    "0.5",
    "\"\"",
    "\"a\"",
    "\"pii\"",
    "\"rules\"",
    "\"mask\"",
    "\"audit\"",
    "\"skip\"",
    "\"wrap\"",
    "\"5s\"",
    "\"1MiB\"",
    "\"127.0.0.1:1\"",
    "[]",
    "[\"a\"]",
    "[\"wrap\"]",
    "{}",
    "{\"name\":\"a\",\"kind\":\"pii\"}",
    "{\"wrap\":\"fail\"}",
    "{\"do\":\"log\"}",
    "{\"do\":\"score\",\"by\":1.50}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn walker_and_validator_agree_whatever_is_changed(
        sample in select(SAMPLES),
        changes in prop::collection::vec((any::<prop::sample::Index>(), select(OTHERS)), 1..3),
    ) {
        let mut value = Document::parse("f", sample.0).unwrap().value().clone();
        for (index, other) in changes {
            let mut left = index.index(count(&value));
            replace(&mut value, &mut left, &serde_json::from_str(other).unwrap());
        }
        check_agreement(&value, None);
    }
}

/// Checks that the walker, the validator and serde say the same about `value`.
#[track_caller]
fn check_agreement(value: &Value, expected: Option<bool>) {
    let (schema, validator) = &*SCHEMA;
    let findings = walk(schema, value);
    let is_valid = validator.is_valid(value);
    assert_eq!(findings.is_empty(), is_valid, "{value}: {findings:#?}");
    assert!(expected.is_none_or(|expected| expected == is_valid), "{value}: {findings:#?}");
    if is_valid {
        check_types(value);
    }
}

/// Checks that serde reads all of `value`, a valid configuration.
#[track_caller]
fn check_types(value: &Value) {
    // JSON is YAML.
    let document = Document::parse("f", &value.to_string()).unwrap();
    assert_eq!(document.value(), value);
    let config = Config::deserialize(value).unwrap();
    for Entry { path, middleware, .. } in config.entries() {
        let settings = &middleware.settings;
        match middleware.keys.kind.as_str() {
            "pii" => drop(document.read::<Pii>(&path, settings).unwrap()),
            _ => drop(document.read::<Rules>(&path, settings).unwrap()),
        }
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// Replaces the value that comes `left` places after `value`.
fn replace(value: &mut Value, left: &mut usize, other: &Value) {
    if *left == 0 {
        *value = other.clone();
    }
    *left = left.wrapping_sub(1);
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, left, other)),
        Value::Object(members) => {
            members.values_mut().for_each(|member| replace(member, left, other));
        }
        _ => {}
    }
}
