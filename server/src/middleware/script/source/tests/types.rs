//! What becomes of TypeScript's syntax.

use super::folder::{Folder, load, problems};
use super::runtime::value;

#[test]
fn types_vanish() {
    let text = "
        import type { Gone } from './gone';
        interface Event<T extends object = {}> { input: T }
        type Answer = { reason?: string } | void;
        declare const ambient: number;
        declare module 'sidehook' { interface Extra {} }
        abstract class Guard<T> { abstract check(it: T): Answer; }
        class Strict extends Guard<string> implements Event<object> {
            declare input: object;
            private readonly limit?: number = 3;
            check(this: Strict, it: string): Answer { return { reason: it + this.limit! }; }
        }
        function isText(it: unknown): it is string { return typeof it === 'string'; }
        function over(it: number): string;
        function over(it: string): string;
        function over(it: any): string { return String(it); }
        const list = [1, 'a', 2] satisfies unknown[];
        export const value = [
            (new Strict().check('r') as { reason: string }).reason,
            list.filter(isText),
            over(<number>5),
        ];";
    assert_eq!(value(load("a.ts", text)), r#"["r3",["a"],"5"]"#);
}

#[test]
fn syntax_with_a_meaning_at_run_time_is_kept() {
    let text = "
        enum Level { Low, High = 5, Higher }
        const enum Flag { On = 'on' }
        namespace Limits { export const most = Level.Higher + 1; }
        class Point { constructor(readonly x: number, protected y = 2) {} sum() { return this.x + this.y; } }
        export const value = [Level.Low, Level[5], Flag.On, Limits.most, new Point(1).sum()];";
    assert_eq!(value(load("a.ts", text)), r#"[0,"High","on",7,3]"#);
}

#[test]
fn what_the_language_has_is_not_lowered() {
    let text = "
        class Counter { static #made = 0; #own = ++Counter.#made; static { this.ready = true; } get own(): number { return this.#own; } declare static ready: boolean; }
        const found = Object.groupBy([1, 2, 3], (it: number) => it % 2 ? 'odd' : 'even');
        let chosen: number | null = null;
        chosen ??= found?.odd?.at(-1) ?? 0;
        export const value = [new Counter().own, Counter.ready, chosen, 2n ** 3n === 8n, /(?<y>\\p{L})/v.exec('a')?.groups?.y];";
    let program = load("a.ts", text);
    let code = program.code("a.ts").unwrap();
    for kept in ["#own", "??=", "?.", "2n ** 3n", "static {"] {
        assert!(code.contains(kept), "{kept} is gone:\n{code}");
    }
    assert_eq!(value(program), r#"[1,true,3,true,"a"]"#);
}

#[test]
fn javascript_keeps_its_meaning() {
    let text = r#"#!/usr/bin/env node
        // A comment.
        const tag = (it) => it.raw[0];
        export const value = [0x10, '\u2028', `${'a'}\r\n\\n`, '\'"', tag`\x`, ((a, b) => a, 2)];;
        export function label() { /* nothing */ }"#;
    let expected = "[16,\"\u{2028}\",\"a\\r\\n\\\\n\",\"'\\\"\",\"\\\\x\",2]";
    assert_eq!(value(load("a.js", text)), expected);
}

#[test]
fn a_regular_expression_is_checked() {
    let said = problems("a.ts", "type A = 1;\nexport const it = /(unclosed/u;");
    assert!(said[0].starts_with("a.ts:2:"), "{said:?}");
}

#[test]
fn types_in_javascript_are_refused() {
    let said = problems("a.js", "export const value: number = 1;");
    assert!(said.iter().any(|it| it.starts_with("a.js:1:19: ")), "{said:?}");
}

#[test]
fn every_ending_is_a_module() {
    for name in ["a.ts", "a.mts", "a.js", "a.mjs"] {
        let text = "const value = await Promise.resolve(typeof this); export { value };";
        assert_eq!(value(load(name, text)), r#""undefined""#, "{name}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let folder = Folder::of(&[("a.ts", "\u{feff}export const value = 1;")]);
    assert_eq!(value(folder.load("a.ts")), "1");
}

#[test]
fn json_is_a_default_export() {
    let folder = Folder::of(&[
        (
            "a.ts",
            "import data from './data.json' with { type: 'json' };\nexport const value = [data, Object.keys(data)];",
        ),
        ("data.json", "{ \"__proto__\": [1], \"text\": \"\\u2028`${x}\\\\\" }"),
    ]);
    assert_eq!(
        value(folder.load("a.ts")),
        "[{\"__proto__\":[1],\"text\":\"\u{2028}`${x}\\\\\"},[\"__proto__\",\"text\"]]"
    );
}

#[test]
fn decorators_are_refused_where_they_stand() {
    let text = "function log(..._: any[]) {}\n@log class A {\n  @log() run(@log it: number) {}\n}";
    let said = problems("a.ts", text);
    assert!(said[0].starts_with("a.ts:2:1: decorators are not supported"), "{said:?}");
    assert!(said[1].starts_with("a.ts:3:3: decorators are not supported"), "{said:?}");
}

#[test]
fn jsx_is_refused_by_its_name() {
    for name in ["a.ts", "a.js"] {
        let said = problems(name, "export const value = <b>hi</b>;");
        assert!(said.len() == 1 && said[0].contains("JSX is not supported"), "{said:?}");
    }
    let said = problems("a.tsx", "export const value = 1;");
    assert_eq!(said, ["a.tsx:1:1: JSX is not supported"]);
}
