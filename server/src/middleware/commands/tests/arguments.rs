use crate::middleware::commands::{
    Checker, CommandsConfig, Rewrite,
    tool::{findings, safer},
};
use serde_json::{Map, Value, json};

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[track_caller]
fn check(arguments: &Value, names: &[&str], expected: bool) {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    let found = findings(&object(arguments), &names, &Checker::default());
    assert_eq!(!found.is_empty(), expected, "{arguments}");
}

#[test]
fn the_usual_arguments_hold_commands() {
    let names = CommandsConfig::default().arguments;
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    for name in ["command", "cmd", "script"] {
        check(&json!({ name: "rm -rf /" }), &names, true);
    }
    check(&json!({ "text": "rm -rf /" }), &names, false);
    check(&json!({ "command": 7, "cmd": null, "script": {} }), &names, false);
}

#[test]
fn a_list_is_a_program_with_its_arguments_or_several_commands() {
    check(&json!({ "command": ["rm", "-rf", "/"] }), &["command"], true);
    check(&json!({ "command": ["bash", "-c", "rm -rf /"] }), &["command"], true);
    check(&json!({ "command": ["git", "commit", "-m", "rm -rf /"] }), &["command"], false);
    check(&json!({ "command": ["echo", "a; rm -rf /"] }), &["command"], false);
    check(&json!({ "commands": ["ls -la", "rm -rf /"] }), &["commands"], true);
    check(&json!({ "command": "rm", "args": ["-rf", "/"] }), &["command"], true);
}

#[test]
fn a_dot_leads_into_an_object() {
    check(&json!({ "input": { "command": "rm -rf /" } }), &["input.command"], true);
    check(&json!({ "input": "rm -rf /" }), &["input.command"], false);
}

#[test]
fn a_rewrite_changes_only_its_argument() {
    let rewrite = Rewrite { command: "apt-get install".into(), with: "apt-get install -y".into() };
    let arguments = json!({ "id": 9007199254740993_u64, "command": "apt-get install jq" });
    let new = safer(&object(&arguments), &["command".into()], &[rewrite]).unwrap();
    let expected = json!({ "id": 9007199254740993_u64, "command": "apt-get install -y jq" });
    assert_eq!(Value::Object(new), expected);
}
