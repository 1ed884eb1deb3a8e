//! What is said about files that are wrong.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::{Program, read::MAX_FILE_BYTES};
use super::folder::{Folder, problems, shown};

#[test]
fn all_problems_of_all_files_are_reported_at_once() {
    let folder = Folder::of(&[
        (
            "a.ts",
            "import _ from 'lodash';\nimport { b } from './b';\nconst twice = _, twice = b;\nimport './gone';\n",
        ),
        ("b.ts", "export const b = ;\n"),
    ]);
    let said = folder.problems("a.ts");
    let starts = [
        "a.ts:1:15: `lodash`",
        "a.ts:3:18: Identifier `twice`",
        "a.ts:4:8: `./gone`",
        "b.ts:1:18: ",
    ];
    assert_eq!(said.len(), starts.len(), "{said:#?}");
    for (said, start) in said.iter().zip(starts) {
        assert!(said.starts_with(start), "{said} does not start with {start}");
    }
}

#[test]
fn a_problem_has_the_line_and_the_compilers_help() {
    let folder = Folder::of(&[("a.ts", "// é😀\nconst a = '😀' + ;")]);
    let found = folder.try_load("a.ts").unwrap_err();
    let problem = &found[0];
    assert_eq!((problem.line, problem.column), (2, 18), "{problem}");
    assert_eq!(problem.excerpt.as_deref(), Some("const a = '😀' + ;"));
    let said = problems("a.ts", "let a = 1;\nlet a = 2;");
    assert!(said[0].starts_with("a.ts:2:5: ") && said[0].contains("(1:5)"), "{said:?}");
}

#[test]
fn a_missing_file_is_reported_with_names_that_are_like_it() {
    let folder = Folder::of(&[
        ("guards/a.ts", "import { k } from '../shared/kyes';\nk();"),
        ("shared/keys.ts", "export const k = 1;"),
        ("shared/limits.json", "{}"),
    ]);
    let said = folder.problems("guards/a.ts");
    let expected =
        "guards/a.ts:1:19: `../shared/kyes` is not found; did you mean `../shared/keys`?";
    assert_eq!(said, [expected]);
}

#[test]
fn an_import_stays_in_the_root() {
    let folder = Folder::of(&[("outside.ts", "export {};")]);
    folder.write("root/a.ts", "import '../outside';\nimport './link';\nimport '../root/a';\n");
    std::os::unix::fs::symlink("../outside.ts", folder.path().join("root/link.ts")).unwrap();
    let root = folder.path().join("root");
    let mut watched = BTreeSet::new();
    let said =
        shown(&Program::load(&root.join("a.ts"), &root, &folder.path(), &mut watched).unwrap_err());
    let reason = "cannot be imported: it is outside of the folder that imports must stay in";
    let expected = [
        format!("root/a.ts:1:8: `../outside` {reason}"),
        format!("root/a.ts:2:8: `./link` {reason}"),
    ];
    assert_eq!(said, expected);
}

#[test]
fn the_file_system_of_node_is_not_there() {
    for text in [
        "import fs from 'node:fs';\nfs;",
        "import * as fs from 'fs';\nfs;",
        "export * from 'fs/promises';",
        "const fs = await import('fs');",
    ] {
        let said = problems("a.ts", text);
        assert!(said.len() == 1 && said[0].contains("no file system"), "{said:?}");
        assert!(said[0].contains("`@cogitator-ai/core`"), "{said:?}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_reported_as_itself() {
    let folder = Folder::of(&[
        ("a.ts", "import './big'; import './bytes'; import './data.json'; import './text.txt';"),
        ("data.json", "{,}"),
        ("text.txt", ""),
    ]);
    folder.write("big.ts", " ".repeat(usize::try_from(MAX_FILE_BYTES).unwrap() + 1));
    folder.write("bytes.ts", b"// \xc3\xa9\nlet \xff = 1;");
    let said = folder.problems("a.ts");
    let starts = [
        "a.ts:1:64: `text.txt` is not a script; ",
        "big.ts:1:1: the file is larger than 1 MiB; ",
        "bytes.ts:2:5: the file is not UTF-8",
        "data.json:1:2: not JSON: key must be a string",
    ];
    assert_eq!(said.len(), starts.len(), "{said:#?}");
    for (said, start) in said.iter().zip(starts) {
        assert!(said.starts_with(start), "{said} does not start with {start}");
    }
}

#[test]
fn the_largest_file_is_read() {
    let folder = Folder::of(&[]);
    folder.write("a.ts", " ".repeat(usize::try_from(MAX_FILE_BYTES).unwrap()));
    folder.load("a.ts");
}

#[test]
fn an_entry_that_is_no_script_is_refused() {
    let folder = Folder::of(&[("a.json", "{}"), ("types.d.ts", ""), ("b.ts/c.ts", "")]);
    assert_eq!(folder.problems("gone.ts"), ["gone.ts:1:1: there is no such file"]);
    assert_eq!(folder.problems("b.ts"), ["b.ts:1:1: this is a folder, not a file"]);
    let said = folder.problems("a.json");
    assert_eq!(said, ["a.json:1:1: a script is written in TypeScript or JavaScript"]);
    assert!(folder.problems("types.d.ts")[0].contains("types only"));
}

#[test]
fn names_are_relative_to_the_base_even_through_a_link() {
    let folder = Folder::of(&[("real/guards/a.ts", "import './gone';")]);
    std::os::unix::fs::symlink("real", folder.path().join("link")).unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut watched = BTreeSet::new();
    for (entry, root, base) in [
        ("link/guards/a.ts", "real/guards", "real"),
        ("real/guards/a.ts", "link/guards", "link"),
        ("link/guards/a.ts", "link", "link"),
    ] {
        let found =
            Program::load(&path(entry), &path(root), &path(base), &mut watched).unwrap_err();
        assert_eq!(shown(&found), ["guards/a.ts:1:8: `./gone` is not found"], "{entry}");
    }
    let elsewhere = Path::new("/nowhere");
    let found = Program::load(&path("real/guards/a.ts"), &path("real"), elsewhere, &mut watched)
        .unwrap_err();
    assert_eq!(found[0].file, path("real/guards/a.ts").display().to_string());
}

#[test]
fn a_file_that_is_nested_too_deeply_is_refused() {
    for (open, close) in [("(", ")"), ("[", "]"), ("() => {", "}"), ("`${", "}`"), ("{ a: ", "}")] {
        let nested = |levels| format!("let a = {}1{};", open.repeat(levels), close.repeat(levels));
        Folder::of(&[("a.ts", &nested(900))]).load("a.ts");
        let said = problems("a.ts", &nested(3000));
        assert!(said[0].contains("nested deeper than 2000 levels"), "{said:?}");
        let said = problems("a.ts", &open.repeat(100_000));
        assert!(said[0].contains("nested deeper than 2000 levels"), "{said:?}");
    }
}

#[test]
fn what_is_nested_without_brackets_is_compiled_whatever_its_length() {
    for (level, end) in [
        ("!", "1"),
        ("- ", "1"),
        ("1+", "1"),
        ("a=>", "1"),
        ("b=", "1"),
        ("new ", "b"),
        ("b.", "c"),
    ] {
        let text = format!("let b, a = {}{end};", level.repeat(50_000));
        Folder::of(&[("a.ts", &text)]).load("a.ts");
    }
}

#[test]
fn not_every_one_of_very_many_problems_is_reported() {
    let text = "let a; import './gone'; ".repeat(20_000);
    let said = problems("a.ts", &text);
    assert!((2..=200).contains(&said.len()), "{}", said.len());
}
