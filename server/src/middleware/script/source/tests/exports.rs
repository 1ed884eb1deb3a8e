//! What a file exports that says nothing about it.

use super::folder::{Folder, load};
use super::runtime::run;

/// The names that a program exports.
fn exported(text: &str) -> Vec<String> {
    let names = run(load("a.ts", text), |_, exports| {
        exports.keys::<String>().collect::<Result<Vec<_>, _>>().unwrap()
    });
    names.unwrap()
}

#[test]
fn a_file_without_exports_exports_what_it_defines() {
    let text = "
        import { importer } from 'sidehook';
        interface RunMiddleware { name: string }
        declare const ambient: string;
        enum Level { Low }
        const noEmails: RunMiddleware = { name: 'no-emails' };
        let { a, b: [c, ...d], ...e } = { a: 1, b: [2], f: 3 };
        var again = 1; var again = 2;
        function over(it: string): void;
        function over(it: unknown) {}
        async function* stream() {}
        class Guard {}
        if (importer) { const inner = 1; }
        // The last line is a comment";
    let expected = ["Guard", "a", "again", "c", "d", "e", "noEmails", "over", "stream"];
    assert_eq!(exported(text), expected);
}

#[test]
fn names_and_order_of_evaluation_stay() {
    let text = "const noEmails = { seen: typeof later }; var later = 1; const named = () => {};";
    let found = run(load("a.ts", text), |ctx, exports| {
        ctx.globals().set("exports", exports.clone()).unwrap();
        ctx.eval::<String, _>("exports.noEmails.seen + exports.named.name").unwrap()
    });
    assert_eq!(found.unwrap(), "undefinednamed");
}

#[test]
fn an_export_of_any_kind_leaves_the_rest_private() {
    for (text, expected) in [
        ("const hidden = 1; export const shown = 2;", &["shown"][..]),
        ("const hidden = 1; export default hidden;", &["default"]),
        ("const hidden = 1; export { hidden as shown };", &["shown"]),
        ("const hidden = 1; export {};", &[]),
        ("const hidden = 1; export type Shown = string;", &[]),
        ("const hidden = 1; export { importer } from 'sidehook';", &["importer"]),
        ("const hidden = 1; export * from 'sidehook';", &["importer"]),
    ] {
        assert_eq!(exported(text), expected, "{text}");
    }
}

#[test]
fn a_file_that_defines_nothing_exports_nothing() {
    assert_eq!(exported("globalThis.middleware = {};"), [""; 0]);
    assert_eq!(exported(""), [""; 0]);
}

#[test]
fn javascript_without_exports_exports_what_it_defines() {
    let program = load("a.js", "const guard = {};\n// end");
    let guard = run(program, |_, exports| exports.contains_key("guard").unwrap());
    assert!(guard.unwrap());
}

#[test]
fn an_imported_file_exports_only_what_it_says() {
    let folder = Folder::of(&[
        ("a.ts", "import * as other from './b'; export const names = Object.keys(other).length;"),
        ("b.ts", "const hidden = 1;"),
    ]);
    let names = run(folder.load("a.ts"), |_, exports| exports.get::<_, u32>("names").unwrap());
    assert_eq!(names.unwrap(), 0);
}
