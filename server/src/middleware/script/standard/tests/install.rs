//! What a script finds on its global object, and what it does not.

use std::time::Instant;

use rquickjs::{Context, Runtime};

use super::script::{Script, assert_values};
use crate::middleware::script::standard::install;

#[test]
fn the_objects_are_there_and_not_enumerable() {
    for (name, kind) in [
        ("URL", "function"),
        ("URLSearchParams", "function"),
        ("TextEncoder", "function"),
        ("TextDecoder", "function"),
        ("structuredClone", "function"),
        ("crypto", "object"),
        ("console", "object"),
        ("atob", "function"),
        ("btoa", "function"),
        ("queueMicrotask", "function"),
    ] {
        let script = Script::new();
        let found = script.value(&format!(
            "['{name}' in globalThis, Object.keys(globalThis).includes('{name}'), typeof {name}, \
              Object.getOwnPropertyDescriptor(globalThis, '{name}').writable]"
        ));
        assert_eq!(found, serde_json::json!([true, false, kind, true]), "{name}");
    }
    assert_values(&[("typeof performance.now()", r#""number""#)]);
}

#[test]
fn what_would_open_the_host_is_absent() {
    for name in ["self", "window", "process", "require", "Deno", "Bun", "fetch", "setTimeout"] {
        assert_eq!(Script::new().value(&format!("'{name}' in globalThis")), false, "{name}");
    }
}

#[test]
fn a_script_may_put_its_own_in_the_place() {
    assert_values(&[
        ("globalThis.URL = 1; URL", "1"),
        ("globalThis.console = { log: 2 }; console.log", "2"),
        ("delete globalThis.crypto; typeof crypto", r#""undefined""#),
        ("const u = URL; globalThis.URL = 1; new u('http://a').href", r#""http://a/""#),
        (
            "const { get } = Object.getOwnPropertyDescriptor(globalThis, 'URL'); globalThis.URL = 1; get(); URL",
            "1",
        ),
        ("Object.freeze(globalThis); new URL('http://a').href", r#""http://a/""#),
        ("class URL { x = 3 }; new URL().x", "3"),
        ("URL === URL && console === console && crypto.subtle === crypto.subtle", "true"),
    ]);
}

/// Prints the cost of the objects: run it with `--release --ignored --nocapture`.
#[test]
#[ignore = "it measures, and its numbers are the machine's"]
#[expect(clippy::print_stdout, reason = "the numbers are for the reader")]
fn cost() {
    let used = |runtime: &Runtime| {
        runtime.run_gc();
        runtime.memory_usage().malloc_size
    };
    for source in [
        "0",
        "new URL('http://a')",
        "new TextDecoder('utf-8')",
        "structuredClone(1)",
        "crypto.randomUUID()",
        "console.log('text')",
        "console.log({})",
        "[new URL('http://a'), new TextDecoder(), structuredClone(1), crypto, console.log({})]",
    ] {
        let runtime = Runtime::new().unwrap();
        let context = Context::full(&runtime).unwrap();
        let bare = used(&runtime);
        let start = Instant::now();
        context.with(|ctx| install(&ctx, |_, _| ()).unwrap());
        let installed = start.elapsed();
        let start = Instant::now();
        context.with(|ctx| ctx.eval::<(), _>(format!("void {source}")).unwrap());
        let first = start.elapsed();
        println!("{source}: {bare} + {} bytes, {installed:?} + {first:?}", used(&runtime) - bare);
    }
}
