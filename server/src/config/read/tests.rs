//! Whole configuration files: what they become, and what is said about bad ones.

use std::time;

use proptest::prelude::*;

use super::*;
use crate::engine::{Mode, OnFault as Policy};
use crate::{
    config::{
        Timeout,
        file::{Layer, OnFault},
        sample_kinds::{Action, Detector, Pii, PiiMode, Rules, kinds},
    },
    hooks::HookId,
};

mod wrong_values;

const FULL: &str = r#"
version: 1
listen:
  grpc: ["127.0.0.1:50051", "unix:///run/sidehook/sidehook.sock"]
hooks: []
middleware:
  - name: masking
    kind: pii
    detect: [email, credit_card]
    mode: block
    threshold: 0.5
    agents: ["support-*"]
    priority: -10
    only_hooks: [before_run, wrap_model_call]
    on_fault: { before_run: block, wrap_model_call: fail }
    timeout: 2s
    when: "iteration < 5"
  - name: shell
    kind: rules
    mode: audit
    timeout: 0
    on_fault: skip
    rules:
      - { pattern: "rm -rf", action: { do: deny, reason: "${HOME} stays" } }
      - { pattern: x, action: { do: score, by: 1.50 }, max_hits: 3, within: 1h30m, note: 9007199254740993 }
agents:
  zeta: { middleware: [ { name: z, kind: pii } ] }
  alpha: {}
sets:
  night: [ { name: n, kind: rules, rules: [], max_text: 16 KiB, enabled: false } ]
builtin:
  pii: { detect: [phone], mode: audit }
runs: { idle_ttl: 10m }
"#;

#[test]
fn a_file_becomes_typed_values() {
    let config = read("f", FULL, &kinds()).unwrap().config;
    let masking = &config.middleware[0].keys;
    assert_eq!(
        (masking.name.as_str(), masking.kind.as_str(), masking.priority),
        ("masking", "pii", Some(-10))
    );
    assert_eq!((masking.mode, masking.enabled), (Mode::Enforce, true));
    assert_eq!(
        masking.only_hooks.unwrap().0.iter().collect::<Vec<_>>(),
        [HookId::BeforeRun, HookId::WrapModelCall]
    );
    let on_fault = masking.on_fault.as_ref().unwrap();
    assert_eq!(on_fault.on(HookId::BeforeRun), Some(Policy::Block));
    assert_eq!(on_fault.on(HookId::AfterRun), None);
    let shell = &config.middleware[1].keys;
    assert_eq!(shell.on_fault, Some(OnFault::Everywhere(Policy::Skip)));
    assert_eq!((shell.mode, shell.timeout), (Mode::Audit, Some(Timeout::Off)));
    assert_eq!(time::Duration::from(config.runs.idle_ttl), time::Duration::from_secs(600));
    assert_eq!(time::Duration::from(config.drain.deadline), time::Duration::from_secs(25));
    assert_eq!(config.limits.message_size.bytes(), 16 << 20);
}

#[test]
fn a_kind_gets_only_its_own_keys() {
    let file = read("f", FULL, &kinds()).unwrap();
    let [masking, shell] = file.config.middleware.as_slice() else { panic!() };
    let path = Path::root().key("middleware").index(0);
    let pii: Pii = file.document.read(&path, &masking.settings).unwrap();
    assert_eq!(pii.detect.unwrap(), [Detector::Email, Detector::CreditCard]);
    assert_eq!((pii.mode, pii.threshold), (PiiMode::Block, Some(0.5)));
    let rules: Rules = file.document.read(&path, &shell.settings).unwrap();
    assert!(matches!(&rules.rules[0].action, Action::Deny { reason } if reason == "${HOME} stays"));
    assert!(matches!(&rules.rules[1].action, Action::Score { by, .. } if *by == 1.5));
    assert_eq!(rules.rules[1].note.to_string(), "9007199254740993");
    let builtin = &file.config.builtin.0[0];
    assert_eq!((builtin.keys.name.as_str(), builtin.keys.mode), ("pii", Mode::Audit));
    assert!(!builtin.settings.contains_key("mode"));
}

#[test]
fn every_middleware_has_a_path_and_a_layer_in_the_order_of_the_file() {
    let file = read("f", FULL, &kinds()).unwrap();
    let entries = file.config.entries();
    let shown: Vec<_> = entries
        .iter()
        .map(|entry| {
            let layer = match entry.layer {
                Layer::Hooks => "hooks".to_owned(),
                Layer::Global => "global".to_owned(),
                Layer::Agent(pattern) => format!("agent {pattern}"),
                Layer::Set(name) => format!("set {name}"),
                Layer::Builtin => "builtin".to_owned(),
            };
            format!("{} {} {layer}", entry.path, file.document.place(&entry.path).line)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "middleware[0] 7 global",
            "middleware[1] 18 global",
            "agents.zeta.middleware[0] 27 agent zeta",
            "sets.night[0] 30 set night",
            "builtin.pii 32 builtin",
        ]
    );
}

#[test]
fn eight_mistakes_are_shown_at_once() {
    let text = r#"version: 2
listen:
  grpc: [":50051"]
middleware:
  - name: masking
    kind: pii
    prioritty: 5
    timeout: 30
    only_hooks: [before_rn]
  - name: shell
    kind: rulez
  - name: masking
    kind: rules
    rules:
      - pattern: x
        action: { do: deny }
"#;
    let expected = "\
sidehook.yaml:1:10: version: this Sidehook reads version 1, found the number 2; write `version: 1`
sidehook.yaml:3:10: listen.grpc[0]: `:50051` has no host; write `127.0.0.1:50051` for this machine, `0.0.0.0:50051` for every interface
sidehook.yaml:7:5: middleware[0].prioritty: unknown key; did you mean `priority`?
sidehook.yaml:8:14: middleware[0].timeout: expected a duration such as `250ms`, found the number 30; did you mean `30s`?
sidehook.yaml:9:18: middleware[0].only_hooks[0]: unknown hook `before_rn`; did you mean `before_run`?
sidehook.yaml:11:11: middleware[1].kind: unknown kind `rulez`; did you mean `rules`?
sidehook.yaml:12:11: middleware[2].name: the name `masking` is already that of middleware[0].name on line 5; names are unique; choose another
sidehook.yaml:16:9: middleware[2].rules[0].action: missing key `reason`
8 problems in the configuration";
    let problems = read("sidehook.yaml", text, &kinds()).unwrap_err();
    assert_eq!(problems.to_string(), expected);
}

#[test]
fn a_missing_or_misspelled_key_is_one_problem() {
    check("", &["f:1:1: missing key `version`; write `version: 1`"]);
    check("{versoin: 1}", &["f:1:2: versoin: unknown key; did you mean `version`?"]);
    check(
        "{version: 1, hooks: [{nmae: a, kind: pii}]}",
        &["f:1:23: hooks[0].nmae: unknown key; did you mean `name`?"],
    );
    check(
        "{version: 1, hooks: [{name: a, kidn: pii, timeout: x}]}",
        &[
            "f:1:32: hooks[0].kidn: unknown key; did you mean `kind`?",
            "f:1:52: hooks[0].timeout: `x` is not a duration; write it like `250ms`, `2s` or `1h30m`",
        ],
    );
    check(
        "{version: 1, hooks: [{}]}",
        &[
            "f:1:22: hooks[0]: missing key `kind`; for example `kind: pii`",
            "f:1:22: hooks[0]: missing key `name`; for example `name: refund-guard`",
        ],
    );
    check(
        "{version: 1, drain: {x: 1}, models: {}}",
        &[
            "f:1:22: drain.x: unknown key; expected `deadline`",
            "f:1:29: models: unknown key; expected `listen`, `hooks`, `middleware`, `agents`, `sets`, `builtin`, `runs`, `limits`, `log` or `reload`",
        ],
    );
}

#[test]
fn keys_of_another_kind_are_unknown() {
    check(
        "{version: 1, builtin: {rules: {}, pii: {name: a, detekt: []}}}",
        &[
            "f:1:24: builtin.rules: unknown key",
            "f:1:41: builtin.pii.name: unknown key; expected `detect`, `mode`, `threshold`, `agents`, `only_hooks`, `on_fault`, `timeout`, `when` or `enabled`",
            "f:1:50: builtin.pii.detekt: unknown key; did you mean `detect`?",
        ],
    );
}

#[test]
fn names_are_unique_across_all_lists() {
    let text = "
version: 1
sets:
  s: [{ name: a, kind: pii }]
agents:
  x: { middleware: [{ name: a, kind: pii }] }
hooks: [{ name: pii, kind: pii }]
builtin: { pii: {} }
";
    check(
        text,
        &[
            "f:4:15: sets.s[0].name: the name `a` is already that of agents.x.middleware[0].name on line 6; names are unique; choose another",
            "f:7:17: hooks[0].name: the name `pii` is already that of builtin.pii on line 8; names are unique; choose another",
        ],
    );
}

#[test]
fn problems_of_the_text_and_of_its_meaning_are_shown_together() {
    check(
        "version: 1\nruns: {pin: true, pin: false}\nlog: {level: !x info}\nx: 1\n",
        &[
            "f:2:19: runs.pin: duplicate key, which is also on line 2; remove one of the two",
            "f:3:14: log.level: unknown tag `!x`; remove the tag",
            "f:4:1: x: unknown key; expected `listen`, `hooks`, `middleware`, `agents`, `sets`, `builtin`, `limits`, `drain` or `reload`",
        ],
    );
}

#[test]
fn what_is_found_later_has_a_place_too() {
    let file = read("f", FULL, &kinds()).unwrap();
    let when = file.config.entries()[0].path.key("when");
    let problem = file.document.problem(&when, Complaint::new("not a CEL expression"));
    assert_eq!(problem.to_string(), "f:17:11: middleware[0].when: not a CEL expression");
}

/// Compares what is wrong with `text`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let problems = read("f", text, &kinds()).unwrap_err();
    let shown: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(shown, expected);
}

proptest! {
    #[test]
    fn no_text_panics(
        text in "(version: 1\n)?(middleware|agents|builtin|listen|x): [ \\n\\-:\\[\\]{}&*a-z0-9,]{0,60}",
    ) {
        let _ = read("f", &text, &kinds());
    }

    #[test]
    fn no_damage_to_a_good_text_panics(
        start in any::<prop::sample::Index>(),
        length in 0..40_usize,
        instead in "[ \\n\\-:\\[\\]{}&*a-c0'\"é,]{0,6}",
    ) {
        let mut text: Vec<char> = FULL.chars().collect();
        let start = start.index(text.len());
        let end = (start + length).min(text.len());
        text.splice(start..end, instead.chars());
        let _ = read("f", &text.into_iter().collect::<String>(), &kinds());
    }
}
