//! What the subcommands print, and what they exit with.

use crate::support::sidehook;
use sidehook_server::config::{Document, EMBEDDED};
use std::process::Output;

/// Runs `sidehook`, which must succeed, and returns what it prints.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = sidehook(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs `sidehook` with a configuration file, as the last argument.
fn with_file(arguments: &[&str], yaml: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sidehook.yaml");
    std::fs::write(&file, yaml).unwrap();
    sidehook(&[arguments, &[file.to_str().unwrap()]].concat())
}

/// Checks what a bundled run of the demo shows and what it must not.
#[track_caller]
fn check_demo(run: &str, shows: &[&str], hides: &[&str]) {
    let text = printed(&["demo", run]);
    for text_shown in shows {
        assert!(text.contains(text_shown), "{text_shown} is not in:\n{text}");
    }
    // The input itself is printed as the person wrote it.
    let seen = text.lines().filter(|line| !line.starts_with("  user: ")).collect::<Vec<_>>();
    for hidden in hides {
        assert!(!seen.iter().any(|line| line.contains(hidden)), "{hidden} is in:\n{text}");
    }
}

#[test]
fn the_demo_masks_personal_data_before_the_model_reads_it() {
    let shows = [
        "the model reads: Where is my order? I am a***@****.com",
        "9007199254740993",
        "pii [pii] answered (call)",
        "run order-status: completed",
    ];
    check_demo(
        "order-status",
        &shows,
        &["the model reads: Where is my order? I am ada", "\"contact\": \"ada@"],
    );
}

#[test]
fn the_demo_refuses_a_command_that_destroys_the_machine() {
    let shows = [
        "denies `shell`: The command would destroy the machine",
        "shell gets: {\"command\": \"rm -rf /var/cache/apt\"}",
        "1 tool calls refused",
    ];
    check_demo("clean-up", &shows, &["gets: {\"command\": \"rm -rf / "]);
}

#[test]
fn the_demo_stops_a_run_that_is_taken_over() {
    let shows = ["run take-over: tripped by prompt-injection"];
    check_demo("take-over", &shows, &["the model reads"]);
}

#[test]
fn the_demo_lists_its_runs_and_names_them_when_one_is_wrong() {
    assert_eq!(printed(&["demo", "--list"]), "order-status\nclean-up\ntake-over\n");
    let output = sidehook(&["demo", "nothing"]);
    assert_eq!(output.status.code(), Some(64));
    assert!(String::from_utf8_lossy(&output.stderr).contains("order-status, clean-up, take-over"));
}

#[test]
fn check_prints_the_chain_of_each_hook() {
    let text = printed(&["check"]);
    let chain = "before_tool_call (strictest)\n  dangerous-commands (commands): on fault fail\n";
    assert!(text.contains(chain), "{text}");
    let model = text.split("wrap_model_call (onion)\n").nth(1).unwrap();
    assert!(model.find("secrets").unwrap() < model.find("pii").unwrap(), "{text}");
    assert!(text.ends_with("\nThe configuration is valid.\n"));
    let none = with_file(&["check"], "version: 1\n");
    assert!(String::from_utf8_lossy(&none.stdout).starts_with("no middleware: "));
}

#[test]
fn check_prints_every_problem_with_its_place() {
    let yaml = "version: 1\nmiddlewares: []\nlimits: { timeout: 5 }\nlisten: { grpc: [] }\n";
    let output = with_file(&["check"], yaml);
    assert_eq!(output.status.code(), Some(64));
    let text = String::from_utf8(output.stderr).unwrap();
    for problem in [":2:1: middlewares: ", ":3:20: limits.timeout: ", ":4:17: listen.grpc: "] {
        assert!(text.contains(problem), "{problem} is not in:\n{text}");
    }
    assert!(text.ends_with("3 problems in the configuration\n"), "{text}");
}

#[test]
fn check_refuses_a_file_that_is_not_there() {
    let output = sidehook(&["check", "/nothing/here.yaml"]);
    assert_eq!(output.status.code(), Some(64));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read `/nothing/here.yaml`"));
}

#[test]
fn the_schema_accepts_the_embedded_default_and_refuses_an_unknown_key() {
    let schema = serde_json::from_str(&printed(&["schema"])).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let embedded = Document::parse("embedded", EMBEDDED).unwrap();
    let errors: Vec<_> =
        validator.iter_errors(embedded.value()).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
    for wrong in [r#"{"version": 1, "x": 1}"#, "{}", r#"{"version": 2}"#] {
        assert!(!validator.is_valid(&serde_json::from_str(wrong).unwrap()), "{wrong}");
    }
}

#[test]
fn the_hooks_are_a_table_of_35_rows() {
    let text = printed(&["hooks"]);
    assert_eq!(text.lines().count(), 1 + 35);
    let row = |hook| {
        let row = text.lines().find(|line| line.starts_with(hook)).unwrap();
        row.split_whitespace().collect::<Vec<_>>()
    };
    let expected = ["after_model", "RunHooks/AfterModel", "rewrite,", "reverse", "-", "fail", "-"];
    assert_eq!(row("after_model "), expected);
    let expected =
        ["cron_job_firing", "PlatformHooks/CronJobFiring", "rewrite", "yes", "skip", "yes"];
    assert_eq!(row("cron_job_firing "), expected);
}

#[test]
fn help_gives_examples_and_every_subcommand_has_some() {
    let help = printed(&["--help"]);
    assert!(help.contains("Examples:\n  sidehook "), "{help}");
    for subcommand in ["serve", "check", "schema", "hooks", "test", "demo", "health"] {
        assert!(help.contains(&format!("\n  {subcommand} ")), "{help}");
        assert!(printed(&[subcommand, "--help"]).contains("Usage: sidehook "));
    }
    assert!(printed(&["--version"]).starts_with("sidehook "));
}

#[test]
fn a_wrong_address_is_refused_before_anything_is_asked() {
    for arguments in [["health", "--address", "http://"], ["health", "--timeout", "-1"]] {
        let code = sidehook(&arguments).status.code().unwrap();
        assert!(code != 0, "{arguments:?}");
    }
}
