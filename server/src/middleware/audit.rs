//! `audit`: one content-free record per hook call, as a JSON line.
//!
//! A record says who called which hook, what came of it and which middleware did
//! what, and never holds payload text. A writer of its own does the output, so
//! that a slow disk never slows a hook; what does not fit its queue is counted,
//! and the count is written as a record of its own.

use super::{Middleware, Record};
use crate::{engine::Step, hooks::HookSet};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sidehook_proto::v1;
use std::{
    fs::OpenOptions,
    io::{self, BufWriter, Write},
    path::PathBuf,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};
use tokio::sync::oneshot;

/// So many records may wait for the disk, about 4 MB.
const QUEUE: usize = 8192;

/// So many bytes are written at once: what a pipe takes without mixing in what
/// another writer writes.
const AT_ONCE: usize = 4096;

/// Where records go.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AuditConfig {
    /// The file that records are appended to, made if it is not there. Absent
    /// means standard output.
    pub file: Option<PathBuf>,
}

/// Writes a record for every hook call.
#[derive(Debug)]
pub struct Audit {
    queue: SyncSender<Job>,
    dropped: AtomicU64,
}

enum Job {
    Line(String),
    Flush(oneshot::Sender<()>),
}

impl Audit {
    /// An audit that appends to the configured file.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn open(config: &AuditConfig) -> io::Result<Self> {
        let out: Box<dyn Write + Send> = match &config.file {
            Some(path) => Box::new(OpenOptions::new().create(true).append(true).open(path)?),
            None => Box::new(io::stdout()),
        };
        Self::to(out)
    }

    /// An audit that writes to `out`.
    ///
    /// # Errors
    ///
    /// The writer's thread cannot be started.
    pub fn to(out: Box<dyn Write + Send>) -> io::Result<Self> {
        let (queue, jobs) = sync_channel(QUEUE);
        thread::Builder::new().name("audit".into()).spawn(move || write(out, &jobs))?;
        Ok(Self { queue, dropped: AtomicU64::new(0) })
    }

    fn send(&self, line: String) {
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 && self.queue.try_send(Job::Line(lost(dropped))).is_err() {
            self.dropped.fetch_add(dropped, Ordering::Relaxed);
        }
        if self.queue.try_send(Job::Line(line)).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[async_trait]
impl Middleware for Audit {
    fn hooks(&self) -> HookSet {
        HookSet::ALL
    }

    fn observes(&self) -> bool {
        true
    }

    fn observe(&self, record: &Record<'_>) {
        match serde_json::to_string(&Line::of(record)) {
            Ok(line) => self.send(line),
            Err(error) => tracing::error!(%error, "an audit record cannot be written"),
        }
    }

    async fn flush(&self) {
        let (done, written) = oneshot::channel();
        let queue = self.queue.clone();
        // The queue may be full, and waiting for it would block a worker.
        let asked = tokio::task::spawn_blocking(move || queue.send(Job::Flush(done)));
        if matches!(asked.await, Ok(Ok(()))) {
            let _writer_gone = written.await;
        }
    }
}

/// Writes what comes until every sender is gone. Lines are flushed as soon as
/// none waits, so that a reader sees them at once.
fn write(out: Box<dyn Write + Send>, jobs: &Receiver<Job>) {
    // Whole lines, so that those of two writers of one file never mix: while the
    // configuration changes there are two.
    let mut out = BufWriter::with_capacity(AT_ONCE, out);
    let mut failed = false;
    let mut next = jobs.recv().ok();
    while let Some(job) = next {
        let written = match job {
            Job::Line(mut line) => {
                line.push('\n');
                out.write_all(line.as_bytes())
            }
            Job::Flush(done) => {
                let flushed = out.flush();
                let _nobody_waits = done.send(());
                flushed
            }
        };
        next = jobs.try_recv().ok();
        let written = if next.is_none() { written.and_then(|()| out.flush()) } else { written };
        if let (Err(error), false) = (&written, failed) {
            tracing::error!(%error, "audit records are lost");
        }
        failed = written.is_err();
        next = next.or_else(|| jobs.recv().ok());
    }
}

fn lost(count: u64) -> String {
    serde_json::json!({ "time": now(), "lost_records": count }).to_string()
}

fn now() -> String {
    jiff::Timestamp::now().to_string()
}

/// A record as it is written.
#[derive(Serialize)]
struct Line<'a> {
    time: String,
    hook: &'static str,
    run_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    request_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    thread_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    session_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    agent_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    agent_name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    user_id: &'a str,
    iteration: i32,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    decided_by: &'a str,
    duration_us: u128,
    generation: u64,
    steps: Vec<LineStep<'a>>,
}

/// A step of a record.
#[derive(Serialize)]
struct LineStep<'a> {
    middleware: &'a str,
    kind: &'a str,
    outcome: String,
    duration_us: u128,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    changed_fields: &'a [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    would_have: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

impl<'a> Line<'a> {
    fn of(record: &'a Record<'a>) -> Self {
        let context = record.context;
        Self {
            time: jiff::Timestamp::try_from(record.time)
                .map_or_else(|_| now(), |at| at.to_string()),
            hook: record.hook.name(),
            run_id: &context.run_id,
            request_id: &context.request_id,
            thread_id: &context.thread_id,
            session_id: &context.session_id,
            agent_id: &context.agent_id,
            agent_name: &context.agent_name,
            user_id: &context.user_id,
            iteration: context.iteration,
            outcome: record.outcome.name(),
            decision: record.decision.map(str::to_ascii_lowercase),
            decided_by: record.decided_by,
            duration_us: record.duration.as_micros(),
            generation: record.generation,
            steps: record.steps.0.iter().map(LineStep::of).collect(),
        }
    }
}

impl<'a> LineStep<'a> {
    fn of(step: &'a Step) -> Self {
        Self {
            middleware: &step.middleware,
            kind: step.kind,
            outcome: name(step.outcome),
            duration_us: step.duration.as_micros(),
            changed_fields: &step.changed_fields,
            would_have: step.would_have.map(name),
            // The class and code of a fault, not its message, which may quote
            // what the middleware was given.
            fault: step.fault.as_ref().map(|fault| fault.to_failure("")).map(|it| it.code),
        }
    }
}

fn name(outcome: v1::StepOutcome) -> String {
    outcome.as_str_name().trim_start_matches("STEP_OUTCOME_").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::Steps, hooks::HookId, middleware::RecordOutcome};
    use parking_lot::Mutex;
    use serde_json::Value;
    use std::{
        sync::Arc,
        time::{Duration, SystemTime},
    };

    fn observe(audit: &Audit, run: &str) {
        let context = v1::HookContext {
            run_id: run.into(),
            deps_json: r#"{"secret":"payload"}"#.into(),
            ..v1::HookContext::default()
        };
        audit.observe(&Record {
            time: SystemTime::UNIX_EPOCH,
            hook: HookId::BeforeToolCall,
            context: &context,
            outcome: RecordOutcome::Vetoed,
            decision: Some("DENY"),
            decided_by: "guard",
            duration: Duration::from_micros(7),
            steps: &Steps::default(),
            generation: 3,
        });
    }

    #[tokio::test]
    async fn a_record_is_one_json_line_without_payload() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("audit.jsonl");
        let audit = Audit::open(&AuditConfig { file: Some(file.clone()) }).unwrap();
        observe(&audit, "r1");
        observe(&audit, "r2");
        audit.flush().await;
        let text = std::fs::read_to_string(file).unwrap();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(
            (&lines[0]["hook"], &lines[1]["run_id"]),
            (&"before_tool_call".into(), &"r2".into())
        );
        assert_eq!(
            (&lines[0]["decision"], &lines[0]["decided_by"]),
            (&"deny".into(), &"guard".into())
        );
        assert_eq!(lines[0]["time"], "1970-01-01T00:00:00Z");
        assert!(!text.contains("payload"), "{text}");
    }

    /// A writer that keeps what each write gets.
    #[derive(Clone, Default)]
    struct Writes(Arc<Mutex<Vec<Vec<u8>>>>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().push(bytes.into());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_write_holds_whole_lines_so_that_two_writers_of_a_file_never_mix() {
        let writes = Writes::default();
        let audit = Audit::to(Box::new(writes.clone())).unwrap();
        for _ in 0..1000 {
            observe(&audit, "run");
        }
        audit.flush().await;
        let writes = writes.0.lock();
        assert!(!writes.is_empty());
        for write in &*writes {
            assert!(write.ends_with(b"\n") && write.len() <= AT_ONCE, "{} bytes", write.len());
        }
    }

    /// A writer that waits until it is let go.
    struct Stuck(Receiver<()>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _let_go = self.0.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stuck_disk_never_holds_up_a_hook_and_what_is_lost_is_counted() {
        let (release, stuck) = std::sync::mpsc::channel();
        let audit = Audit::to(Box::new(Stuck(stuck))).unwrap();
        for _ in 0..QUEUE + 500 {
            observe(&audit, "r");
        }
        assert!(audit.dropped.load(Ordering::Relaxed) > 0);
        drop(release);
    }
}
