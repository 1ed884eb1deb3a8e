//! That the walker and a validator from the shelf agree about case files.

use super::*;
use crate::config::Document;

/// Case files, and whether they fit the schema.
const SAMPLES: &[(&str, bool)] = &[
    ("hook: start_run", true),
    ("{ hook: AfterModel, name: x, config: other.yaml, request: { response: {} } }", true),
    ("{ hook: sidehook.v1.CallHooks/Wrap, replies: [{ result: { value: 1 } }] }", true),
    ("{ hook: wrap_model_call, replies: [{ deltas: [a, { text: b }], response: {} }] }", true),
    ("{ hook: wrap, expect: { next: [{}], emitted: { matches: x }, exact: true } }", true),
    ("{ steps: [{ hook: start_run }], context: { agentName: x, deps: [1, { a: null }] } }", true),
    ("cases: [{ name: x, hook: start_run }, { name: y, steps: [{ hook: before_run }] }]", true),
    ("{ hook: before_tool_call, expect: { answer: { decision: { absent: true } } } }", true),
    ("{ hook: before_tool_call, expect: { answer: { decision: DENY } } }", false),
    ("{ hook: before_tool_call, expect: { answer: { absent: false } } }", false),
    ("{ hook: start_run, request: { source: STARTUP } }", false),
    ("{ hook: start_run, request: { source: null } }", false),
    ("{ hook: start_run, request: { context: {} } }", false),
    ("{ hook: start_run, expect: { next: [] } }", false),
    ("{ hook: start_run, expect: { veto: {} } }", false),
    ("{ hook: start_run, expect: { report: [{ duration: 1s }] } }", false),
    ("{ hook: notify_scheduled, request: { delaySeconds: soon } }", false),
    ("{ hook: transform, request: { request: { maxTokens: 9999999999 } } }", false),
    ("{ hook: before_compaction, request: { tokenCount: \"12\", messageCount: 3 } }", true),
    ("{ hook: start, name: x }", false),
    ("{ hook: start_run, steps: [] }", false),
    ("{ steps: [] }", false),
    ("{ config: 1, hook: start_run }", false),
    ("cases: [{ hook: start_run }]", false),
    ("cases: []", false),
    ("[]", false),
    ("{}", false),
];

#[test]
fn walker_and_validator_agree_on_samples() {
    let schema = case_schema(&Contract::load().unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (text, expected) in SAMPLES {
        let document = Document::parse("f", text).unwrap();
        let problems = document.check(&schema);
        assert_eq!(problems.is_empty(), *expected, "{text}: {problems:?}");
        assert_eq!(validator.is_valid(document.value()), *expected, "{text}");
    }
}

#[test]
fn a_configuration_hides_no_definition_of_cases() {
    let contract = Contract::load().unwrap();
    let (own, all) = (case_schema(&contract).unwrap(), json_schema(&contract).unwrap());
    for (name, schema) in own["$defs"].as_object().unwrap() {
        assert!(name == "Config" || all["$defs"][name] == *schema, "{name}");
    }
}
