//! A changed configuration file, seen through the public door of a real process.

use crate::support::{Process, Runtime, address, run, soon};
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use tokio::{io::AsyncReadExt, net::unix::pipe};

/// A configuration whose guard of this name stops every run, read again every few milliseconds.
fn guarded_by(name: &str) -> String {
    format!("version: 1\nreload: {{ interval: 10ms }}\n{}", guard(name))
}

fn guard(name: &str) -> String {
    let rules = "[{ hook: before_run, then: { trip: stop } }]";
    format!("middleware: [{{ name: {name}, kind: rules, rules: {rules} }}]\n")
}

/// Moves a new file over `file`: nobody ever sees half of it.
fn replace(file: &Path, content: &str) {
    let new = file.with_extension("new");
    fs::write(&new, content).unwrap();
    fs::rename(new, file).unwrap();
}

/// A process that serves, and its configuration.
struct Served {
    folder: TempDir,
    file: PathBuf,
    process: Process,
    runtime: Runtime,
}

impl Served {
    async fn with(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sidehook.yaml");
        fs::write(&file, config).unwrap();
        Self::of(folder, file).await
    }

    async fn of(folder: TempDir, file: PathBuf) -> Self {
        let mut process = Process::spawn_with(&file, &["--listen", &address(folder.path())]);
        process.logs("serving").await;
        let runtime = Runtime::from(folder.path());
        Self { folder, file, process, runtime }
    }

    fn write(&self, config: &str) {
        replace(&self.file, config);
    }

    async fn describe(&self) -> Value {
        self.runtime.ask("Describe", json!({})).await.unwrap()
    }

    /// Waits until this guard stops new runs.
    async fn until_guarded_by(&self, name: &str) {
        let stopped = async {
            for fresh in 0.. {
                if self.stopped_by(&format!("{name}-{fresh}")).await == json!(name) {
                    return;
                }
            }
        };
        soon(stopped).await;
    }

    /// The guard that stops a run.
    async fn stopped_by(&self, id: &str) -> Value {
        let response = self.runtime.ask("before_run", json!({"context": run(id)})).await.unwrap();
        response["tripwire"]["middleware"].clone()
    }
}

#[tokio::test]
async fn a_new_middleware_is_in_force_without_a_restart() {
    let mut served = Served::with(&guarded_by("first")).await;
    let before = served.describe().await;
    served.write(&guarded_by("second"));
    served.until_guarded_by("second").await;
    let after = served.describe().await;
    assert_eq!((&before["config_generation"], &after["config_generation"]), (&json!(1), &json!(2)));
    for changed in ["config_hash", "config_load_time"] {
        assert_ne!(before[changed], after[changed], "{changed}");
    }
    assert_eq!(before["start_time"], after["start_time"]);
    let lines = served.process.logs_until("configuration in force").await;
    let line = lines.last().unwrap();
    let hash = after["config_hash"].as_str().unwrap();
    for said in ["config_generation=2", hash, "sidehook.yaml", "second", "first"] {
        assert!(line.contains(said), "{said} is not in {line}");
    }
}

#[tokio::test]
async fn a_run_that_has_started_keeps_its_chains() {
    let served = Served::with(&guarded_by("first")).await;
    assert_eq!(served.stopped_by("old").await, json!("first"));
    served.write(&guarded_by("second"));
    served.until_guarded_by("second").await;
    assert_eq!(served.stopped_by("old").await, json!("first"));
}

#[tokio::test]
async fn a_broken_file_leaves_the_old_one_in_force_and_the_mended_one_is_taken_up() {
    let mut served = Served::with(&guarded_by("first")).await;
    let broken = guarded_by("second").replace("kind: rules", "kind: rulez, prioritty: 1");
    served.write(&broken);
    let lines = served.process.logs_until("the one in force stays").await;
    let problems = ["sidehook.yaml:3:36", "prioritty", "did you mean `rules`?"];
    for problem in problems {
        assert!(lines.last().unwrap().contains(problem), "{problem} is not in {lines:?}");
    }
    assert_eq!(served.stopped_by("a").await, json!("first"));
    let described = served.describe().await;
    assert_eq!(described["config_generation"], json!(1));
    assert!(described.get("last_reload_error_time").is_some());
    for problem in problems {
        let error = described["last_reload_error"].as_str().unwrap();
        assert!(error.contains(problem), "{problem} is not in {error}");
    }

    served.write(&guarded_by("third"));
    served.until_guarded_by("third").await;
    let described = served.describe().await;
    assert_eq!(described["config_generation"], json!(2));
    assert_eq!(described.get("last_reload_error"), None);
    assert_eq!(described.get("last_reload_error_time"), None);
}

#[tokio::test]
async fn a_removed_file_leaves_the_old_one_in_force_until_it_is_back() {
    let mut served = Served::with(&guarded_by("first")).await;
    fs::remove_file(&served.file).unwrap();
    served.process.logs("cannot read").await;
    assert_eq!(served.stopped_by("a").await, json!("first"));
    served.write(&guarded_by("second"));
    served.until_guarded_by("second").await;
}

#[tokio::test]
async fn the_same_content_makes_no_generation_and_no_line_of_the_log() {
    let config = guarded_by("first") + "log: { level: debug }";
    let mut served = Served::with(&config).await;
    served.write(&config);
    let lines = served.process.logs_until("configuration unchanged").await;
    assert!(!lines.iter().any(|line| line.contains("in force")), "{lines:?}");
    assert!(lines.last().unwrap().contains("DEBUG"), "{lines:?}");
    assert_eq!(served.describe().await["config_generation"], json!(1));
}

#[tokio::test]
async fn a_file_that_is_moved_over_the_old_one_is_seen() {
    let served = Served::with(&guarded_by("first")).await;
    for name in ["second", "third"] {
        replace(&served.file, &guarded_by(name));
        served.until_guarded_by(name).await;
    }
}

#[tokio::test]
async fn writes_in_place_are_seen_and_the_last_one_wins() {
    let served = Served::with(&guarded_by("first")).await;
    // All have the same length.
    for round in 10..15 {
        fs::write(&served.file, guarded_by(&format!("quick-{round}"))).unwrap();
        fs::write(&served.file, guarded_by(&format!("right-{round}"))).unwrap();
        served.until_guarded_by(&format!("right-{round}")).await;
    }
}

/// Writes a version of a mounted `ConfigMap`, and points `..data` to it as Kubernetes does.
fn mount(folder: &Path, version: &str) {
    fs::create_dir(folder.join(version)).unwrap();
    fs::write(folder.join(version).join("sidehook.yaml"), guarded_by(version)).unwrap();
    symlink(version, folder.join("..data_tmp")).unwrap();
    fs::rename(folder.join("..data_tmp"), folder.join("..data")).unwrap();
}

#[tokio::test]
async fn a_mounted_config_map_that_changes_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    mount(folder.path(), "v1");
    let file = folder.path().join("sidehook.yaml");
    symlink("..data/sidehook.yaml", &file).unwrap();
    let served = Served::of(folder, file).await;
    for version in ["v2", "v3"] {
        mount(served.folder.path(), version);
        served.until_guarded_by(version).await;
    }
}

#[tokio::test]
async fn a_signal_reloads_at_once_also_when_nobody_looks_by_itself() {
    let silent = |name: &str| guarded_by(name).replace("10ms", "0");
    let mut served = Served::with(&silent("first")).await;
    served.process.hang_up();
    served.process.logs("asked to reload").await;
    served.write(&silent("second"));
    served.process.hang_up();
    served.until_guarded_by("second").await;
    // The interval is taken up too.
    served.write(&guarded_by("third"));
    served.process.hang_up();
    served.until_guarded_by("third").await;
    served.write(&guarded_by("fourth"));
    served.until_guarded_by("fourth").await;
}

#[tokio::test]
async fn an_open_stream_keeps_its_chains_and_delays_no_reload() {
    let masked = |pii: &str| format!("version: 1\nreload: {{ interval: 10ms }}\n{pii}");
    let mask = "builtin: { pii: { answers: true } }\n";
    let served = Served::with(&masked(mask)).await;
    let mut call = served.runtime.open("wrap_model_call").await;
    call.send(json!({"open": {"context": run("open"), "call": {}}}));
    let next = call.expect("next").await;

    served.write(&masked(&guard("second")));
    served.until_guarded_by("second").await;
    let response = json!({"text": "Write to ada@example.com"});
    call.send(json!({"end": {"invocation": next["invocation"], "response": response}}));
    let (_, finished) = call.finish().await;
    assert_eq!(finished["answer"]["response"]["text"], json!("Write to a***@****.com"));
}

#[tokio::test]
async fn what_only_a_restart_changes_is_named_and_the_chains_are_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sidehook.yaml");
    let listening = |socket: &str, name: &str| {
        let address = address(folder.path()).replace("sidehook.sock", socket);
        format!("listen: {{ grpc: ['{address}'] }}\n{}", guarded_by(name))
    };
    fs::write(&file, listening("sidehook.sock", "first")).unwrap();
    let mut process = Process::spawn_with(&file, &[]);
    process.logs("serving").await;
    let runtime = Runtime::from(folder.path());
    let other = listening("other.sock", "second") + "limits: { message_size: 1MiB }";
    replace(&file, &other);
    for key in ["listen.grpc", "limits.message_size"] {
        let lines = process.logs_until("takes effect after a restart").await;
        let line = lines.last().unwrap();
        assert!(line.contains("WARN") && line.contains(key), "{key} is not in {line}");
    }
    let response = runtime.ask("before_run", json!({})).await.unwrap();
    assert_eq!(response["tripwire"]["middleware"], json!("second"));
    assert!(!fs::exists(folder.path().join("other.sock")).unwrap());
}

#[tokio::test]
async fn the_audit_records_of_an_older_configuration_are_written_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("audit.fifo");
    assert!(Command::new("mkfifo").arg(&records).status().unwrap().success());
    let mut pipe = pipe::OpenOptions::new().open_receiver(&records).unwrap();
    let audit = format!(
        "version: 1\nreload: {{ interval: 10ms }}\nmiddleware: [{{ name: audit, kind: audit, file: {} }}]",
        records.display()
    );
    let file = folder.path().join("sidehook.yaml");
    fs::write(&file, audit).unwrap();
    let mut served = Served::of(folder, file).await;
    let ask = |hook, request: Value| served.runtime.ask(hook, request);
    ask("before_model", json!({"context": run("old")})).await.unwrap();
    served.write(&guarded_by("second"));
    served.process.logs("configuration in force").await;
    // More than the pipe holds, so that most of them wait.
    let calls = (0..500).map(|_| ask("before_model", json!({"context": run("old")})));
    futures::future::join_all(calls).await;
    // Now nobody uses the older configuration any more.
    ask("after_run", json!({"context": run("old"), "status": "RUN_STATUS_COMPLETED"}))
        .await
        .unwrap();
    served.process.terminate();
    // Nobody reads before nothing else is left to do.
    while fs::exists(served.folder.path().join("sidehook.sock")).unwrap() {
        tokio::task::yield_now().await;
    }
    let mut text = String::new();
    let read = soon(pipe.read_to_string(&mut text)).await;
    read.unwrap();
    assert_eq!(text.lines().count(), 502);
}
