//! Errors name the file, the line and the column of the TypeScript source.

use super::{Scripted, folder};
use serde_json::json;
use sidehook_server::config;

/// What is wrong with a configuration of these files, without the folder's path.
fn problems(files: &[(&str, &str)], entry: &str) -> String {
    let folder = folder(files);
    let file = folder.path().join("sidehook.yaml");
    let yaml = format!("version: 1\nmiddleware:\n  - {entry}\n");
    let error = config::compile(file.to_str().unwrap(), &yaml).unwrap_err();
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn a_script_that_does_not_load_says_where_and_why() {
    let entry = "{name: guard, kind: script, file: guard.ts}";
    let cases = [
        ("export default { beforeRun() { return } ", "guard.ts:1:"),
        ("const a: string = ;\nlet b = @;", "guard.ts:1:19"),
        ("import fs from 'node:fs';\nexport default { beforeRun: () => fs };", "guard.ts:1:16"),
        ("import './nothing.js';", "guard.ts:1:8"),
        ("type A = string;\n\nconst x: A = undefinedName;\nexport default {};", "guard.ts:3:14"),
        ("export const answer = 42;", "holds no middleware"),
        ("export default { beforeRn() {} , beforeStop() {} };", "did you mean `beforeRun`?"),
        (
            "export default { holdStream: true, afterModel() {} };",
            "`default.holdStream` is no setting; did you mean `holdsStream`?",
        ),
        ("export default { timeoutMS: 5, afterModel() {} };", "did you mean `timeoutMs`?"),
        ("export default { beforeRun: 5 };", "default.beforeRun must be a function, got number"),
        (
            "export default { priority: 'high', beforeRun() {} };",
            "default.priority must be a number",
        ),
        (
            "await new Promise(() => {});\nexport default { beforeRun() {} };",
            "does not come to an end",
        ),
        ("for (;;);\nexport default { beforeRun() {} };", "does not come to an end"),
        (
            "(async () => { for (;;) await null; })();\nexport default { beforeRun() {} };",
            "does not come to an end",
        ),
        (
            "const hook = (name) => ({ name, beforeRun() {} });\nexport default [hook('a'), hook('b\\nc')];",
            r#""b\nc" is not a name"#,
        ),
        (
            "const hook = (name) => ({ name, beforeRun() {} });\nexport default [hook('a'), hook('')];",
            "\"\" is not a name",
        ),
    ];
    for (code, expected) in cases {
        let limited = entry.replace("}", ", limits: {time: 200ms}}");
        let said = problems(&[("guard.ts", code)], &limited);
        assert!(said.contains(expected), "{code}\n{said}");
        assert!(said.contains("middleware[0]"), "{said}");
    }
    let said = problems(&[], entry);
    assert!(said.contains("guard.ts"), "{said}");
    let said = problems(&[], "{name: guard, kind: script, dir: guards}");
    assert!(said.contains("sidehook.yaml:3:38: middleware[0].dir: cannot read `guards`"), "{said}");
    let said = problems(&[], "{name: guard, kind: script}");
    assert!(said.contains("needs a `file` or a `dir`"), "{said}");
    let said = problems(&[("a.ts", "")], "{name: guard, kind: script, file: a.ts, dir: b}");
    assert!(said.contains("exclude each other"), "{said}");
}

#[test]
fn all_problems_of_all_scripts_are_shown_at_once() {
    let files =
        [("guards/a.ts", "const = 1;"), ("guards/b.ts", "export default { beforeRun( {} };")];
    let said = problems(&files, "{name: guards, kind: script, dir: guards, when: 'x <'}");
    for expected in ["guards/a.ts:1:7", "guards/b.ts:1:", "is no CEL expression"] {
        assert!(said.contains(expected), "{said}");
    }
}

#[tokio::test]
async fn an_error_at_run_time_names_hook_middleware_and_place() {
    let files = [
        (
            "guards/main.ts",
            "import { check } from './lib.js';\ninterface Unused { a: string }\nexport default {\n  name: 'main',\n  async beforeRun(event: { input: string }) {\n    await null;\n    check(event.input as string);\n  },\n};",
        ),
        (
            "guards/lib.ts",
            "enum Level { Low, High }\n\nexport function check<T extends string>(input: T): Level {\n  const it: any = undefined;\n  return it.level;\n}",
        ),
    ];
    let yaml = "middleware: [{name: guard, kind: script, file: guards/main.ts}]";
    let script = Scripted::with(&files, yaml).await;
    let message = script.failure("before_run", json!({"input": "x"})).await;
    assert!(message.starts_with("middleware `guard` threw in beforeRun: TypeError: "), "{message}");
    assert!(message.ends_with("(at guards/lib.ts:5:10)"), "{message}");
}

#[tokio::test]
async fn typed_errors_keep_their_class() {
    let script = Scripted::new(
        "import { LLMError } from 'vern-llm';
         export default { transform(request) {
           switch (request.model) {
             case 'typed': throw new LLMError('slow down', 'rate_limited', { code: 'quota' });
             case 'status': throw Object.assign(new Error('gone'), { status: 404 });
             case 'network': throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
             case 'provider': throw Object.assign(new Error('down'), { code: 'LLM_UNAVAILABLE' });
           }
         } };",
    )
    .await;
    for (model, kind, code, retryable) in [
        ("typed", "rate_limited", "quota", true),
        ("status", "invalid_params", "http_404", false),
        ("network", "network", "ECONNREFUSED", true),
        ("provider", "unavailable", "LLM_UNAVAILABLE", true),
    ] {
        let response = script.ask("transform", json!({"request": {"model": model}})).await;
        let failure = &response["failure"];
        let said =
            (&failure["type"], &failure["code"], failure["retryable"].as_bool().unwrap_or(false));
        assert_eq!(said, (&json!(kind), &json!(code), retryable), "{model}");
    }
}
