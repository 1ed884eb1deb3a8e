//! Single wrong values, and what is said about each.

use crate::config::{read, sample_kinds::kinds};

#[test]
fn a_wrong_value_says_what_was_expected() {
    for (text, expected) in CASES {
        let problems = read("f", &format!("{{version: 1, {text}}}"), &kinds()).unwrap_err();
        let shown: Vec<_> = problems.iter().map(ToString::to_string).collect();
        let without_place: Vec<_> =
            shown.iter().filter_map(|problem| Some(problem.split_once(": ")?.1)).collect();
        assert_eq!(without_place, [*expected], "{text}");
    }
}

/// What is wrong, and the path and the words of the problem.
const CASES: &[(&str, &str)] = &[
    ("hooks: ", "hooks: expected a list, found nothing; write `[]`, or remove the key"),
    (
        "builtin: {pii: }",
        "builtin.pii: expected a mapping, found nothing; write `{}`, or remove the key",
    ),
    (
        "runs: {pin: yes}",
        "runs.pin: expected `true` or `false`, found the text `yes`; did you mean `true`?",
    ),
    (
        "runs: {max_runs: '5'}",
        "runs.max_runs: expected a whole number, found the text `5`; remove the quotes",
    ),
    ("runs: {max_runs: 0}", "runs.max_runs: must be at least 1, found 0"),
    (
        "runs: {max_runs: 99999999999}",
        "runs.max_runs: must be at most 4294967295, found 99999999999",
    ),
    ("runs: {max_runs: 1.0}", "runs.max_runs: expected a whole number, found the number 1.0"),
    (
        "log: {level: verbose}",
        "log.level: unknown value `verbose`; expected `error`, `warn`, `info`, `debug` or `trace`",
    ),
    (
        "log: {level: [info]}",
        "log.level: expected `error`, `warn`, `info`, `debug` or `trace`, found a list",
    ),
    (
        "listen: {grpc: localhost}",
        "listen.grpc: expected a list, found the text `localhost`; put it in brackets: `[…]`",
    ),
    (
        "listen: {grpc: ['a:1', 'a:1']}",
        "listen.grpc[1]: `a:1` is in the list twice; remove one of the two",
    ),
    ("agents: {'': {}}", r#"agents[""]: the pattern is empty; `*` stands for every agent"#),
    (
        "agents: {'a[': {}}",
        r#"agents["a["]: `a[` is not a glob: unclosed character class; missing ']'"#,
    ),
    ("sets: {A: []}", "sets.A: `A` does not match `^[a-z0-9][a-z0-9._:-]{0,63}$`"),
    ("hooks: [7]", "hooks[0]: expected a mapping, found the number 7"),
    (
        "builtin: {pii: {when: 5}}",
        "builtin.pii.when: expected a text, found the number 5; put it in quotes: `\"5\"`",
    ),
    ("builtin: {pii: {when: ''}}", "builtin.pii.when: must not be empty"),
    ("builtin: {pii: {only_hooks: []}}", "builtin.pii.only_hooks: must not be empty"),
    (
        "builtin: {pii: {only_hooks: [BeforeRun]}}",
        "builtin.pii.only_hooks[0]: unknown hook `BeforeRun`; did you mean `before_run`?",
    ),
    (
        "builtin: {pii: {only_hooks: [wrap, wrap]}}",
        "builtin.pii.only_hooks[1]: the text `wrap` is in the list twice; remove one of the two",
    ),
    (
        "builtin: {pii: {only_hooks: [zzz]}}",
        "builtin.pii.only_hooks[0]: unknown hook `zzz`; `sidehook schema` prints the known ones",
    ),
    (
        "builtin: {pii: {on_fault: blok}}",
        "builtin.pii.on_fault: unknown value `blok`; did you mean `block`?",
    ),
    (
        "builtin: {pii: {on_fault: {beforeRun: skip}}}",
        "builtin.pii.on_fault.beforeRun: unknown key; did you mean `before_run`?",
    ),
    (
        "builtin: {pii: {on_fault: {before_run: no}}}",
        "builtin.pii.on_fault.before_run: unknown value `no`; expected `fail`, `skip` or `block`",
    ),
    (
        "builtin: {pii: {on_fault: 3}}",
        "builtin.pii.on_fault: expected a text or a mapping, found the number 3",
    ),
    (
        "builtin: {pii: {mode: stop}}",
        "builtin.pii.mode: unknown value `stop`; expected `mask`, `block`, `enforce`, `audit` or `off`",
    ),
    ("builtin: {pii: {threshold: 2}}", "builtin.pii.threshold: must be at most 1.0, found 2"),
    (
        "builtin: {pii: {timeout: 1.5}}",
        "builtin.pii.timeout: expected a duration such as `250ms`, found the number 1.5",
    ),
    (
        "limits: {message_size: 4096}",
        "limits.message_size: expected a size such as `1MiB`, found the number 4096; did you mean `4KiB`?",
    ),
];
