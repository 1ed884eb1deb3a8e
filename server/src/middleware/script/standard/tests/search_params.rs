//! `URLSearchParams` behaves as the URL standard says.

use super::script::assert_values;

#[test]
fn parameters_come_from_a_text_an_object_pairs_or_others() {
    assert_values(&[
        ("`${new URLSearchParams()}`", r#""""#),
        ("[...new URLSearchParams('?a=1&b=2&a=3')]", r#"[["a", "1"], ["b", "2"], ["a", "3"]]"#),
        ("[...new URLSearchParams('??a')]", r#"[["?a", ""]]"#),
        ("[...new URLSearchParams('a=b=c&&d&=e')]", r#"[["a", "b=c"], ["d", ""], ["", "e"]]"#),
        ("[...new URLSearchParams('a+b=%20%2B%zz%ff')]", r#"[["a b", " +%zz\ufffd"]]"#),
        ("[...new URLSearchParams({ a: 1, b: null })]", r#"[["a", "1"], ["b", "null"]]"#),
        ("[...new URLSearchParams([['a', 1], new Set(['b', 2])])]", r#"[["a", "1"], ["b", "2"]]"#),
        ("[...new URLSearchParams(new Map([['a', 'b']]))]", r#"[["a", "b"]]"#),
        ("[...new URLSearchParams(new URLSearchParams('a=1&a=2'))]", r#"[["a", "1"], ["a", "2"]]"#),
        ("`${new URLSearchParams(null)}`", r#""null=""#),
        ("`${new URLSearchParams(undefined)}`", r#""""#),
        ("`${new URLSearchParams(5)}`", r#""5=""#),
    ]);
}

#[test]
fn what_are_no_parameters_is_a_type_error() {
    assert_values(&[
        ("thrown(() => new URLSearchParams([['a']]))", r#""TypeError""#),
        ("thrown(() => new URLSearchParams([['a', 'b', 'c']]))", r#""TypeError""#),
        ("thrown(() => new URLSearchParams([1]))", r#""TypeError""#),
        ("thrown(() => new URLSearchParams([null]))", r#""TypeError""#),
        ("thrown(() => new URLSearchParams({ [Symbol.iterator]: 1 }))", r#""TypeError""#),
        ("thrown(() => new URLSearchParams({ [Symbol()]: 1 }))", r#""TypeError""#),
        ("thrown(() => URLSearchParams())", r#""TypeError""#),
        ("thrown(() => new URLSearchParams().append('a'))", r#""TypeError""#),
        ("thrown(() => new URLSearchParams().get())", r#""TypeError""#),
        ("thrown(() => new URLSearchParams().forEach(1))", r#""TypeError""#),
        ("thrown(() => URLSearchParams.prototype.get.call({}, 'a'))", r#""TypeError""#),
        ("thrown(() => URLSearchParams.prototype.entries.call({}))", r#""TypeError""#),
    ]);
}

#[test]
fn parameters_are_read_by_name_and_value() {
    assert_values(&[
        ("new URLSearchParams('a=1&a=2').get('a')", r#""1""#),
        ("new URLSearchParams('a=1').get('b')", "null"),
        ("new URLSearchParams('a=1&b=2&a=3').getAll('a')", r#"["1", "3"]"#),
        ("new URLSearchParams('a=1').getAll('b')", "[]"),
        (
            "const p = new URLSearchParams('a=1'); [p.has('a'), p.has('b'), p.has('a', '1'), p.has('a', 2), p.has('a', undefined)]",
            "[true, false, true, false, true]",
        ),
        ("new URLSearchParams('a=1&a=2').size", "2"),
        ("new URLSearchParams('a=%F0%9F%98%80').get('a')", r#""😀""#),
    ]);
}

#[test]
fn parameters_are_changed_in_their_order() {
    assert_values(&[
        ("const p = new URLSearchParams('a=1&b=2&a=3'); p.set('a', 4); `${p}`", r#""a=4&b=2""#),
        ("const p = new URLSearchParams('a=1'); p.set('b', 2); `${p}`", r#""a=1&b=2""#),
        ("const p = new URLSearchParams('a=1&b=2&a=3'); p.delete('a'); `${p}`", r#""b=2""#),
        ("const p = new URLSearchParams('a=1&b=2&a=3'); p.delete('a', 3); `${p}`", r#""a=1&b=2""#),
        ("const p = new URLSearchParams('a=1'); p.append('a', 2); `${p}`", r#""a=1&a=2""#),
        (
            "const p = new URLSearchParams('z=b&a=b&z=a&a=a'); p.sort(); `${p}`",
            r#""a=b&a=a&z=b&z=a""#,
        ),
        (
            "const p = new URLSearchParams([['\\uffff', 1], ['\\u{1f600}', 2]]); p.sort(); [...p.values()]",
            r#"["2", "1"]"#,
        ),
    ]);
}

#[test]
fn parameters_are_written_as_forms_are() {
    assert_values(&[
        ("`${new URLSearchParams([['a b', 'ü&=+']])}`", r#""a+b=%C3%BC%26%3D%2B""#),
        ("`${new URLSearchParams([['*-._~', '\\'']])}`", r#""*-._%7E=%27""#),
        ("`${new URLSearchParams([['\\ud800', '']])}`", r#""%EF%BF%BD=""#),
        ("`${new URLSearchParams([['\\0', '\\0']])}`", r#""%00=%00""#),
    ]);
}

#[test]
fn parameters_are_iterated_as_they_are_now() {
    assert_values(&[
        (
            "const p = new URLSearchParams('a=1&b=2'); [[...p.keys()], [...p.values()], [...p.entries()]]",
            r#"[["a", "b"], ["1", "2"], [["a", "1"], ["b", "2"]]]"#,
        ),
        (
            "const p = new URLSearchParams('a=1&b=2'); const seen = []; for (const [k] of p) { seen.push(k); p.delete('b') }; seen",
            r#"["a"]"#,
        ),
        (
            "const p = new URLSearchParams('a=1'); const seen = []; p.forEach(function (v, k, all) { seen.push(k, v, all === p, this.x) }, { x: 3 }); seen",
            r#"["a", "1", true, 3]"#,
        ),
        (
            "URLSearchParams.prototype.entries === URLSearchParams.prototype[Symbol.iterator]",
            "true",
        ),
    ]);
}
