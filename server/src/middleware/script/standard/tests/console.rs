//! The console formats values as Node.js does.

use super::script::Script;
use crate::middleware::script::standard::Level;

/// The line that `console.log` writes for the arguments.
fn logged(arguments: &str) -> String {
    let script = Script::new();
    script.value(&format!("console.log({arguments})"));
    let [(level, line)] = <[_; 1]>::try_from(script.lines()).unwrap();
    assert_eq!(level, Level::Info);
    line
}

fn assert_logged(cases: &[(&str, &str)]) {
    for (arguments, expected) in cases {
        assert_eq!(logged(arguments), *expected, "{arguments}");
    }
}

#[test]
fn each_method_has_its_level() {
    let script = Script::new();
    script.value(
        "console.log('a'); console.info('b'); console.warn('c'); console.error('d'); \
         console.debug('e'); console.assert(1 > 2, 'f'); console.assert(true, 'g')",
    );
    let expected = [
        (Level::Info, "a"),
        (Level::Info, "b"),
        (Level::Warn, "c"),
        (Level::Error, "d"),
        (Level::Debug, "e"),
        (Level::Error, "Assertion failed: f"),
    ];
    assert_eq!(script.lines(), expected.map(|(level, line)| (level, line.to_owned())));
}

#[test]
fn values_are_separated_by_spaces() {
    assert_logged(&[
        ("", ""),
        (
            "'a', 1, true, null, undefined, 2n, -0, Symbol('s')",
            "a 1 true null undefined 2n -0 Symbol(s)",
        ),
        ("'it\\'s', ['it\\'s', 'a\\nb', '\"']", "it's [ \"it's\", 'a\\nb', '\"' ]"),
        ("{ s: '\\x1b\\\\' }", "{ s: '\\x1B\\\\' }"),
    ]);
}

#[test]
fn a_format_takes_the_values_that_follow() {
    assert_logged(&[
        ("'%s is %d of %i', 'a', '1.5', 2.7, 'rest'", "a is 1.5 of 2 rest"),
        ("'%f %j %%', '1.5x', { a: [1] }", "1.5 {\"a\":[1]} %"),
        ("'%o %O', { a: 1 }, [2]", "{ a: 1 } [ 2 ]"),
        ("'%s %s', 'a'", "a %s"),
        ("'100%', 1", "100% 1"),
        ("'%x %s', 1", "%x 1"),
        ("'%s'", "%s"),
        ("'%%'", "%%"),
        ("'%c red', 'color: red'", " red"),
        ("'%d %i %d', 'x', 'y', 5n", "NaN NaN 5n"),
        ("'%s %s %s', null, { a: { b: 1 } }, [1]", "null { a: [Object] } [ 1 ]"),
        ("'%s', { toString() { return 'mine' } }", "mine"),
        ("'%j', (() => { const a = {}; a.a = a; return a })()", "[Circular]"),
        ("1, '%s', 'a'", "1 %s a"),
    ]);
}

#[test]
fn an_object_is_shown_with_its_class_and_properties() {
    assert_logged(&[
        ("{}", "{}"),
        ("[]", "[]"),
        (
            "{ a: 1, 'b-c': 'x', 3: [1], [Symbol('s')]: 2 }",
            "{ '3': [ 1 ], a: 1, 'b-c': 'x', [Symbol(s)]: 2 }",
        ),
        ("new (class Foo { x = 1 })()", "Foo { x: 1 }"),
        ("new (class Foo {})()", "Foo {}"),
        ("Object.create(null)", "[Object: null prototype] {}"),
        ("{ a: { b: { c: { d: 1 } } } }", "{ a: { b: { c: [Object] } } }"),
        ("{ a: [[[[]]], [[[1]]]] }", "{ a: [ [ [Array] ], [ [Array] ] ] }"),
        (
            "{ get a() { throw 1 }, set b(v) {}, get c() { return 1 }, set c(v) {} }",
            "{ a: [Getter], b: [Setter], c: [Getter/Setter] }",
        ),
        (
            "{ f() {}, g: class A {}, h: class B extends Map {}, i: () => {}, j: async () => {} }",
            "{\n  f: [Function: f],\n  g: [class A],\n  h: [class B extends Map],\n  i: [Function: i],\n  j: [AsyncFunction: j]\n}",
        ),
        ("(() => {})", "[Function (anonymous)]"),
        ("{ [Symbol.toStringTag]: 'T' }", "{ [Symbol(Symbol.toStringTag)]: 'T' }"),
    ]);
}

#[test]
fn the_built_in_classes_have_their_own_form() {
    assert_logged(&[
        ("new Map([['a', { b: 1 }], [1, 2]])", "Map(2) { 'a' => { b: 1 }, 1 => 2 }"),
        ("new Set(['a', 1])", "Set(2) { 'a', 1 }"),
        ("new Map()", "Map(0) {}"),
        ("new Date(0), [new Date(NaN)]", "1970-01-01T00:00:00.000Z [ Invalid Date ]"),
        ("/a\\/b/gi", "/a\\/b/gi"),
        ("[1, , , 4]", "[ 1, <2 empty items>, 4 ]"),
        ("Object.assign([1], { x: 2 })", "[ 1, x: 2 ]"),
        ("new Uint8Array([1, 2])", "Uint8Array(2) [ 1, 2 ]"),
        (
            "new Uint8Array([1, 2]).buffer",
            "ArrayBuffer { [Uint8Contents]: <01 02>, byteLength: 2 }",
        ),
        (
            "new Number(3), new String('x'), new Boolean(true)",
            "[Number: 3] [String: 'x'] [Boolean: true]",
        ),
        ("new WeakMap()", "WeakMap { <items unknown> }"),
        (
            "Promise.resolve(1), new Promise(() => {})",
            "Promise { <fulfilled> } Promise { <pending> }",
        ),
        ("new URL('http://a/b')", "URL { href: 'http://a/b' }"),
        ("new URLSearchParams('a=1')", "URLSearchParams { query: 'a=1' }"),
        ("new (class List extends Array {})(1, 2)", "List(2) [ 1, 2 ]"),
    ]);
}

#[test]
fn an_error_is_shown_with_its_message_and_stack() {
    let line = logged("new RangeError('too far')");
    assert!(line.starts_with("RangeError: too far\n    at "), "{line}");
    let line = logged("Object.assign(new Error('m', { cause: 'why' }), { code: 5 })");
    assert!(line.starts_with("Error: m\n    at "), "{line}");
    assert!(line.ends_with("{\n  code: 5,\n  [cause]: 'why'\n}"), "{line}");
    let line = logged("new (class Mine extends Error {})('m')");
    assert!(line.starts_with("Mine: m\n"), "{line}");
    let line = logged("{ e: new Error('m') }");
    assert!(line.starts_with("{\n  e: Error: m\n      at "), "{line}");
    assert_logged(&[
        ("Object.assign(new Error('m'), { stack: '' })", "[Error: m]"),
        ("Object.defineProperty(new TypeError(), 'stack', { value: 1 })", "[TypeError]"),
    ]);
}

#[test]
fn a_cycle_is_shown_as_such() {
    assert_logged(&[
        ("(() => { const a = { b: {} }; a.b.c = a; return a })()", "{ b: { c: [Circular] } }"),
        (
            "(() => { const m = new Map(); m.set('m', m); return m })()",
            "Map(1) { 'm' => [Circular] }",
        ),
        ("(() => { const a = {}; return [a, a] })()", "[ {}, {} ]"),
    ]);
}

#[test]
fn what_does_not_fit_a_line_takes_several() {
    let wide = logged("{ first: 'x'.repeat(30), second: 'y'.repeat(30), third: 'z'.repeat(30) }");
    let [x, y, z] = ["x", "y", "z"].map(|letter| letter.repeat(30));
    assert_eq!(wide, format!("{{\n  first: '{x}',\n  second: '{y}',\n  third: '{z}'\n}}"));
    let many = logged("Array.from({ length: 150 }, (_, i) => i)");
    assert!(many.starts_with("[\n  0, 1, 2, "), "{many}");
    assert!(many.ends_with("... 50 more items\n]"), "{many}");
    assert!(many.lines().all(|line| line.len() <= 80), "{many}");
}

#[test]
fn a_trace_shows_where_it_was_called() {
    let script = Script::new();
    script.value("(function here() { console.trace('x', 1) })()");
    let [(level, line)] = <[_; 1]>::try_from(script.lines()).unwrap();
    assert_eq!(level, Level::Trace);
    assert!(line.starts_with("Trace: x 1\n    at here"), "{line}");
}

#[test]
fn calls_are_counted_and_groups_indented() {
    let script = Script::new();
    script.value(
        "console.count(); console.count('a'); console.count(); console.countReset(); \
         console.count(); console.group('g'); console.log('x\\ny'); console.groupEnd(); \
         console.log('z')",
    );
    let lines: Vec<_> = script.lines().into_iter().map(|(_, line)| line).collect();
    assert_eq!(lines, ["default: 1", "a: 1", "default: 2", "default: 1", "g", "  x\n  y", "z"]);
}

#[test]
fn a_method_works_without_its_object() {
    let script = Script::new();
    script.value("const { log } = console; [1, 2].forEach((n) => log(n)); queueMicrotask(log)");
    assert_eq!(script.lines().len(), 2);
}
