//! Modules that are built in.

use std::borrow::Cow;
use std::sync::Arc;

use rquickjs::{Context, Module, Runtime};

use super::super::{BUILTIN_MODULES, ProgramModules};
use super::folder::{Folder, load};
use super::runtime::{run, value};

#[test]
fn a_built_in_module_knows_who_imports_it() {
    let folder = Folder::of(&[
        (
            "a.ts",
            "import { importer } from 'sidehook';\nimport { other } from './keys/b.ts';\nexport const value = [importer, other];",
        ),
        ("keys/b.ts", "import { importer } from 'vern-llm';\nexport const other = importer;"),
    ]);
    assert_eq!(value(folder.load("a.ts")), r#"["a.ts","keys/b.ts"]"#);
}

#[test]
fn all_aliases_are_one_module() {
    let [first, second, third] = BUILTIN_MODULES;
    let text = format!(
        "import * as a from '{first}'; import * as b from '{second}'; import * as c from '{third}';
        export const value = [a === b, b === c, a === await import('{first}')];"
    );
    assert_eq!(value(load("a.ts", &text)), "[true,true,true]");
}

#[test]
fn built_in_modules_import_each_other() {
    let program = Arc::new(load("a.ts", "import { value } from 'sidehook'; export { value };"));
    let modules = ProgramModules::new(program.clone(), |specifier, importer| {
        let (name, source) = match specifier {
            "sidehook" => {
                (format!("sidehook:for/{importer}"), "export { value } from 'sidehook:core'")
            }
            "sidehook:core" => (specifier.to_owned(), "export const value = 7"),
            _ => return None,
        };
        Some((name, Cow::Borrowed(source)))
    });
    let runtime = Runtime::new().unwrap();
    runtime.set_loader(modules.clone(), modules);
    Context::full(&runtime).unwrap().with(|ctx| {
        let code = program.code("a.ts").unwrap();
        let (module, done) = Module::declare(ctx, "a.ts", code).unwrap().eval().unwrap();
        done.finish::<()>().unwrap();
        assert_eq!(module.get::<_, u32>("value").unwrap(), 7);
    });
}

#[test]
fn a_script_cannot_name_an_inner_module() {
    let text = "export const value = await import('side' + 'hook:core').catch(it => it.message)";
    let said = run(load("a.ts", text), |_, exports| exports.get::<_, String>("value").unwrap());
    assert!(said.as_ref().unwrap().contains("sidehook:core"), "{said:?}");
}
