//! The standard objects hold against scripts that break things.

use std::{cell::Cell, rc::Rc};

use rquickjs::CatchResultExt as _;

use super::script::{Script, assert_values};
use crate::middleware::script::standard::{Level, console::LIMIT};

#[test]
fn a_value_that_throws_when_looked_at_is_logged_anyway() {
    for value in [
        "new Proxy({}, new Proxy({}, { get() { throw 1 } }))",
        "new Proxy(() => {}, { get() { throw 1 }, getOwnPropertyDescriptor() { throw 1 } })",
        "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()",
        "Object.create(new Proxy({}, { getPrototypeOf() { throw 1 } }))",
        "Object.defineProperty(new Error(), 'message', { get() { throw 1 } })",
        "Object.defineProperty(new Error(), 'stack', { get() { throw 1 } })",
        "Object.defineProperty([], Symbol.toStringTag, { get() { throw 1 } })",
        "{ get constructor() { throw 1 } }",
        "{ toString() { throw 1 }, [Symbol.toPrimitive]() { throw 1 }, toJSON() { throw 1 } }",
        "Object.create(Map.prototype)",
        "Object.create(URL.prototype)",
        "URL.prototype",
        "RegExp.prototype",
        "Object.setPrototypeOf(new Date(), null)",
        "globalThis",
    ] {
        for call in
            ["log(value)", "error([value])", "log('%s %d %i %f %j %o %O', ...Array(7).fill(value))"]
        {
            let script = Script::new();
            script.value(&format!("const value = {value}; console.{call}"));
            assert_eq!(script.lines().len(), 1, "{value} {call}");
        }
    }
}

#[test]
fn a_proxy_is_shown_as_what_it_stands_for() {
    let script = Script::new();
    script.value("let ran = 0; console.log(new Proxy({ a: 1 }, { get() { ran = 1 }, ownKeys() { ran = 1 } }))");
    assert_eq!(script.lines(), [(Level::Info, "{ a: 1 }".to_owned())]);
    assert_eq!(script.value("ran"), 0);
}

#[test]
fn a_long_line_is_cut_and_says_so() {
    for value in [
        "'x'.repeat(100_000)",
        "'€'.repeat(5_000)",
        "'x', 'x'.repeat(100_000)",
        "['x'.repeat(100_000)]",
        "'%s', 'x'.repeat(100_000)",
        "'x'.repeat(100_000) + '%s', 1",
        "new Error('x'.repeat(100_000))",
        "Array(100).fill(Array(100).fill('x'.repeat(100)))",
        "Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key${i}`, i]))",
        "...Array(20_000).fill('x')",
        "(() => { let o = {}; for (let i = 0; i < 9; i += 1) o = { a: o, b: o, c: o, d: [o, o] }; return Array(100).fill(Array(100).fill(o)) })()",
    ] {
        let script = Script::new();
        script.value(&format!("console.log({value})"));
        let [(_, line)] = <[_; 1]>::try_from(script.lines()).unwrap();
        assert!(line.len() <= LIMIT, "{value}: {}", line.len());
        assert!(line.ends_with("… (cut: a line holds 8 KiB)"), "{value}: {line}");
    }
}

#[test]
fn a_sparse_array_is_not_walked_to_its_end() {
    let script = Script::new();
    script.value("console.log(new Array(4_000_000_000))");
    let [(_, line)] = <[_; 1]>::try_from(script.lines()).unwrap();
    assert_eq!(line, "[ <1000 empty items>, ... 3999999000 more items ]");
}

#[test]
fn a_large_value_is_not_walked_to_its_end() {
    for value in [
        "Array.from({ length: 100_000 }, (_, i) => i)",
        "new Uint32Array(100_000)",
        "new Map(Array.from({ length: 100_000 }, (_, i) => [i, i]))",
        "new Set(Array.from({ length: 100_000 }, (_, i) => i))",
        "Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]))",
        "new String('x'.repeat(100_000))",
        "'x'.repeat(100_000)",
        "({ ['x'.repeat(100_000)]: 1, ['-'.repeat(100_000)]: 1 })",
        "Object.assign(new Error('x'.repeat(100_000)), { name: 'x'.repeat(100_000) })",
        "new URL(`http://a/${'x'.repeat(100_000)}`)",
    ] {
        let script = Script::new();
        script.value(&format!("globalThis.value = {value}; console.log({{}}); 0"));
        // The engine asks about once for ten thousand steps.
        let asked = Rc::new(Cell::new(0));
        let count = Rc::clone(&asked);
        script.runtime().set_interrupt_handler(Some(Box::new(move || {
            count.set(count.get() + 1);
            false
        })));
        script.value("console.log([value]); 0");
        assert_eq!(script.lines().len(), 2);
        assert!(asked.get() < 20, "{value}: {}", asked.get());
    }
}

/// Breaks what the objects might rely on; it loops by index, as it breaks the iterators too.
const BREAK: &str = "
    const { ownKeys } = Reflect;
    const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
    const fail = function () { throw new EvalError('broken') };
    const types = [Array, Map, Set, String, Number, RegExp, Date, Function, Promise, Error,
      Uint8Array, getPrototypeOf(Uint8Array), ArrayBuffer, DataView, Symbol, BigInt, Boolean,
      DOMException, WeakMap, WeakSet, { prototype: getPrototypeOf([].values()) },
      { prototype: getPrototypeOf(new Map().values()) }];
    for (let i = 0; i < types.length; i += 1) {
      const keys = ownKeys(types[i].prototype);
      for (let j = 0; j < keys.length; j += 1) {
        const property = getOwnPropertyDescriptor(types[i].prototype, keys[j]);
        if (keys[j] === 'constructor' || !property.configurable) continue;
        defineProperty(types[i].prototype, keys[j], property.get
          ? { get: fail, configurable: true } : { value: fail, configurable: true });
      }
    }
    const names = ownKeys(globalThis);
    const needed = { globalThis: 1, URL: 1, URLSearchParams: 1, TextEncoder: 1, TextDecoder: 1,
      structuredClone: 1, crypto: 1, console: 1, bytes: 1, JSON: 1 };
    for (let i = 0; i < names.length; i += 1) {
      const { configurable } = getOwnPropertyDescriptor(globalThis, names[i]);
      if (needed[names[i]] || !configurable) continue;
      const type = globalThis[names[i]];
      const keys = typeof type === 'function' || typeof type === 'object' ? ownKeys(type) : [];
      for (let j = 0; j < keys.length; j += 1) {
        const property = getOwnPropertyDescriptor(type, keys[j]);
        if (property.configurable && keys[j] !== 'name') defineProperty(type, keys[j], { value: fail });
      }
      defineProperty(globalThis, names[i], { value: undefined });
    }";

#[test]
fn the_objects_work_in_a_realm_that_a_script_broke() {
    // Each case ends with a text, for the means to compare other values are broken too.
    for (source, expected) in [
        ("new URL('/a?b=1', 'http://c').href", "http://c/a?b=1"),
        (
            "const u = new URL('http://c/?x=1'); u.searchParams.append('y', 2); u.searchParams.sort(); u.searchParams.set('x', 3); u.href",
            "http://c/?x=3&y=2",
        ),
        ("new TextDecoder().decode(new TextEncoder().encode('h€y'))", "h€y"),
        ("const d = structuredClone({ a: [1, { b: 'x' }] }); d.a[1].b", "x"),
        ("crypto.randomUUID()[14]", "4"),
        ("crypto.getRandomValues(bytes) === bytes ? 'same' : 'other'", "same"),
        ("let name; try { new URL('x') } catch (e) { name = e.code } name", "ERR_INVALID_URL"),
    ] {
        let script = Script::new();
        script.value("globalThis.bytes = new Uint8Array(9)");
        let actual = script.value(&format!("{BREAK}; {source}"));
        assert_eq!(actual, expected, "{source}");
    }
}

#[test]
fn the_console_works_in_a_realm_that_a_script_broke() {
    let script = Script::new();
    script.value(&format!(
        "const map = new Map([['a', 1]]); const set = new Set([1]); const date = new Date(0); \
         {BREAK}; console.log('%s', 'x', {{ a: [1, 'y'] }}, map, set, date, /r/)"
    ));
    let expected =
        "x { a: [ 1, 'y' ] } Map(1) { 'a' => 1 } Set(1) { 1 } 1970-01-01T00:00:00.000Z /r/";
    assert_eq!(script.lines(), [(Level::Info, expected.to_owned())]);
}

#[test]
fn a_structure_too_deep_for_the_stack_is_an_error_that_can_be_caught() {
    assert_values(&[
        (
            "let o = {}; for (let i = 0; i < 100_000; i += 1) o = { o }; thrown(() => structuredClone(o))",
            r#""RangeError""#,
        ),
        (
            "let o = {}; for (let i = 0; i < 100_000; i += 1) o = { o }; thrown(() => console.log(o))[0]",
            r#""no error""#,
        ),
    ]);
}

#[test]
fn a_call_at_the_end_of_the_stack_works_again_later() {
    assert_values(&[(
        "const deep = () => { deep(); }; \
         const tries = []; \
         const end = () => { try { end() } catch { try { new URL('http://a') } catch (e) { tries.push(1) } } }; \
         end(); new URL('http://a').href",
        r#""http://a/""#,
    )]);
}

#[test]
fn the_memory_limit_holds_for_bytes() {
    let script = Script::new();
    script.runtime().set_memory_limit(4 << 20);
    let outcome = script.value(
        "try { const a = new Uint8Array(1 << 20); const t = new TextDecoder().decode(a); \
         const all = []; for (;;) all.push(structuredClone(a), new TextEncoder().encode(t)) } \
         catch (error) { typeof error }",
    );
    assert_ne!(outcome, "undefined");
    assert_eq!(script.value("new URL('http://a').href"), "http://a/");
}

#[test]
fn an_interrupted_script_is_not_kept_alive_by_its_console() {
    let script = Script::new();
    let mut left = 1_000;
    script.runtime().set_interrupt_handler(Some(Box::new(move || {
        left -= 1;
        left < 0
    })));
    let outcome = script.run(
        "for (;;) try { console.log({ toString() { for (;;); } }); console.log('%s', { toString() { for (;;); } }) } catch {}",
        |ctx, value| value.catch(ctx).is_err(),
    );
    assert!(outcome);
}
