//! Scripts that come and change while the sidecar runs, as a guard author sees it.

use crate::support::{Process, Runtime, soon};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};
use tempfile::TempDir;

/// As document 000 prints it: without an import, and without an export.
const NO_EMAILS: &str = "\
const noEmails: RunMiddleware = {
  name: 'no-emails',
  holdsStream: true,
  afterModel: ({ response }) => ({
    content: response.content.replace(/[\\w.+-]+@[\\w-]+\\.[\\w.]+/g, '[email removed]'),
  }),
};
";

/// A process that serves, and its folder.
struct Served {
    folder: TempDir,
    process: Process,
    runtime: Runtime,
}

impl Served {
    async fn new(files: &[(&str, &str)], middleware: &str) -> Self {
        let folder = super::folder(files);
        let yaml = format!("reload: {{ interval: 10ms }}\nmiddleware: {middleware}");
        let process = Process::serve(folder.path(), &yaml).await;
        let runtime = Runtime::from(folder.path());
        Self { folder, process, runtime }
    }

    /// Moves a new file into its place: nobody ever sees half of it.
    fn write(&self, name: &str, text: &str) {
        let path: PathBuf = self.folder.path().join(name);
        let new = path.with_extension("new");
        fs::write(&new, text).unwrap();
        fs::rename(new, path).unwrap();
    }

    fn configure(&self, middleware: &str) {
        let yaml = format!("version: 1\nreload: {{ interval: 10ms }}\nmiddleware: {middleware}");
        self.write("sidehook.yaml", &yaml);
    }

    /// What the model's answer becomes in a run.
    async fn answered(&self, run: &str) -> Value {
        let request = json!({
            "context": {"run_id": run},
            "response": {"text": "Mail ada@example.com"},
        });
        self.runtime.ask("after_model", request).await.unwrap()["answer"]["content"].clone()
    }

    /// Waits until the `n`th configuration is in force.
    async fn until_generation(&self, n: u32) {
        let in_force = async {
            while self.runtime.ask("Describe", json!({})).await.unwrap()["config_generation"] != n {
                tokio::task::yield_now().await;
            }
        };
        soon(in_force).await;
    }

    /// Waits until new runs get this answer.
    async fn until(&self, content: Value) {
        let answered = async {
            for fresh in 0.. {
                if self.answered(&format!("{content}-{fresh}")).await == content {
                    return;
                }
            }
        };
        soon(answered).await;
    }
}

#[tokio::test]
async fn a_script_is_dropped_in_while_the_sidecar_runs() {
    let served = Served::new(&[], "[]").await;
    assert_eq!(served.answered("before").await, Value::Null);
    served.write("no-emails.ts", NO_EMAILS);
    served.configure("[{ name: no-emails, kind: script, file: no-emails.ts }]");
    served.until(json!("Mail [email removed]")).await;
}

#[tokio::test]
async fn a_changed_script_is_taken_up_and_a_broken_one_is_not() {
    let entry = "[{ name: no-emails, kind: script, file: no-emails.ts }]";
    let mut served = Served::new(&[("no-emails.ts", NO_EMAILS)], entry).await;
    assert_eq!(served.answered("old").await, "Mail [email removed]");
    served.write("no-emails.ts", &NO_EMAILS.replace("email removed", "gone"));
    served.until(json!("Mail [gone]")).await;
    // A run that has started keeps what it started with.
    assert_eq!(served.answered("old").await, "Mail [email removed]");

    served.write("no-emails.ts", &NO_EMAILS.replace("=> ({", "=> {{"));
    let lines = served.process.logs_until("the one in force stays").await;
    assert!(lines.last().unwrap().contains("no-emails.ts:6:3"), "{lines:?}");
    assert_eq!(served.answered("new").await, "Mail [gone]");
    served.write("no-emails.ts", &NO_EMAILS.replace("email removed", "mended"));
    served.until(json!("Mail [mended]")).await;
}

#[tokio::test]
async fn a_changed_import_and_a_new_file_in_a_folder_are_noticed() {
    let by = |tag: &str| {
        format!(
            "import {{ tag }} from './lib/tag.js';\nexport default {{ afterModel: ({{ response }}) => ({{ content: response.content + tag + '{tag}' }}) }};"
        )
    };
    let files = [("guards/a.ts", by("a")), ("guards/lib/tag.ts", "export const tag = '1';".into())];
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let served = Served::new(&files, "[{ name: guards, kind: script, dir: guards }]").await;
    assert_eq!(served.answered("first").await, "Mail ada@example.com1a");
    served.write("guards/lib/tag.ts", "export const tag = '2';");
    served.until(json!("Mail ada@example.com2a")).await;
    served.write("guards/b.ts", &by("b"));
    // The one nearest the model sees the answer first.
    served.until(json!("Mail ada@example.com2b2a")).await;
}

#[tokio::test]
async fn the_threads_of_scripts_that_went_away_end() {
    let by = |n: u32| {
        format!(
            "setInterval(() => {{ for (;;); }}, 1);\nexport default {{ afterModel: () => ({{ content: '{n}' }}) }};"
        )
    };
    let entry = "[{ name: guard, kind: script, file: guard.ts, limits: { time: 1h } }]";
    let served = Served::new(&[("guard.ts", &by(1))], entry).await;
    for generation in 2..6 {
        served.write("guard.ts", &by(generation));
        served.until_generation(generation).await;
    }
    served.configure("[]");
    served.until_generation(6).await;
    let ended = async {
        while served.process.threads("script") > 0 {
            tokio::task::yield_now().await;
        }
    };
    soon(ended).await;
}

#[tokio::test]
async fn a_script_that_runs_on_does_not_keep_the_process() {
    let code =
        "setInterval(() => { for (;;); }, 1); export default { afterModel() { for (;;); } };";
    let entry =
        "[{ name: guard, kind: script, file: guard.ts, timeout: 1s, limits: { time: 1h } }]";
    let mut served = Served::new(&[("guard.ts", code)], entry).await;
    let request = json!({"response": {"text": "x"}});
    let response = served.runtime.ask("after_model", request).await.unwrap();
    assert_eq!(response["failure"]["type"], "timeout");
    served.process.terminate();
    assert!(served.process.ended().await.success());
}

#[tokio::test]
async fn a_script_that_did_not_change_keeps_what_it_remembers() {
    let counts =
        "let calls = 0;\nexport default { afterModel: () => ({ content: String(++calls) }) };";
    let entry = |more: &str| format!("[{{ name: counts, kind: script, file: counts.ts }}{more}]");
    let served = Served::new(&[("counts.ts", counts)], &entry("")).await;
    assert_eq!(served.answered("1").await, "1");
    served.configure(&entry(", { name: pii, kind: pii }"));
    served.until_generation(2).await;
    assert_eq!(served.answered("2").await, "2");
}
