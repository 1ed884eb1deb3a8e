//! Where imports lead.

use super::folder::{Folder, names};
use super::runtime::{run, value};

/// The value of the entry `a.ts`, which holds `text`.
fn imported(text: &str, others: &[(&str, &str)]) -> String {
    let folder = Folder::of(others);
    folder.write("a.ts", text);
    value(folder.load("a.ts"))
}

#[test]
fn an_ending_may_be_left_out() {
    for name in ["b.ts", "b.mts", "b.js", "b.mjs", "b/index.ts", "b/index.js"] {
        let others = [(name, "export const value = import.meta ? 1 : 0;")];
        assert_eq!(imported("export { value } from './b';", &others), "1", "{name}");
    }
}

#[test]
fn the_name_of_the_generated_file_finds_its_source() {
    for (specifier, name) in [("./b.js", "b.ts"), ("./b.mjs", "b.mts"), ("./b.js", "b.js")] {
        let text = format!("export {{ value }} from '{specifier}';");
        assert_eq!(imported(&text, &[(name, "export const value = 1;")]), "1", "{name}");
    }
}

#[test]
fn what_is_written_wins_over_what_is_meant() {
    let others = [
        ("b.js", "export const value = 'js';"),
        ("b.ts", "export const value = 'ts';"),
        ("b.ts.ts", "export const value = 'ts.ts';"),
        ("b/index.ts", "export const value = 'folder';"),
    ];
    for (specifier, found) in
        [("./b.js", "js"), ("./b", "ts"), ("./b.ts", "ts"), ("./b/", "folder")]
    {
        let text = format!("export {{ value }} from '{specifier}';");
        assert_eq!(imported(&text, &others), format!("\"{found}\""), "{specifier}");
    }
}

#[test]
fn folders_lead_up_and_down_inside_of_the_root() {
    let folder = Folder::of(&[
        ("guards/a.ts", "import up from '../shared/b'; export const value = up;"),
        (
            "shared/b.ts",
            "import index from '..'; import here from '.'; export default [index, here];",
        ),
        ("shared/index.ts", "export default 'shared';"),
        ("index.ts", "export default 'root';"),
    ]);
    assert_eq!(value(folder.load("guards/a.ts")), r#"["root","shared"]"#);
}

#[test]
fn every_form_of_import_is_followed() {
    let text = "
        import './effect';
        import whole, { part as renamed } from './b';
        import * as all from './b';
        export * from './b';
        export * as space from './b';
        const later = await import('./later');
        const template = await import(`./later.ts`);
        export const value = [globalThis.effect, whole, renamed, all.part, later.late, template === later];";
    let others = [
        ("effect.ts", "(globalThis as any).effect = 'ran';"),
        ("b.ts", "export const part = 2; export default 1;"),
        ("later.ts", "export const late = 3;"),
    ];
    assert_eq!(imported(text, &others), r#"["ran",1,2,2,3,true]"#);
}

#[test]
fn imports_that_are_only_types_vanish() {
    let text = "
        import type { A } from './gone';
        import { type B } from 'lodash';
        import { C } from './gone.js';
        import D, { E } from 'fs';
        export type { F } from './gone';
        export type * from './gone';
        type G = import('./gone').G;
        export const value = ((it: A | B | C | D | E | G) => 1)(null as any);";
    assert_eq!(imported(text, &[]), "1");
}

#[test]
fn modules_may_import_each_other_in_a_circle() {
    let folder = Folder::of(&[
        (
            "a.ts",
            "import { twice } from './b';
            export const one = () => 1;
            export const value = twice();",
        ),
        ("b.ts", "import { one } from './a.ts'; export const twice = () => one() * 2;"),
    ]);
    let program = folder.load("a.ts");
    assert_eq!(program.resolve("b.ts", "./a.ts"), Some("a.ts"));
    assert_eq!(names(&program), ["a.ts", "b.ts"]);
    assert_eq!(value(program), "2");
}

#[test]
fn a_file_of_two_names_is_one_module() {
    let folder = Folder::of(&[
        (
            "a.ts",
            "import * as b from './b'; import * as c from './c'; export const value = b === c;",
        ),
        ("b.ts", "export {};"),
    ]);
    std::os::unix::fs::symlink("b.ts", folder.path().join("c.ts")).unwrap();
    assert_eq!(value(folder.load("a.ts")), "true");
}

#[test]
fn a_computed_import_finds_what_is_imported_elsewhere_in_the_file() {
    let text = "
        const name = (it: string) => './' + it;
        const known = await import(name('b'));
        const unknown = await import(name('c')).catch((error: Error) => error.message);
        export const value = [known === await import('./b'), /computed/.test(unknown)];";
    let others = [("b.ts", "export {};"), ("c.ts", "export {};")];
    assert_eq!(imported(text, &others), "[true,true]");
}

#[test]
fn a_missing_export_is_refused_by_its_name() {
    let folder = Folder::of(&[
        ("a.ts", "import { gone } from './b'; gone();"),
        ("b.ts", "export const there = 1;"),
    ]);
    let said = run(folder.load("a.ts"), |_, _| ()).unwrap_err().message;
    assert!(said.contains("gone") && said.contains("b.ts"), "{said}");
}

#[test]
fn links_may_lead_to_files_inside_of_the_root() {
    let folder = Folder::of(&[("..data/b.ts", "export const value = 1;")]);
    folder.write("..data/a.ts", "export { value } from './b';");
    for name in ["a.ts", "b.ts"] {
        let target = format!("..data/{name}");
        std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
    }
    let program = folder.load("a.ts");
    assert_eq!(names(&program), ["a.ts", "b.ts"]);
    assert_eq!(value(program), "1");
}

#[test]
fn what_could_change_the_result_is_watched() {
    let folder = Folder::of(&[("a.ts", "import './b'; import './c';"), ("b.mts", "")]);
    let watched = folder.watched("a.ts");
    for name in ["a.ts", "b", "b.ts", "b.mts", "c.ts", "c/index.ts"] {
        assert!(watched.iter().any(|it| it == name), "{name} is not in {watched:?}");
    }
}

#[test]
fn the_digest_changes_with_any_file() {
    let folder = Folder::of(&[("a.ts", "import './b';"), ("b.ts", "1;")]);
    let before = *folder.load("a.ts").digest();
    assert_eq!(before, *folder.load("a.ts").digest());
    folder.write("b.ts", "2;");
    assert_ne!(before, *folder.load("a.ts").digest());
}
