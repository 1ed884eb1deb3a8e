//! structuredClone behaves as the HTML standard says.

use super::script::{Script, assert_values};

#[test]
fn a_value_without_parts_is_its_own_clone() {
    assert_values(&[
        ("[null, true, 'x', 1.5].map((v) => structuredClone(v))", r#"[null, true, "x", 1.5]"#),
        ("structuredClone(undefined) === undefined", "true"),
        ("structuredClone(10n ** 30n) === 10n ** 30n", "true"),
        ("Object.is(structuredClone(-0), -0) && Number.isNaN(structuredClone(NaN))", "true"),
    ]);
}

#[test]
fn a_structure_is_copied_to_its_depth() {
    assert_values(&[
        (
            "const a = { b: [1, { c: 2 }] }; const d = structuredClone(a); a.b[1].c = 3; [d, d.b !== a.b, Object.getPrototypeOf(d) === Object.prototype]",
            r#"[{ "b": [1, { "c": 2 }] }, true, true]"#,
        ),
        (
            "const a = [1, , 3]; a.x = 4; const d = structuredClone(a); [d.length, 1 in d, d.x, Array.isArray(d)]",
            "[3, false, 4, true]",
        ),
        ("structuredClone(new Array(1e9)).length", "1000000000"),
        ("const d = structuredClone(new Date(5)); [d instanceof Date, d.getTime()]", "[true, 5]"),
        ("Number.isNaN(structuredClone(new Date(NaN)).getTime())", "true"),
        (
            "const r = /a/gi; r.lastIndex = 3; const d = structuredClone(r); [d instanceof RegExp, d.source, d.flags, d.lastIndex]",
            r#"[true, "a", "gi", 0]"#,
        ),
        (
            "const k = {}; const d = structuredClone(new Map([[k, new Map([[1, k]])]])); const [[key, value]] = d; [d instanceof Map, d.size, key !== k, value.get(1) === key]",
            "[true, 1, true, true]",
        ),
        (
            "const d = structuredClone(new Set([1, [2]])); [d instanceof Set, ...d]",
            "[true, 1, [2]]",
        ),
        (
            "const d = [new Number(1), new String('x'), new Boolean(false), Object(2n)].map((v) => structuredClone(v)); [d.map((v) => typeof v), d[0] + 1, d[1] + '', d[2].valueOf(), `${d[3]}`]",
            r#"[["object", "object", "object", "object"], 2, "x", false, "2"]"#,
        ),
        (
            "const d = structuredClone(JSON.parse('{\"__proto__\": 1}')); [Object.keys(d), Object.getPrototypeOf(d) === Object.prototype]",
            r#"[["__proto__"], true]"#,
        ),
    ]);
}

#[test]
fn only_own_enumerable_properties_with_names_are_copied() {
    assert_values(&[
        (
            "class A { x = 1; get y() { return 2 } z() {} }; const d = structuredClone(new A()); [d, d instanceof A]",
            r#"[{ "x": 1 }, false]"#,
        ),
        ("structuredClone({ get a() { return 1 }, [Symbol('s')]: () => {} })", r#"{ "a": 1 }"#),
        ("structuredClone(Object.defineProperty({}, 'h', { value: () => {} }))", "{}"),
        ("structuredClone(Object.assign(Object.create(null), { a: 1 }))", r#"{ "a": 1 }"#),
        ("structuredClone({ get a() { delete this.b; return 1 }, b: 2 })", r#"{ "a": 1 }"#),
        (
            "thrown(() => structuredClone({ get a() { throw new RangeError() } }))",
            r#""RangeError""#,
        ),
        ("structuredClone(Object.create(Map.prototype))", "{}"),
    ]);
}

#[test]
fn a_cycle_is_cloned_once() {
    assert_values(&[
        (
            "const a = { list: [] }; a.self = a; a.list.push(a); const d = structuredClone(a); [d.self === d, d.list[0] === d, d !== a]",
            "[true, true, true]",
        ),
        ("const m = new Map(); m.set(m, m); const d = structuredClone(m); d.get(d) === d", "true"),
        ("const s = new Set(); s.add(s); const d = structuredClone(s); d.has(d)", "true"),
        ("const shared = {}; const d = structuredClone([shared, shared]); d[0] === d[1]", "true"),
        (
            "const e = new Error('x'); e.cause = e; const d = structuredClone(e); d.cause === d",
            "true",
        ),
    ]);
}

#[test]
fn bytes_are_copied_and_their_views_still_share_them() {
    assert_values(&[
        (
            "const b = new Uint8Array([1, 2, 3]).buffer; const d = structuredClone(b); new Uint8Array(b)[0] = 9; [d instanceof ArrayBuffer, [...new Uint8Array(d)]]",
            "[true, [1, 2, 3]]",
        ),
        (
            "const b = new ArrayBuffer(8); const d = structuredClone([new Uint8Array(b, 2, 3), new DataView(b, 1, 2)]); d[0][0] = 7; [d[0].buffer === d[1].buffer, d[0].byteOffset, d[0].length, d[1].byteLength, d[1].getUint8(1)]",
            "[true, 2, 3, 2, 7]",
        ),
        (
            "[Int8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float16Array, Float32Array, Float64Array].map((T) => { const d = structuredClone(new T([1])); return d instanceof T && d[0] })",
            "[1, 1, 1, 1, 1, 1, 1, 1, 1]",
        ),
        (
            "[BigInt64Array, BigUint64Array].map((T) => structuredClone(new T([1n]))[0] === 1n)",
            "[true, true]",
        ),
        (
            "const d = structuredClone(new ArrayBuffer(1, { maxByteLength: 4 })); d.resize(3); d.byteLength",
            "3",
        ),
        (
            "const b = new ArrayBuffer(4); const d = structuredClone({ b }, { transfer: [b] }); [b.detached, d.b.byteLength]",
            "[true, 4]",
        ),
        (
            "[[1], [{}], [new ArrayBuffer(1), new URL('http://a')]].map((transfer) => thrown(() => structuredClone(1, { transfer })))",
            r#"["TypeError", "DataCloneError", "DataCloneError"]"#,
        ),
        (
            "const b = new ArrayBuffer(4); [thrown(() => structuredClone(() => {}, { transfer: [b] })), b.byteLength]",
            r#"["DataCloneError", 4]"#,
        ),
    ]);
}

#[test]
fn an_error_keeps_its_type_its_message_and_its_place() {
    assert_values(&[
        (
            "[Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError].map((T) => { const d = structuredClone(new T('m')); return d instanceof T && d.message })",
            r#"["m", "m", "m", "m", "m", "m", "m"]"#,
        ),
        (
            "class Mine extends Error { name = 'Mine' }; const d = structuredClone(new Mine('m')); [d instanceof Mine, d.name, d.message, Object.keys(d)]",
            r#"[false, "Error", "m", []]"#,
        ),
        (
            "const e = new Error('m', { cause: { a: 1 } }); const d = structuredClone(e); [d.stack === e.stack, d.cause]",
            r#"[true, { "a": 1 }]"#,
        ),
        (
            "const d = structuredClone(new DOMException('m', 'AbortError')); [d instanceof DOMException, d.name, d.message]",
            r#"[true, "AbortError", "m"]"#,
        ),
    ]);
}

#[test]
fn what_cannot_be_cloned_is_a_data_clone_error() {
    for value in [
        "() => {}",
        "Symbol()",
        "Object(Symbol())",
        "{ a: { f() {} } }",
        "new (class { f = () => {} })()",
        "new Map([[1, () => {}]])",
        "new WeakMap()",
        "new WeakSet()",
        "new WeakRef({})",
        "Promise.resolve()",
        "new Proxy({}, {})",
        "[new Proxy([], {})]",
        "new URL('http://a')",
        "new TextDecoder()",
        "new SharedArrayBuffer(1)",
        "class {}",
    ] {
        let name = Script::new().value(&format!("thrown(() => structuredClone({value}))"));
        assert_eq!(name, "DataCloneError", "{value}");
    }
}

#[test]
fn the_error_says_where_the_value_is() {
    let message = Script::new().value(
        "try { structuredClone({ tools: [1, { run() {} }] }) } catch (error) { error.message }",
    );
    assert_eq!(message, "a function cannot be cloned, at tools.1.run");
}

#[test]
fn a_clone_of_nothing_is_a_type_error() {
    assert_values(&[
        ("thrown(() => structuredClone())", r#""TypeError""#),
        ("thrown(() => new structuredClone(1))", r#""TypeError""#),
        ("[structuredClone.name, structuredClone.length]", r#"["structuredClone", 1]"#),
    ]);
}
