//! `TextEncoder` and `TextDecoder` behave as the Encoding standard says.

use super::script::assert_values;

#[test]
fn text_becomes_utf_8() {
    assert_values(&[
        (
            "[...new TextEncoder().encode('aü€😀')]",
            "[97, 195, 188, 226, 130, 172, 240, 159, 152, 128]",
        ),
        ("[...new TextEncoder().encode('\\ud800x\\0')]", "[239, 191, 189, 120, 0]"),
        ("new TextEncoder().encode().length", "0"),
        ("new TextEncoder().encode(undefined).length", "0"),
        ("[...new TextEncoder().encode(1)]", "[49]"),
        ("new TextEncoder().encode('x') instanceof Uint8Array", "true"),
        ("new TextEncoder().encoding", r#""utf-8""#),
        ("thrown(() => TextEncoder())", r#""TypeError""#),
        ("thrown(() => TextEncoder.prototype.encode.call({}, 'x'))", r#""TypeError""#),
    ]);
}

#[test]
fn whole_characters_are_written_into_an_array() {
    assert_values(&[
        (
            "const a = new Uint8Array(4); [new TextEncoder().encodeInto('a€b', a), [...a]]",
            r#"[{ "read": 2, "written": 4 }, [97, 226, 130, 172]]"#,
        ),
        (
            "const a = new Uint8Array(3); [new TextEncoder().encodeInto('a€', a), [...a]]",
            r#"[{ "read": 1, "written": 1 }, [97, 0, 0]]"#,
        ),
        (
            "const a = new Uint8Array(4); new TextEncoder().encodeInto('😀x', a)",
            r#"{ "read": 2, "written": 4 }"#,
        ),
        (
            "const a = new Uint8Array(3); new TextEncoder().encodeInto('😀x', a)",
            r#"{ "read": 0, "written": 0 }"#,
        ),
        (
            "const a = new Uint8Array(4); new TextEncoder().encodeInto('\\ud800x', a)",
            r#"{ "read": 2, "written": 4 }"#,
        ),
        (
            "const a = new Uint8Array(8); new TextEncoder().encodeInto('x', a.subarray(3)); [...a]",
            "[0, 0, 0, 120, 0, 0, 0, 0]",
        ),
        ("thrown(() => new TextEncoder().encodeInto('x', new Uint16Array(1)))", r#""TypeError""#),
        ("thrown(() => new TextEncoder().encodeInto('x', []))", r#""TypeError""#),
    ]);
}

#[test]
fn utf_8_becomes_text() {
    assert_values(&[
        (
            "new TextDecoder().decode(new Uint8Array([97, 195, 188, 226, 130, 172, 240, 159, 152, 128, 0]))",
            r#""aü€😀\u0000""#,
        ),
        ("new TextDecoder().decode()", r#""""#),
        ("new TextDecoder().decode(new Uint8Array([104, 105]).buffer)", r#""hi""#),
        (
            "new TextDecoder().decode(new DataView(new Uint8Array([1, 104, 105, 1]).buffer, 1, 2))",
            r#""hi""#,
        ),
        ("new TextDecoder().decode(new Uint8Array([1, 104, 105, 1]).subarray(1, 3))", r#""hi""#),
        ("new TextDecoder().decode(new Uint16Array([0x6968]))", r#""hi""#),
        ("new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 97]))", r#""a""#),
        (
            "new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 97]))",
            r#""\ufeffa""#,
        ),
        ("new TextDecoder().decode(new Uint8Array([97, 0xef, 0xbb, 0xbf]))", r#""a\ufeff""#),
        ("thrown(() => new TextDecoder().decode('x'))", r#""TypeError""#),
        ("thrown(() => new TextDecoder().decode([1]))", r#""TypeError""#),
        ("thrown(() => new TextDecoder().decode(null))", r#""TypeError""#),
    ]);
}

#[test]
fn bytes_that_are_no_text_are_replaced_or_refused() {
    assert_values(&[
        ("new TextDecoder().decode(new Uint8Array([0xff, 97]))", r#""\ufffda""#),
        ("new TextDecoder().decode(new Uint8Array([0xe2, 0x82, 97]))", r#""\ufffda""#),
        ("new TextDecoder().decode(new Uint8Array([0xed, 0xa0, 0x80]))", r#""\ufffd\ufffd\ufffd""#),
        ("new TextDecoder().decode(new Uint8Array([0xf0, 0x9f]))", r#""\ufffd""#),
        (
            "thrown(() => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])))",
            r#""TypeError""#,
        ),
        (
            "thrown(() => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xe2, 0x82])))",
            r#""TypeError""#,
        ),
        (
            "const d = new TextDecoder('utf-8', { fatal: true }); [thrown(() => d.decode(new Uint8Array([0xff]))), d.decode(new Uint8Array([97]))]",
            r#"["TypeError", "a"]"#,
        ),
    ]);
}

#[test]
fn a_character_may_come_in_pieces() {
    assert_values(&[
        (
            "const d = new TextDecoder(); [0xe2, 0x82, 0xac].map((b) => d.decode(new Uint8Array([b]), { stream: true }))",
            r#"["", "", "€"]"#,
        ),
        (
            "const d = new TextDecoder(); [d.decode(new Uint8Array([97, 0xf0, 0x9f]), { stream: true }), d.decode(new Uint8Array([0x98, 0x80]))]",
            r#"["a", "😀"]"#,
        ),
        (
            "const d = new TextDecoder(); [d.decode(new Uint8Array([0xe2]), { stream: true }), d.decode(), d.decode(new Uint8Array([97]))]",
            r#"["", "\ufffd", "a"]"#,
        ),
        (
            "const d = new TextDecoder(); [d.decode(new Uint8Array([0xe2]), { stream: true }), d.decode(new Uint8Array([97]), { stream: true })]",
            r#"["", "\ufffda"]"#,
        ),
        (
            "const d = new TextDecoder(); [0xef, 0xbb, 0xbf, 97].map((b) => d.decode(new Uint8Array([b]), { stream: true })).join('|')",
            r#""|||a""#,
        ),
        (
            "const d = new TextDecoder(); const bom = new Uint8Array([0xef, 0xbb, 0xbf]); [d.decode(bom), d.decode(bom), d.decode(new Uint8Array([98]), { stream: true }), d.decode(bom)]",
            r#"["", "", "b", "\ufeff"]"#,
        ),
        (
            "const d = new TextDecoder('utf-8', { fatal: true }); [d.decode(new Uint8Array([0xe2]), { stream: true }), thrown(() => d.decode())]",
            r#"["", "TypeError"]"#,
        ),
    ]);
}

#[test]
fn only_utf_8_is_spoken() {
    assert_values(&[
        ("new TextDecoder(' UTF8\\n').encoding", r#""utf-8""#),
        ("new TextDecoder('unicode-1-1-utf-8').encoding", r#""utf-8""#),
        ("thrown(() => new TextDecoder('latin1'))", r#""RangeError""#),
        ("thrown(() => new TextDecoder('utf-16'))", r#""RangeError""#),
        ("thrown(() => new TextDecoder('__proto__'))", r#""RangeError""#),
        (
            "const d = new TextDecoder(undefined, { fatal: 1 }); [d.fatal, d.ignoreBOM]",
            "[true, false]",
        ),
    ]);
}

#[test]
fn base64_is_written_and_read_as_browsers_do() {
    assert_values(&[
        (
            "[btoa(''), btoa('a'), btoa('ab'), btoa('abc'), btoa('\\xff\\0')]",
            r#"["", "YQ==", "YWI=", "YWJj", "/wA="]"#,
        ),
        (
            "[atob(''), atob('YQ=='), atob('YQ'), atob(' Y W\\tJ\\n\\f\\rj ')]",
            r#"["", "a", "a", "abc"]"#,
        ),
        ("thrown(() => btoa('€'))", r#""InvalidCharacterError""#),
        (
            "['a', 'YQ=', '=', 'YW-j', 'Y===', 'YQ==='].map((text) => thrown(() => atob(text)))",
            r#"["InvalidCharacterError", "InvalidCharacterError", "InvalidCharacterError", "InvalidCharacterError", "InvalidCharacterError", "InvalidCharacterError"]"#,
        ),
        ("try { atob('a') } catch (e) { e instanceof DOMException }", "true"),
    ]);
}
