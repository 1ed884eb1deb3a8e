//! The real binary: signals, sockets and files.

use crate::support::{Process, Runtime, address, run, sidehook};
use serde_json::{Value, json};
use std::{path::Path, process::Command, time::Duration};
use tokio::{io::AsyncReadExt, net::unix::pipe, time::Instant};

async fn fire(runtime: &Runtime, id: &str) {
    runtime.ask("before_run", json!({"context": run(id)})).await.unwrap();
}

async fn end(runtime: &Runtime, id: &str) {
    let request = json!({"context": run(id), "status": "RUN_STATUS_COMPLETED"});
    runtime.ask("after_run", request).await.unwrap();
}

fn socket(folder: &Path) -> bool {
    std::fs::exists(folder.join("sidehook.sock")).unwrap()
}

#[tokio::test]
async fn an_idle_process_ends_promptly_and_removes_its_socket() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::serve(folder.path(), "").await;
    let runtime = Runtime::from(folder.path());
    fire(&runtime, "a").await;
    end(&runtime, "a").await;
    assert!(socket(folder.path()));
    let started = Instant::now();
    process.terminate();
    assert_eq!(process.ended().await.code(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert!(!socket(folder.path()));
}

#[tokio::test]
async fn a_hung_runtime_holds_a_process_until_the_deadline_and_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::serve(folder.path(), "drain: { deadline: 1s }").await;
    let runtime = Runtime::from(folder.path());
    let mut call = runtime.open("wrap_model_call").await;
    call.send(json!({"open": {"context": run("hung"), "call": {}}}));
    call.expect("next").await;
    let started = Instant::now();
    process.terminate();
    assert_eq!(process.ended().await.code(), Some(0));
    let took = started.elapsed();
    assert!((1_000..10_000).contains(&took.as_millis()), "{took:?}");
    assert!(!socket(folder.path()));
}

#[tokio::test]
async fn what_has_started_finishes_after_the_signal() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::serve(folder.path(), "").await;
    let runtime = Runtime::from(folder.path());
    let mut call = runtime.open("wrap_model_call").await;
    call.send(json!({"open": {"context": run("old"), "call": {}}}));
    call.expect("next").await;
    process.terminate();
    process.logs("draining").await;
    fire(&runtime, "old").await;
    call.send(json!({"end": {"invocation": 1, "response": {}}}));
    call.finish().await;
    end(&runtime, "old").await;
    assert_eq!(process.ended().await.code(), Some(0));
}

#[tokio::test]
async fn a_second_signal_ends_a_process_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::serve(folder.path(), "drain: { deadline: 10m }").await;
    fire(&Runtime::from(folder.path()), "open").await;
    process.terminate();
    process.logs("draining").await;
    process.terminate();
    assert_eq!(process.ended().await.code(), Some(0));
}

#[tokio::test]
async fn the_last_audit_records_are_written_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("audit.fifo");
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    let mut pipe = pipe::OpenOptions::new().open_receiver(&file).unwrap();
    let yaml = format!("middleware: [{{ name: audit, kind: audit, file: {} }}]", file.display());
    let mut process = Process::serve(folder.path(), &yaml).await;
    let runtime = Runtime::from(folder.path());
    futures::future::join_all((0..500).map(|_| fire(&runtime, "a"))).await;
    end(&runtime, "a").await;
    process.terminate();
    while socket(folder.path()) {
        tokio::task::yield_now().await;
    }
    // Nobody has read so far, so the pipe is full, records wait, and so does the process.
    let stopped = tokio::time::timeout(Duration::from_millis(300), process.logs("stopped")).await;
    assert!(stopped.is_err(), "the process waits for its records");
    let mut text = String::new();
    pipe.read_to_string(&mut text).await.unwrap();
    assert_eq!(process.ended().await.code(), Some(0));
    let records: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 501);
    assert_eq!(records.last().unwrap()["hook"], json!("after_run"));
}

#[tokio::test]
async fn two_processes_do_not_share_a_socket() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Process::serve(folder.path(), "").await;
    let mut second = Process::spawn(folder.path(), "");
    second.logs("another process serves it").await;
    assert_eq!(second.ended().await.code(), Some(1));
    fire(&Runtime::from(folder.path()), "a").await;
    end(&Runtime::from(folder.path()), "a").await;
    first.terminate();
    assert_eq!(first.ended().await.code(), Some(0));
}

#[tokio::test]
async fn a_socket_that_a_killed_process_left_behind_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut killed = Process::serve(folder.path(), "").await;
    killed.kill().await;
    assert!(socket(folder.path()));
    let _served = Process::serve(folder.path(), "").await;
    fire(&Runtime::from(folder.path()), "a").await;
}

#[tokio::test]
async fn a_wrong_configuration_is_refused_with_everything_that_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let yaml = "limits: { timeout: 5 }\nmiddlewares: []\nruns: { pinn: true }";
    let mut process = Process::spawn(folder.path(), yaml);
    for problem in ["limits.timeout", "did you mean `middleware`?", "did you mean `pin`?"] {
        process.logs(problem).await;
    }
    assert_eq!(process.ended().await.code(), Some(64));
    assert!(!socket(folder.path()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_probe_reads_health_from_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let address = address(folder.path());
    let probe = || sidehook(&["health", "--address", &address]).status.code();
    assert_eq!(probe(), Some(1));
    let mut process = Process::serve(folder.path(), "drain: { deadline: 10m }").await;
    assert_eq!(probe(), Some(0));
    let service = ["health", "--address", &address, "--service", "sidehook.v1.RunHooks"];
    assert_eq!(sidehook(&service).status.code(), Some(0));
    let nothing = ["health", "--address", &address, "--service", "nothing"];
    assert_eq!(sidehook(&nothing).status.code(), Some(1));
    fire(&Runtime::from(folder.path()), "open").await;
    process.terminate();
    process.logs("draining").await;
    assert_eq!(probe(), Some(1));
}
