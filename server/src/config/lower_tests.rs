use super::*;
use crate::engine::OnFault;

#[track_caller]
fn refused(middleware: &str, expected: &str) {
    let text = format!("version: 1\nmiddleware:\n  - {middleware}\n");
    let problems = compile("test.yaml", &text).unwrap_err().to_string();
    assert!(problems.contains(expected), "{problems}");
}

fn names(text: &str, hook: HookId) -> Vec<String> {
    let compiled = compile("test.yaml", text).map_err(|problems| problems.to_string()).unwrap();
    compiled.chains.at(hook).iter().map(|link| link.name.to_string()).collect()
}

#[test]
fn the_embedded_default_compiles_and_guards_what_it_says() {
    let hooks = [
        (HookId::BeforeRun, vec!["prompt-injection"]),
        (HookId::BeforeToolCall, vec!["dangerous-commands"]),
        (HookId::WrapModelCall, vec!["secrets", "pii"]),
    ];
    for (hook, expected) in hooks {
        assert_eq!(names(EMBEDDED, hook), expected, "{hook}");
    }
}

#[test]
fn layers_stand_outermost_first_and_pii_is_the_innermost_around_a_call() {
    let text = "
version: 1
builtin: { pii: {} }
sets: { extra: [{ name: s, kind: rules, rules: [{ hook: [wrap_model_call, transform], then: { trip: x } }] }] }
agents: { support: { middleware: [{ name: a, kind: rules, rules: [{ hook: [wrap_model_call, transform], then: { trip: x } }] }] } }
middleware:
  - { name: masked, kind: pii }
  - { name: late, kind: rules, priority: 5, rules: [{ hook: [wrap_model_call, transform], then: { trip: x } }] }
  - { name: early, kind: rules, priority: -5, rules: [{ hook: [wrap_model_call, transform], then: { trip: x } }] }
hooks: [{ name: h, kind: rules, rules: [{ hook: [wrap_model_call, transform], then: { trip: x } }] }]
";
    assert_eq!(names(text, HookId::Transform), ["h", "early", "masked", "late", "a", "s", "pii"]);
    assert_eq!(
        names(text, HookId::WrapModelCall),
        ["h", "early", "late", "a", "s", "masked", "pii"]
    );
}

#[test]
fn block_where_nothing_can_be_refused_is_found_at_load() {
    refused(
        "{ name: a, kind: pii, on_fault: block }",
        "test.yaml:3:37: middleware[0].on_fault: `block` is not possible at wrap_model_call, wrap_tool_call, transform, where nothing can be refused",
    );
    refused(
        "{ name: a, kind: pii, on_fault: { transform: block } }",
        "`block` is not possible at transform",
    );
    let text = "version: 1\nmiddleware: [{ name: a, kind: pii, on_fault: { user_message_inbound: block } }]";
    let compiled = compile("test.yaml", text).unwrap();
    let link = &compiled.chains.links()[0];
    assert_eq!(link.on_fault.at(HookId::UserMessageInbound), OnFault::Block);
    assert_eq!(link.on_fault.at(HookId::WrapModelCall), OnFault::Fail);
}

#[test]
fn a_condition_is_checked_at_load() {
    refused(
        "{ name: a, kind: pii, when: 'iteration <' }",
        "middleware[0].when: is no CEL expression",
    );
    refused(
        "{ name: a, kind: pii, when: agent_nam == 'x' }",
        "no variable is named `agent_nam`; did you mean `agent_name`?",
    );
}

#[test]
fn only_hooks_are_hooks_that_the_middleware_listens_to() {
    refused(
        "{ name: a, kind: pii, only_hooks: [before_model] }",
        "it does nothing at `before_model`; its hooks are wrap_model_call, wrap_tool_call, transform",
    );
}

#[test]
fn a_file_that_cannot_be_opened_is_named() {
    refused(
        "{ name: a, kind: audit, file: /no/such/folder/audit.jsonl }",
        "middleware[0].file: cannot open `/no/such/folder/audit.jsonl`",
    );
}

#[test]
fn problems_of_different_stages_are_shown_together() {
    let text = "
version: 1
middleware:
  - { name: a, kind: pii, when: 'x ==' }
  - { name: b, kind: pii, on_fault: block }
  - { name: c, kind: rules, rules: [{ hook: before_run, then: { veto: x } }] }
";
    let problems = compile("test.yaml", text).unwrap_err();
    assert_eq!(problems.iter().map(|it| it.line()).collect::<Vec<_>>(), [4, 5, 6]);
}

#[test]
fn the_same_text_has_the_same_digest() {
    let hash = |text| compile("test.yaml", text).unwrap().hash;
    assert_eq!(hash("version: 1"), hash("version: 1"));
    assert_ne!(hash("version: 1"), hash("version: 1 "));
}

#[test]
fn the_digest_covers_what_the_middleware_read() {
    let of = |contents: &[&str]| {
        let mut sources = Sources::default();
        contents.iter().for_each(|content| sources.add_digest(*content));
        digest("version: 1", &sources)
    };
    assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
    for other in [&["a"][..], &["a", "c"], &["b", "a"], &["ab", ""], &[]] {
        assert_ne!(of(&["a", "b"]), of(other), "{other:?}");
    }
}
