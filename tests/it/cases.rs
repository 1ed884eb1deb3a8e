//! `sidehook test`: cases of guard authors against their configuration.

mod published;

use crate::support::sidehook_in;
use serde_json::{Value, json};
use std::{fs, process::Output};
use tempfile::TempDir;

/// A guard at three hooks, and one that masks.
const CONFIG: &str = r#"version: 1
middleware:
  - name: guard
    kind: rules
    rules:
      - hook: before_tool_call
        when: tool_call.name == 'refund' && tool_call.arguments.amount > 100
        then: { ask: "A person decides" }
      - hook: before_run
        when: input.contains('refund')
        then: { trip: "no refunds" }
      - hook: after_tool_batch
        then: { add_context: "be careful", stop: "enough" }
      - hook: user_message_inbound
        when: text == 'spam'
        then: { veto: "spam" }
"#;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Runs `sidehook test` on cases beside the guard's configuration.
fn tested(cases: &str, arguments: &[&str]) -> Output {
    let folder = folder(&[("sidehook.yaml", CONFIG), ("a.case.yaml", cases)]);
    sidehook_in(folder.path(), &[&["test", "."], arguments].concat())
}

/// Checks what is printed, and the exit code.
#[track_caller]
fn check(output: &Output, code: i32, out: &str, err: &str) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!((text(&output.stdout), text(&output.stderr)), (out.to_owned(), err.to_owned()));
    assert_eq!(output.status.code(), Some(code));
}

/// Checks that all of these cases pass.
#[track_caller]
fn check_passes(cases: &str) {
    let output = tested(cases, &[]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat())
    );
}

/// Checks that a single case of these keys fails with this difference.
#[track_caller]
fn check_difference(case: &str, path: &str, expected: &str, got: &str) {
    let output = tested(case, &["--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
    let difference = json!([{ "path": path, "expected": expected, "got": got }]);
    assert_eq!(verdict["differences"], difference);
}

#[test]
fn cases_that_pass_have_a_line_each() {
    let cases = r#"
cases:
  - name: large
    hook: before_tool_call
    request: { tool_call: { name: refund, arguments: { amount: 500 } } }
    expect: { answer: { decision: ask } }
  - name: any answer
    hook: before_tool_call
    request: { tool_call: {} }
"#;
    let out =
        "ok      ./a.case.yaml: large\nok      ./a.case.yaml: any answer\n\n2 passed, 0 failed\n";
    check(&tested(cases, &[]), 0, out, "");
}

#[test]
fn a_case_that_fails_says_field_by_field_what_differs_and_what_each_link_did() {
    let cases = r#"
cases:
  - name: large
    hook: before_tool_call
    request: { tool_call: { name: refund, arguments: { amount: 500 } } }
    expect:
      answer: { decision: deny, reason: { matches: "^Nobody" }, decided_by: guard }
      report: [{ middleware: other }]
  - { name: fine, hook: start_run }
"#;
    let out = r#"FAILED  ./a.case.yaml:3:5: large
        before_tool_call
          answer.decision
            expected  "deny"
            got       "ask"
          answer.reason
            expected  {matches: "^Nobody"}
            got       "A person decides"
          report[0]
            expected  a step of other
            got       guard
        links
          guard [rules] answered (decision, reason)
ok      ./a.case.yaml: fine

1 passed, 1 failed
"#;
    check(&tested(cases, &[]), 1, out, "");
}

#[test]
fn wrong_files_and_configurations_are_printed_at_once_and_nothing_runs() {
    let wrong = r#"config: fine.yaml
cases:
  - name: a
    hook: before_tol_call
  - name: b
    hook: before_tool_call
    request: { tool_call: { nam: refund, arguments: {}, argumentsJson: "{}" }, context: {} }
    replies: []
    expect: { answer: { decision: denny, reason: { matches: "(" } }, veto: {} }
  - name: c
    hook: wrap
    replies: [{ deltas: [a], result: {}, error: {} }]
    expect: { tripwire: {}, failure: {} }
"#;
    let files = [
        ("a.case.yaml", wrong),
        ("b.case.yaml", "config: { version: 1,\n  middlewares: [] }\nhook: start_run\n"),
        ("c.case.yaml", "config: none.yaml\nhook: start_run\n"),
        ("d.case.yaml", "hook: start_run\n"),
        ("fine.yaml", "version: 1\n"),
    ];
    let folder = folder(&files);
    let err = "\
./a.case.yaml:4:11: cases[0].hook: unknown hook `before_tol_call`; did you mean `before_tool_call`?
./a.case.yaml:7:29: cases[1].request.tool_call.nam: unknown key; did you mean `name`?
./a.case.yaml:7:72: cases[1].request.tool_call.argumentsJson: says what `arguments` says already; remove one of the two
./a.case.yaml:7:80: cases[1].request.context: unknown key; expected `tool` or `resumed`
./a.case.yaml:8:14: cases[1].replies: nothing is asked of the runtime at `before_tool_call`; the hooks with replies are `wrap_model_call`, `wrap_tool_call` and `wrap`
./a.case.yaml:9:35: cases[1].expect.answer.decision: unknown value `denny`; did you mean `deny`?
./a.case.yaml:9:61: cases[1].expect.answer.reason.matches: is no regular expression: unclosed group
./a.case.yaml:9:70: cases[1].expect.veto: unknown key; expected `tripwire`, `failure`, `effects`, `report` or `exact`
./a.case.yaml:12:25: cases[2].replies[0].deltas: nothing is streamed in this call; write `streaming: true` in its `request`
./a.case.yaml:12:49: cases[2].replies[0].error: `error` cannot stand beside `result`: a call ends in one way
./a.case.yaml:13:38: cases[2].expect.failure: cannot stand beside `tripwire`: a chain says one of the two
11 problems in the cases of ./a.case.yaml
./b.case.yaml:2:3: middlewares: unknown key; did you mean `middleware`?
1 problem in the configuration, which ./b.case.yaml wants
./c.case.yaml:1:9: config: cannot read `./none.yaml`: No such file or directory (os error 2)
";
    check(&sidehook_in(folder.path(), &["test", "."]), 2, "", err);
}

#[test]
fn values_that_no_field_can_hold_are_named() {
    let cases = r#"cases:
  - { name: a, hook: before_compaction, request: { tokenCount: 9999999999999999999, messageCount: 99999999999 } }
  - { name: b, hook: before_compaction, request: { tokenCount: "9999999999999999999" } }
  - name: c
    hook: before_model
    request: { messages: [{ text: a, parts: { parts: [{ image: { data: "%%" } }] } }] }
  - { name: d, hook: start_run, expect: { report: {}, effects: { stop: x } } }
  - name: e
    hook: wrap_model_call
    expect: { answer: { response: { usage: { inputTokenCount: "1x" } } } }
"#;
    let err = "\
./a.case.yaml:2:64: cases[0].request.tokenCount: must be at most 9223372036854775807, found 9999999999999999999
./a.case.yaml:2:99: cases[0].request.messageCount: must be at most 2147483647, found 99999999999
./a.case.yaml:3:64: cases[1].request.tokenCount: is no whole number of 64 bits: number too large to fit in target type
./a.case.yaml:6:45: cases[2].request.messages[0].parts: cannot stand beside `text`: only one of the two can be set; remove one of the two
./a.case.yaml:7:51: cases[3].expect.report: expected a list, found a mapping
./a.case.yaml:7:72: cases[3].expect.effects.stop: expected a mapping, found the text `x`
./a.case.yaml:10:63: cases[4].expect.answer.response.usage.inputTokenCount: is no whole number of 64 bits: invalid digit found in string
7 problems in the cases of ./a.case.yaml
";
    check(&tested(cases, &[]), 2, "", err);
    let media = "hook: before_model\nrequest: { messages: [{ parts: { parts: [{ image: { data: '%%' } }] } }] }";
    let err = "./a.case.yaml:2:59: request.messages[0].parts.parts[0].image.data: is not base64\n1 problem in the cases of ./a.case.yaml\n";
    check(&tested(media, &[]), 2, "", err);
}

#[test]
fn a_wrong_configuration_file_is_printed_as_check_prints_it() {
    let folder = folder(&[
        ("wrong.yaml", "version: 1\nlimits: { timeout: 5 }\n"),
        ("x/a.case.yaml", "config: ../wrong.yaml\nhook: start_run\n"),
    ]);
    let checked = sidehook_in(folder.path(), &["check", "x/../wrong.yaml"]);
    let printed = String::from_utf8(checked.stderr).unwrap();
    let expected = format!("{}, which x/a.case.yaml wants\n", printed.trim_end());
    check(&sidehook_in(folder.path(), &["test", "x"]), 2, "", &expected);
}

#[test]
fn without_a_case_there_is_nothing_that_passed() {
    let empty = folder(&[("notes.yaml", "")]);
    let err = "no file below `.` is named `*.case.yaml`\n";
    check(&sidehook_in(empty.path(), &["test", "."]), 2, "", err);
    let err = "cannot read `none`: No such file or directory (os error 2)\n";
    check(&sidehook_in(empty.path(), &["test", "none"]), 2, "", err);
    let err = "no case has `x` in its name or path\n";
    check(&tested("name: large\nhook: start_run", &["--filter", "x"]), 2, "", err);
    let output = tested("cases: []", &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn the_nearest_configuration_counts_and_else_the_embedded_default() {
    let destroys = "hook: before_tool_call\nrequest: { tool_call: { arguments: { command: mkfs / } } }\nexpect: ";
    let denied = format!("{destroys} {{ answer: {{ decided_by: dangerous-commands }} }}");
    let allowed = format!("{destroys} {{ answer: {{}}, exact: true }}");
    let files = [
        ("embedded.case.yaml", denied.as_str()),
        ("a/sidehook.yaml", "version: 1"),
        ("a/b/own.case.yaml", allowed.as_str()),
    ];
    let folder = folder(&files);
    let out = "ok      ./a/b/own.case.yaml: own\nok      ./embedded.case.yaml: embedded\n\n2 passed, 0 failed\n";
    check(&sidehook_in(folder.path(), &["test", "."]), 0, out, "");
}

#[test]
fn a_filter_runs_the_cases_with_its_text() {
    let cases = "cases: [{ name: small, hook: start_run }, { name: large, hook: start_run }]";
    let out = "ok      ./a.case.yaml: large\n\n1 passed, 0 failed\n";
    check(&tested(cases, &["--filter", "lar"]), 0, out, "");
}

#[test]
fn the_calls_of_a_session_are_of_one_run_and_the_first_that_fails_ends_it() {
    check_passes(
        r#"
context: { agent_name: support }
steps:
  - { hook: StartRun, request: { source: startup } }
  - hook: sidehook.v1.RunHooks/AfterToolBatch
    expect: { effects: { stop: { reason: enough }, addedContext: [{ text: be careful }] } }
  - { hook: afterRun, request: { status: completed } }
"#,
    );
    let output = tested(
        r#"
name: a run that has ended
steps:
  - { hook: after_run, request: { status: completed } }
  - { hook: before_run }
  - { hook: before_run, expect: { veto: {} } }
"#
        .replace(", expect: { veto: {} }", "")
        .as_str(),
        &[],
    );
    let out = "\
FAILED  ./a.case.yaml:2:1: a run that has ended
        step 2, before_run
          outcome
            expected  answer
            got       FailedPrecondition: run `case-1` has ended
        links
          none

0 passed, 1 failed
";
    check(&output, 1, out, "");
}

#[test]
fn every_outcome_can_be_expected_and_another_one_fails() {
    check_passes(
        r#"
cases:
  - { name: veto, hook: user_message_inbound, request: { text: spam }, expect: { veto: { reason: spam } } }
  - { name: trip, hook: before_run, request: { input: refund }, expect: { tripwire: { http_status: 400 } } }
  - name: fault
    hook: before_tool_call
    request: { tool_call: { name: refund, arguments: { amount: much } } }
    expect: { failure: { middleware: guard } }
"#,
    );
    let case = "hook: user_message_inbound\nrequest: { text: spam }";
    check_difference(case, "outcome", "answer", r#"veto {"reason":"spam","middleware":"guard"}"#);
}

#[test]
fn fields_that_are_not_named_are_not_compared_unless_it_is_exact() {
    let case = |expect: &str| {
        format!(
            "hook: before_tool_call\nrequest: {{ tool_call: {{ name: refund, arguments: {{ amount: 101 }} }} }}\nexpect: {{ {expect} }}"
        )
    };
    check_passes(&case("answer: { decision: ask }"));
    check_passes(&case(
        "exact: true, answer: { decision: TOOL_DECISION_ASK, reason: A person decides, decidedBy: guard }",
    ));
    let exact = case("exact: true, answer: { decision: ask, reason: A person decides }");
    check_difference(&exact, "answer.decided_by", "nothing", "\"guard\"");
    let absent = case("answer: { reason: { absent: true } }");
    check_difference(&absent, "answer.reason", "nothing", "\"A person decides\"");
    let missing = case("answer: { updated_arguments: { amount: 1 } }");
    check_difference(&missing, "answer.updated_arguments.amount", "1", "nothing");
    let effects = "hook: after_tool_batch\nexpect: { answer: {}, effects: { added_context: [] } }";
    let got = r#"[{"text":"be careful","middleware":"guard"}]"#;
    check_difference(effects, "effects.added_context", "[]", got);
}

#[test]
fn payloads_are_compared_by_value_and_to_the_last_digit() {
    let case = |arguments: &str| {
        format!(
            "config: {{ version: 1 }}\nhook: wrap_tool_call\nrequest: {{ call: {{ tool_call: {{ name: t, arguments: {{ id: 9007199254740993, of: [1.50, x] }} }} }} }}\nreplies: [{{}}]\nexpect: {{ next: [{{ call: {{ tool_call: {{ arguments: {arguments} }} }} }}] }}"
        )
    };
    check_passes(&case(
        "{ id: 9007199254740993, of: [1.5, { matches: x }], no: { absent: true } }",
    ));
    let path = "next[0].call.tool_call.arguments.id";
    check_difference(
        &case("{ id: 9007199254740992 }"),
        path,
        "9007199254740992",
        "9007199254740993",
    );
}

/// A call whose text the masking streams on, and the same with the turn held.
fn streamed(settings: &str, relay: &str) -> String {
    format!(
        r#"
config: {{ version: 1, builtin: {{ pii: {{ mode: mask, answers: true }} }}, middleware: [{settings}] }}
hook: wrap_model_call
request:
  call: {{ model: m, request: {{ messages: [{{ role: user, text: I am ada@example.com }}] }} }}
  streaming: true
replies:
  - {{ deltas: ["Hello ada@ex", {{ text: "ample.com, by" }}, "e"], response: {{ text: "Hello ada@example.com, bye" }} }}
expect:
  next: [{{ call: {{ model: m, request: {{ messages: [{{ text: "I am a***@****.com" }}] }} }}, relay: {relay} }}]
  answer: {{ response: {{ text: "Hello a***@****.com, bye" }} }}
  emitted: "Hello a***@****.com, bye"
"#
    )
}

#[test]
fn a_streamed_call_is_played_as_its_runtime_would_whatever_the_relay() {
    check_passes(&streamed("", "relayed"));
    let holds = "{ name: h, kind: rules, rules: [{ hook: after_model, then: { replace: { pattern: zzz, with: y } } }] }";
    check_passes(&streamed(holds, "held"));
    check_passes(
        r#"
config: { version: 1 }
hook: wrap
request: { request: { top_p: 0.5 }, streaming: true }
replies: [{ deltas: [He, y], result: { value: Hey } }]
expect: { next: [{ relay: direct, answer_needed: false }], answer: { value: Hey }, emitted: Hey }
"#,
    );
}

#[test]
fn a_real_call_may_fail_and_each_needs_its_reply() {
    let call =
        "config: { version: 1 }\nhook: wrap_tool_call\nrequest: { call: { tool_call: {} } }\n";
    let fails = "replies: [{ error: { type: timeout, message: slow } }]\nexpect: { failure: { type: timeout, middleware: '' } }";
    check_passes(&format!("{call}{fails}"));
    let trips =
        "replies: [{ tripwire: { reason: inner } }]\nexpect: { tripwire: { reason: inner } }";
    check_passes(&format!("{call}{trips}"));
    let unused = format!("{call}replies: [{{}}, {{}}]");
    check_difference(&unused, "replies", "2 real calls", "1 real call");
    let missing = format!("{call}expect: {{ failure: {{}} }}");
    check_difference(&missing, "replies", "0 real calls", "1 real call");
}
