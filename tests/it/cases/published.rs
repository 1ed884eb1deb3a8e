//! What is published about cases: their schema, their documentation, the examples.

use super::streamed;
use crate::support::{sidehook_in, workspace};
use jsonschema::Validator;
use sidehook_server::config::Document;
use std::{
    fs,
    path::{Path, PathBuf},
};

#[test]
fn the_schema_for_editors_knows_cases_and_their_configuration() {
    let printed = sidehook_in(&workspace(), &["schema", "--cases"]);
    let schema = serde_json::from_slice(&printed.stdout).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let valid = |text: &str| validator.is_valid(Document::parse("f", text).unwrap().value());
    for text in case_files() {
        check_valid(&validator, &text);
    }
    check_valid(&validator, &streamed("", "relayed"));
    for wrong in [
        "hook: before_tol_call",
        "{ hook: start_run, replies: [] }",
        "{ hook: start_run, expect: { veto: {} } }",
        "{ hook: start_run, config: { version: 2 } }",
        "{ hook: before_tool_call, request: { tool_call: { nam: x } } }",
        "{ hook: start_run, steps: [{ hook: start_run }] }",
    ] {
        assert!(!valid(wrong), "{wrong}");
    }
}

#[track_caller]
fn check_valid(validator: &Validator, text: &str) {
    let document = Document::parse("f", text).unwrap();
    let errors = validator.iter_errors(document.value()).map(|error| error.to_string());
    assert_eq!(errors.collect::<Vec<_>>(), Vec::<String>::new());
}

/// The case files of the examples.
fn case_files() -> Vec<String> {
    let folders = files(&workspace().join("examples"));
    let files = folders.iter().filter(|folder| folder.is_dir()).flat_map(|folder| files(folder));
    let files = files.filter(|file| file.to_str().unwrap().ends_with(".case.yaml"));
    files.map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// What a folder holds.
fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn every_script_of_the_examples_has_cases() {
    let cases = case_files().concat();
    let untested = files(&workspace().join("examples/middleware")).into_iter().filter(|file| {
        let name = file.file_name().unwrap().to_str().unwrap();
        let is_script = name.ends_with(".ts") && !name.ends_with(".d.ts");
        is_script && !cases.contains(&format!("file: {name}"))
    });
    assert_eq!(untested.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

/// The fenced blocks of a language in a Markdown file.
fn blocks(file: &Path, language: &str) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let fence = format!("```{language}\n");
    let blocks = text.split(fence.as_str()).skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_documentation_prints_what_its_examples_print() {
    let page = workspace().join("docs/testing.md");
    let yaml = blocks(&page, "yaml");
    let name = |text: &str| text.lines().next().unwrap().trim_start_matches("# ").to_owned();
    let sessions = blocks(&page, "console");
    assert_eq!((yaml.len(), sessions.len()), (4, 3));
    let folder = tempfile::tempdir().unwrap();
    let mut written = yaml.iter();
    for (session, files) in sessions.iter().zip([2, 1, 1]) {
        for text in written.by_ref().take(files) {
            fs::write(folder.path().join(name(text)), text).unwrap();
        }
        let (command, expected) = session.split_once('\n').unwrap();
        let arguments: Vec<_> = command.split(' ').skip(2).collect();
        let output = sidehook_in(folder.path(), &arguments);
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{command}");
    }
}

#[test]
fn the_rules_that_are_documented_are_those_that_are_tested() {
    let documented = blocks(&workspace().join("docs/rules.md"), "yaml").remove(0);
    let tested = fs::read_to_string(workspace().join("examples/rules/sidehook.yaml")).unwrap();
    let value = |text: &str| Document::parse("f", text).unwrap().value().clone();
    assert_eq!(value(&tested)["middleware"], value(&documented));
}
