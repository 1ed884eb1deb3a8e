//! What the examples of the documents write to the log, read where an operator reads it: on a
//! real process. What they answer, their cases say.

use crate::support::{Process, Runtime, workspace};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A process that runs examples.
struct Examples {
    process: Process,
    runtime: Runtime,
    _folder: TempDir,
}

impl Examples {
    /// Serves these entries of the configuration, each with its name and its file.
    async fn serve(entries: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let examples = workspace().join("examples/middleware");
        let entry = |(name, file): &(&str, &str)| json!({"name": name, "kind": "script", "file": examples.join(file)});
        let entries: Vec<_> = entries.iter().map(entry).collect();
        let yaml = format!("log: {{ format: json }}\nmiddleware: {}", json!(entries));
        let process = Process::serve(folder.path(), &yaml).await;
        let runtime = Runtime::from(folder.path());
        Self { process, runtime, _folder: folder }
    }

    async fn ask(&self, hook: &str, request: Value) -> Value {
        self.runtime.ask(hook, request).await.unwrap()
    }

    /// Wraps a logical call with this id, which `gpt` answers, or nobody when there is no `meta`.
    async fn wrap(&self, id: &str, meta: Option<Value>) {
        let mut exchange = self.runtime.open("wrap").await;
        let context = json!({"run_id": "r", "request_id": id});
        exchange.send(json!({"open": {"context": context, "request": {"model": "gpt"}}}));
        exchange.play("result", json!({"value_json": "1", "meta": meta})).await;
    }

    /// What middleware has logged up to the line that contains `last`, each line as
    /// "middleware: text". Durations are `N`.
    async fn logged(&mut self, last: &str) -> Vec<String> {
        let lines = self.process.logs_until(last).await;
        let lines = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let of_middleware = |line: Value| {
            let name = line.get("middleware")?.as_str()?;
            let text = line["message"].as_str()?;
            Some(format!("{name}: {}", without_durations(text)))
        };
        lines.filter_map(of_middleware).collect()
    }
}

/// A text with `N ms` in the place of every duration.
fn without_durations(text: &str) -> String {
    let mut words: Vec<_> = text.split(' ').collect();
    for at in 1..words.len() {
        if words[at].trim_end_matches(',') == "ms" && words[at - 1].parse::<u64>().is_ok() {
            words[at - 1] = "N";
        }
    }
    words.join(" ")
}

/// Says that `gpt` answered after two attempts.
fn by_gpt() -> Option<Value> {
    Some(json!({"model": "gpt", "attempt_count": 2}))
}

#[tokio::test]
async fn every_model_call_is_measured() {
    let mut examples = Examples::serve(&[("timing", "timing.ts")]).await;
    for _ in 0..2 {
        let mut exchange = examples.runtime.open("wrap_model_call").await;
        exchange.send(json!({"open": {"call": {"model": "openai/gpt", "request": {}}}}));
        exchange.play("response", json!({"text": "hi"})).await;
    }
    let measured = [
        "timing: openai/gpt: 1 recorded, the last took N ms",
        "timing: openai/gpt: 2 recorded, the last took N ms",
    ];
    assert_eq!(examples.logged("2 recorded").await, measured);
}

#[tokio::test]
async fn only_runs_that_completed_are_archived() {
    let mut examples = Examples::serve(&[("archive", "archive.ts")]).await;
    let context = |run: &str| json!({"run_id": run, "thread_id": format!("thread of {run}")});
    let ended = [
        ("failed", json!({"error": {"type": "timeout"}})),
        ("paused", json!({"result": {"output": "so far"}})),
        ("completed", json!({"result": {"output": "done"}, "model": "openai/gpt"})),
    ];
    for (status, mut request) in ended {
        request["status"] = json!(format!("RUN_STATUS_{}", status.to_uppercase()));
        request["context"] = context(status);
        examples.ask("after_run", request).await;
    }
    let run = json!({"threadId": "thread of completed", "model": "openai/gpt", "output": "done"});
    let archived = examples.logged("archived run").await;
    assert_eq!(archived, [format!("archive: archived run 1: {run}")]);
}

#[tokio::test]
async fn a_traced_call_ends_the_span_that_it_started() {
    let mut examples = Examples::serve(&[("llm", "redaction.ts")]).await;
    examples.wrap("answered", by_gpt()).await;
    examples.wrap("cached", None).await;
    let traced = [
        "llm: span-1 started for answered",
        "llm: span-1 ended, answered by gpt",
        "llm: span-2 started for cached",
        "llm: span-2 ended, answered by no model",
    ];
    assert_eq!(examples.logged("span-2 ended").await, traced);
}

#[tokio::test]
async fn the_outer_middleware_reads_after_next_what_the_inner_one_wrote_before_it() {
    let mut examples = Examples::serve(&[("costs", "cost-tracking.ts")]).await;
    examples.wrap("one", by_gpt()).await;
    let tracked = ["costs: span-1 started for one", "costs: cost of span-1: N ms"];
    assert_eq!(examples.logged("cost of").await, tracked);
}

#[tokio::test]
async fn a_key_is_shared_by_the_files_that_import_it_and_by_no_other_of_that_name() {
    let mut examples = Examples::serve(&[
        ("reader", "span-reader.ts"),
        ("other", "redaction.ts"),
        ("writer", "span-writer.ts"),
    ])
    .await;
    examples.wrap("one", by_gpt()).await;
    let shared = [
        "other: span-1 started for one",
        "writer: span-1 started for one",
        "other: span-1 ended, answered by gpt",
        "reader: cost of span-1: 2 attempts of gpt",
    ];
    assert_eq!(examples.logged("cost of").await, shared);

    // Alone, the reader finds nothing: the other file's key is its own.
    let mut alone =
        Examples::serve(&[("reader", "span-reader.ts"), ("other", "redaction.ts")]).await;
    alone.wrap("two", by_gpt()).await;
    let logged = alone.logged("cost of").await;
    assert_eq!(logged.last().unwrap(), "reader: cost of undefined: 2 attempts of gpt");
}

#[tokio::test]
async fn the_cost_of_a_canned_answer_is_recorded_too_and_nothing_inside_it_runs() {
    let mut examples = Examples::serve(&[
        ("cost", "call-cost.ts"),
        ("canned", "canned-answer.ts"),
        ("span", "span-writer.ts"),
    ])
    .await;
    let mut exchange = examples.runtime.open("wrap").await;
    let context = json!({"run_id": "r", "request_id": "canned"});
    let messages = json!([{"role": "user", "text": "ping"}]);
    exchange.send(json!({"open": {"context": context, "request": {"messages": messages}}}));
    let (asked, finished) = exchange.finish().await;
    assert_eq!((asked.len(), &finished["answer"]["value_json"]), (0, &json!("\"canned answer\"")));
    examples.wrap("called", by_gpt()).await;
    let costs = [
        "cost: cost of canned: N ms, no model",
        "span: span-1 started for called",
        "cost: cost of called: N ms, 2 attempts of gpt",
    ];
    assert_eq!(examples.logged("cost of called").await, costs);
}

#[tokio::test]
async fn retries_are_counted_and_other_events_are_not() {
    let mut examples = Examples::serve(&[("metrics", "per-middleware-metrics.ts")]).await;
    for event in ["retry", "fallback", "rate_limited", "retry"] {
        examples.ask("on_event", json!({"event": {event: {}}})).await;
    }
    let counted = ["metrics: llm.retry.seen_by_mw: 1", "metrics: llm.retry.seen_by_mw: 2"];
    assert_eq!(examples.logged("seen_by_mw: 2").await, counted);
}

#[tokio::test]
async fn schedules_say_what_fired_and_how_it_closed() {
    let files = [("firing", "cron-job-firing.ts"), ("closed", "cron-job-completed.ts")];
    let mut examples = Examples::serve(&files).await;
    for prompt in ["Tidy up.", "Tidy up. [[cancel]]"] {
        let of =
            json!({"cron_job_id": "7", "kind": "heartbeat", "name": "pulse", "prompt": prompt});
        examples.ask("cron_job_firing", of).await;
    }
    let closed = json!({"cron_job_id": "7", "cron_job_run_id": "70", "status": "succeeded"});
    examples.ask("cron_job_completed", closed).await;
    let said = [
        "firing: [cron-sentinel] firing heartbeat \"pulse\" (cronJob 7)",
        "firing: [cron-sentinel] firing heartbeat \"pulse\" (cronJob 7)",
        "closed: [cron-sentinel] completed run 70 of cronJob 7: succeeded",
    ];
    assert_eq!(examples.logged("completed run").await, said);
}

#[tokio::test]
async fn what_needs_a_runtime_that_is_not_there_is_skipped_with_a_warning() {
    let mut examples = Examples::serve(&[("crew", "system-prompt-crew.ts")]).await;
    let response = examples.ask("system_prompt", json!({"system_prompt": "Help."})).await;
    assert_eq!(response, json!({"answer": {}}));
    let lines = examples.process.logs_until("host.agents.list is not there").await;
    let warning: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    assert_eq!((&warning["level"], &warning["middleware"]), (&json!("WARN"), &json!("crew")));
}

#[tokio::test]
async fn the_hooks_that_only_observe_say_that_they_were_asked() {
    let mut examples = Examples::serve(&[("every", "every-hook.ts")]).await;
    examples.ask("on_event", json!({"event": {"circuit_state": {}}})).await;
    examples.ask("session_clearing", json!({"message_count": 3})).await;
    examples.ask("session_clear_completed", json!({"deleted_message_count": 2})).await;
    examples.ask("cron_job_completed", json!({"status": "failed"})).await;
    let said = [
        "every: onEvent: circuit_state",
        "every: sessionClearing: 3 messages",
        "every: sessionClearCompleted: 2 messages",
        "every: cronJobCompleted: failed",
    ];
    assert_eq!(examples.logged("cronJobCompleted").await, said);
}
