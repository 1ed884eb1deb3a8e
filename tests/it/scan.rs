//! `sidehook scan`: what the guards find in files, and what becomes of those.

use crate::support::{binary, sidehook_in};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

/// A secret, put together here so that no scanner takes it for a leak.
fn token() -> String {
    format!("gh{}A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "p_")
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    fs::write(folder.join(name), text).unwrap();
}

fn scan(folder: &Path, arguments: &[&str]) -> Output {
    sidehook_in(folder, &[&["scan"], arguments].concat())
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn findings_have_a_place_and_a_kind_and_are_counted_but_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("Hello\nwrite to ada@example.com\nor use {} é bob@example.com\n", token());
    write(folder.path(), "a.txt", &text);
    let output = scan(folder.path(), &["a.txt"]);
    let lines = "a.txt:2:10: pii: email\na.txt:3:8: secrets: github\na.txt:3:51: pii: email\n";
    assert_eq!(out(&output), lines);
    let summary = "3 found in 1 of 1 files\n\
                   count  guard    kind\n\
                   2      pii      email\n\
                   1      secrets  github\n";
    assert_eq!(error(&output), summary);
    assert_eq!(output.status.code(), Some(1));
    let shown = scan(folder.path(), &["--show", "--only", "pii", "--exit-zero", "a.txt"]);
    assert!(out(&shown).starts_with("a.txt:2:10: pii: email: \"ada@example.com\"\n"), "{shown:?}");
    assert_eq!(shown.status.code(), Some(0));
}

#[test]
fn a_folder_is_searched_as_git_sees_it_and_what_is_no_text_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("logs/.git")).unwrap();
    write(folder.path(), "logs/.gitignore", "ignored.txt\n");
    for name in ["b.txt", "a.txt", "ignored.txt"] {
        write(folder.path(), &format!("logs/{name}"), "ada@example.com");
    }
    write(folder.path(), "logs/image.png", b"\x89PNG\0ada@example.com");
    let output = scan(folder.path(), &["--format", "json", "logs"]);
    let said: Value = serde_json::from_str(&out(&output)).unwrap();
    let files = said["findings"].as_array().unwrap().iter().map(|it| it["file"].clone());
    assert_eq!(files.collect::<Vec<_>>(), ["logs/a.txt", "logs/b.txt"]);
    assert_eq!(said["passed_over"], json!(["logs/image.png"]));
    assert_eq!(said["counts"], json!([{ "guard": "pii", "kind": "email", "count": 2 }]));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn masked_json_stays_json_and_names_of_members_count() {
    let folder = tempfile::tempdir().unwrap();
    let line = json!({ "id": 9_007_199_254_740_993_u64, "password": "k7Rw2#pqLm9v", "to": "ada@example.com" });
    write(folder.path(), "a.jsonl", format!("{line}\n{{ \"n\":  1e400 }}\nno JSON\n"));
    let listed = scan(folder.path(), &["a.jsonl"]);
    assert_eq!(out(&listed), "a.jsonl:1:36: secrets: password\na.jsonl:1:56: pii: email\n");
    let masked = scan(folder.path(), &["--mask", "a.jsonl"]);
    let expected = "{\"id\":9007199254740993,\"password\":\"[REDACTED_SECRET]\",\"to\":\"a***@****.com\"}\n\
                    { \"n\":  1e400 }\nno JSON\n";
    assert_eq!(out(&masked), expected);
    assert_eq!(masked.status.code(), Some(0));
}

#[test]
fn a_file_is_masked_where_it_is_and_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", "to ada@example.com");
    write(folder.path(), "b.txt", "to nobody");
    let file = folder.path().join("a.txt");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let output = scan(folder.path(), &["--mask", "--in-place", "a.txt", "b.txt"]);
    assert_eq!((out(&output), output.status.code()), (String::new(), Some(0)));
    assert_eq!(fs::read_to_string(&file).unwrap(), "to a***@****.com");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_pipe_is_masked_by_the_guards_of_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let config = "version: 1\nbuiltin:\n  pii: { mode: token, detect: [email], \
                  custom: [{ name: ticket, pattern: '\\bT-\\d{4}\\b' }] }\n";
    write(folder.path(), "sidehook.yaml", config);
    let mut child = Command::new(binary())
        .args(["scan", "--mask", "--config", "sidehook.yaml"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = "T-1234: ada@example.com wrote\nT-1235: bob@example.com and ada@example.com\n";
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let masked = "<TICKET_1>: <EMAIL_1> wrote\n<TICKET_2>: <EMAIL_2> and <EMAIL_1>\n";
    assert_eq!(out(&output), masked);
}

#[test]
fn what_cannot_be_done_is_said_and_exits_with_2() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", "a");
    write(folder.path(), "b.txt", "b");
    write(folder.path(), "audit.yaml", "version: 1\nmiddleware: [{ name: a, kind: audit }]\n");
    for (arguments, says) in [
        (&["gone.txt"][..], "cannot read `gone.txt`: "),
        (&["--only", "nobody", "a.txt"], "there is no guard `nobody`; there are "),
        (&["--config", "audit.yaml", "a.txt"], "has no guard that finds things in texts"),
        (&["--mask", "a.txt", "b.txt"], "several files cannot be printed as one"),
        (&["--in-place", "a.txt"], "--mask"),
    ] {
        let output = scan(folder.path(), arguments);
        assert!(error(&output).contains(says), "{arguments:?}: {output:?}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}
