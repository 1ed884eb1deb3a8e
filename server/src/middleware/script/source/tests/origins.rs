//! Where errors come from: places in the TypeScript, not in what runs.

use super::folder::{Folder, load};
use super::runtime::{failure, run};

/// Calls `fail` of the TypeScript `text`, in which `«` stands before each place on the stack,
/// innermost last, and checks that those are the places that are reported.
fn assert_origins(text: &str) {
    let mut places = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let mut column = 1;
        for part in content.split_inclusive('«') {
            column += part.trim_end_matches('«').encode_utf16().count();
            if part.ends_with('«') {
                places.push(format!("{}:{column}", line + 1));
            }
        }
    }
    let found = failure(load("a.ts", &text.replace('«', "")));
    let mut reported: Vec<String> =
        found.trace.iter().map(|frame| frame.position.to_string()).collect();
    reported.sort();
    places.sort();
    assert_eq!(reported, places, "{}: {:?}\n{text}", found.message, found.shown());
}

#[test]
fn a_throw_is_where_the_error_is_made() {
    assert_origins("export function fail(): never {\n    throw new «Error('no');\n}");
}

#[test]
fn types_that_vanish_do_not_move_what_follows() {
    assert_origins(
        "interface Gone {\n  a: string;\n}\n\ntype Also<T> = T | {\n  b: T };\n/* a\n comment */\n
export const fail = <T extends Gone>(it?: Also<T>): asserts it is T => { const a: Map<string, Also<T>> = new Map<string, Also<T>>(); throw new «TypeError('no' as string) };",
    );
}

#[test]
fn a_call_of_undefined_is_where_the_name_stands() {
    assert_origins(
        "const tools: any = {};
export function fail(this: void, a: number = 1): void {
    const b = a as unknown as string, c: any = (tools as Record<string, any>)!.«missing(b);
}",
    );
    assert_origins("let gone: any;\nexport const fail = () => {\n    return «gone(1) };");
}

#[test]
fn a_property_of_undefined_is_where_the_object_stands() {
    assert_origins(
        "export const fail = ({ a }: { a?: any } = {}) => {\n    const x: number = «a.b.c; return x; };",
    );
}

#[test]
fn nested_arrow_functions_each_have_their_place() {
    assert_origins(
        "const inner = (it: number): number => { if (it > 1) throw new «RangeError('much'); return it; };
export const fail = (list: readonly number[] = [1, 2]) =>
    list.«map((it: number): number =>
        «inner(it satisfies number));",
    );
}

#[test]
fn enums_and_namespaces_do_not_move_what_follows() {
    assert_origins(
        "export enum Level { Low = 'low', High = 'high' }
namespace Deep { export const a = 1; export function check(it: Level): void { if (it === Level.High) { throw new «Error(it); } } }
class Guard { constructor(private readonly level: Level) {} run(): void { Deep.«check(this.level); } }
export const fail = () => new Guard(Level.High).«run();",
    );
}

#[test]
fn the_constructor_of_a_class_has_its_place() {
    assert_origins(
        "abstract class Base<T> { declare gone: T; constructor(protected it: T) { throw new «Error('made'); } }
class Own extends Base<string> { constructor(public a: number, b?: string) { «super(b ?? ''); } }
export const fail = () => new «Own(1);",
    );
}

#[test]
fn columns_count_utf16_units() {
    assert_origins(
        "export const fail = () => { const text: string = 'äöü€😀'; throw new «Error(text) };",
    );
}

#[test]
fn line_ends_of_windows_and_odd_ones_count_as_lines() {
    assert_origins(
        "const a: string = 'x';\r\nconst b = `\r\n`;\r\nexport const fail = () => {\r\n  throw new «Error(a + b) };",
    );
    let text = "const a: string = '\u{2028}';\nexport const fail = () => { throw new Error(a) };";
    // TypeScript counts U+2028 as the end of a line.
    assert_eq!(failure(load("a.ts", text)).shown(), ["fail (a.ts:3:39)"]);
}

#[test]
fn javascript_has_its_own_places() {
    let text = "// é\u{2028}\n\nexport const fail = () => { const é = '😀'; throw new Error(é) };";
    assert_eq!(failure(load("a.js", text)).shown(), ["fail (a.js:4:55)"]);
}

#[test]
fn an_implied_export_moves_nothing() {
    assert_origins("const fail = (): never => {\n  throw new «Error('no');\n};\n// end");
}

#[test]
fn an_error_at_load_has_its_place() {
    let text = "type A = 1;\nconst it: any = undefined;\nexport const value = await (async () => it.name)();";
    let found = run(load("a.ts", text), |_, _| ()).unwrap_err();
    assert_eq!(found.trace[0].to_string(), "a.ts:3:41");
}

#[test]
fn a_call_of_many_lines_is_where_its_name_stands() {
    assert_origins(
        "const inner = (...them: unknown[]): never => {
    const [first] = them;
    throw new «Error(`much
        ${first} and
        ${them.length + 1}`);
};
const same = (it: string): string => it;
export const fail = () => {
    const it = 'x';
    return same(«inner(
        same(it),
        {
            it,
            other: it,
        },
    ));
};",
    );
}

#[test]
fn a_call_that_fails_differs_from_an_argument_that_fails() {
    assert_origins("let gone: any;\nexport const fail = (a = 1) => { return «gone(a); };");
    assert_origins("let gone: any;\nexport const fail = (a?: any) => { String(«a.b.c); };");
    assert_origins(
        "let gone: any = {};\nexport const fail = (a = 1) => { return new gone.«Of(gone, a); };",
    );
}

#[test]
fn the_call_that_is_under_way_is_told_by_its_name() {
    let functions = "const f = (it?: unknown): never => { throw new «Error('no') };\nconst g = (it: unknown) => it;";
    assert_origins(&format!("{functions}\nexport const fail = (a = 1) => «f(g(a));"));
    assert_origins(&format!("{functions}\nexport const fail = (a = 1) => g(«f(a));"));
    assert_origins(&format!("{functions}\nexport const fail = (a = 1) => g([g(1), «f(this)]);"));
}

#[test]
fn a_trace_names_functions_and_only_files_of_the_program() {
    let folder = Folder::of(&[
        (
            "a (copy).ts",
            "import { each } from './b';\nclass Guard { check(): void { [1].forEach(() => { JSON.parse('{'); }); } }\nexport const fail = () => each(() => new Guard().check());",
        ),
        ("b.ts", "export type Run = () => void;\nexport function each(run: Run) { run(); }"),
    ]);
    let found = failure(folder.load("a (copy).ts"));
    assert_eq!(
        found.shown(),
        [
            "a (copy).ts:2:56",
            "check (a (copy).ts:2:35)",
            "a (copy).ts:3:50",
            "each (b.ts:2:34)",
            "fail (a (copy).ts:3:27)",
        ]
    );
}

#[test]
fn a_trace_can_be_read_whatever_it_holds() {
    let program = load("a.ts", "export const value: number = 1;");
    let stack = "    at <anonymous> (a.ts:2:14)\n    at f (g) (a.ts:2:22)\n    at map (native)\n\
        \x20   at x (sidehook:for/a.ts:1:1)\n    at y (a.ts:0:1)\n    at z (a.ts:99:1)\n\
        \x20   at a.ts:2:14\n    at  (a.ts)\nat\nnonsense (a.ts:1:1)\n    at é (a.ts:1:-1)\n    at )\n";
    let shown: Vec<String> = program.trace("", stack).iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["a.ts:1:14", "f (g) (a.ts:1:30)", "a.ts:1:14"]);
}
