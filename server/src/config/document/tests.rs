//! Reading YAML: what it becomes, where it stands, and what is refused.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn values_become_json() {
    let cases = [
        ("", json!({})),
        ("# only a comment\n", json!({})),
        ("---\n...\n", json!({})),
        ("a: 1\nb: [x, 'y', \"z\"]", json!({"a": 1, "b": ["x", "y", "z"]})),
        ("a: yes\nb: off\nc: true", json!({"a": "yes", "b": "off", "c": true})),
        ("a: '1'\nb: !!str 1\nc: !!int 1", json!({"a": "1", "b": "1", "c": 1})),
        ("a:\nb: ~", json!({"a": null, "b": null})),
        ("a: |\n  x\n  y\nb: >\n  x\n  y\n", json!({"a": "x\ny\n", "b": "x y\n"})),
        ("1: a\ntrue: b\n'': c", json!({"1": "a", "true": "b", "": "c"})),
        ("a: ${HOME}", json!({"a": "${HOME}"})),
        ("\u{feff}a: 1\r\nb: 2\r\n", json!({"a": 1, "b": 2})),
        ("- 1\n-\n  - 2", json!([1, [2]])),
    ];
    for (text, value) in cases {
        assert_eq!(parse(text).value(), &value, "{text:?}");
    }
}

#[test]
fn aliases_and_merge_keys_are_followed() {
    let cases = [
        ("a: &x {k: 1}\nb: *x", json!({"a": {"k": 1}, "b": {"k": 1}})),
        (
            "a: &x {k: 1, l: 2}\nb: {<<: *x, k: 3}",
            json!({"a": {"k": 1, "l": 2}, "b": {"k": 3, "l": 2}}),
        ),
        ("a: {<<: [{k: 1}, {k: 2, l: 3}]}", json!({"a": {"k": 1, "l": 3}})),
        ("a: {'<<': 1}", json!({"a": {"<<": 1}})),
        ("&k a: 1\n*k : 2", json!({"a": 1})),
    ];
    for (text, value) in cases {
        assert_eq!(parse(text).value(), &value, "{text:?}");
    }
}

#[test]
fn every_value_and_key_has_a_place() {
    let text = "runs:\n  pin: true\n\nmiddleware:\n  - name: a\n    only_hooks: [start_run, 'é', after_run]\n  - &x\n    name: b\n  - *x\n  - timeout:\n";
    let document = parse(text);
    let middleware = Path::root().key("middleware");
    let hooks = middleware.index(0).key("only_hooks");
    let cases = [
        (Path::root(), (1, 1), (1, 1)),
        (Path::root().key("runs").key("pin"), (2, 3), (2, 8)),
        (middleware.clone(), (4, 1), (5, 3)),
        (middleware.index(0), (5, 5), (5, 5)),
        (hooks.clone(), (6, 5), (6, 17)),
        (hooks.index(2), (6, 34), (6, 34)),
        (middleware.index(2).key("name"), (8, 5), (8, 11)),
        (middleware.index(3).key("timeout"), (10, 5), (10, 5)),
        (middleware.index(0).key("absent"), (5, 5), (5, 5)),
        (middleware.index(9).key("absent"), (4, 1), (5, 3)),
    ];
    for (path, key, value) in cases {
        let (key_place, place) = (document.key_place(&path), document.place(&path));
        assert_eq!((key_place.line, key_place.column), key, "key of {path}");
        assert_eq!((place.line, place.column), value, "value of {path}");
    }
}

#[test]
fn problems_that_hide_nothing_are_collected() {
    check(
        "a: 1\nb:\n  c: 1\n  c: 2\na: 3",
        &[
            "f:4:3: b.c: duplicate key, which is also on line 3; remove one of the two",
            "f:5:1: a: duplicate key, which is also on line 1; remove one of the two",
        ],
    );
    check("? [a, b]\n: 1\n", &["f:1:3: a key must be a text"]);
    check(
        "a: !env HOME\nb: !x {c: 1}",
        &[
            "f:1:4: a: unknown tag `!env`; remove the tag",
            "f:2:4: b: unknown tag `!x`; remove the tag",
        ],
    );
    check(
        "a: {<<: 1}",
        &[
            "f:1:9: a[\"<<\"]: a merge key takes a mapping or a list of mappings; write `<<: *anchor`",
        ],
    );
}

#[test]
fn what_is_not_one_bearable_document_is_refused() {
    check(
        "a: 1\n---\nb: 2",
        &[
            "f:2:1: a second document starts here; a configuration is one document; remove the `---`",
        ],
    );
    check("a: &x [*x]", &["f:1:8: the alias stands inside its own anchor"]);
    check(
        "a: [1, 2\n",
        &["f:2:1: not valid YAML: while parsing a flow sequence, expected ',' or ']'"],
    );
    check(&"[".repeat(10_000), &["f:1:256: not valid YAML: recursion limit exceeded"]);
    check(&"- ".repeat(10_000), &["f:1:129: nested more than 64 levels deep"]);
    check(&"{a: ".repeat(10_000), &["f:1:1021: not valid YAML: recursion limit exceeded"]);
    check(&"a".repeat(MAX_BYTES + 1), &["f:1:1: the file is longer than 1048576 bytes"]);
}

#[test]
fn nested_aliases_cannot_fill_the_memory() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..20 {
        let before = format!("*a{}", level - 1);
        text += &format!("a{level}: &a{level} [{}]\n", vec![before; 10].join(", "));
    }
    check(
        &text,
        &["f:5:58: the document has more than 100000 values, counting what aliases repeat"],
    );
}

#[test]
fn merge_keys_cannot_fill_the_memory() {
    let keys: Vec<_> = (0..1000).map(|key| format!("k{key}: 1")).collect();
    let merges = "- <<: *base\n".repeat(10_000);
    let text = format!("- &base {{{}}}\n{merges}", keys.join(", "));
    check(
        &text,
        &["f:99:1: the document has more than 100000 values, counting what aliases repeat"],
    );
}

proptest! {
    #[test]
    fn no_text_panics(text in r##"[ \n\t\-:\[\]{}?&*!|>'"#,a-c0<%@`~.\\x]{0,80}"##) {
        let _ = Document::parse("f", &text);
    }

    #[test]
    fn no_characters_panic(text in "\\PC{0,200}") {
        let _ = Document::parse("f", &text);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Document::parse("f", &String::from_utf8_lossy(&bytes));
    }
}

fn parse(text: &str) -> Document {
    Document::parse("f", text).unwrap()
}

/// Compares what is wrong with `text`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let problems = match Document::parse("f", text) {
        Ok(document) => document.problems().to_vec(),
        Err(problems) => problems.iter().cloned().collect(),
    };
    let shown: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(shown, expected);
}
