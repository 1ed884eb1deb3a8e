//! The rows that start the real binary: how much memory it holds, and how soon
//! it serves.

use super::{Error, compare::middle, methods::context, options::Options, table::Table};
use sidehook_proto::v1::{StartRunRequest, run_hooks_client::RunHooksClient};
use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

/// How often a process that starts is asked whether it serves.
const ASK_EVERY: Duration = Duration::from_micros(500);

/// A process that has nothing to do gets so long to settle.
const SETTLE: Duration = Duration::from_millis(300);

/// Resident memory when idle, and for each open run.
pub(crate) async fn memory(options: &Options, table: &mut Table) -> Result<(), Error> {
    if !options.wants("memory") {
        return Ok(());
    }
    let process = Process::start(&[])?;
    let channel = process.serving().await?;
    sleep(SETTLE).await;
    let idle = process.resident()?;
    table.alone("memory", "resident, idle", (idle / MIB, 20.0), "MiB")?;

    // The first runs also pay for what every process needs once.
    let warm_up = options.runs / 10;
    open(&channel, 0..warm_up).await?;
    let before = process.resident()?;
    open(&channel, warm_up..options.runs).await?;
    let opened = f64::from(u32::try_from(options.runs - warm_up)?);
    let each = (process.resident()? - before) / opened;
    table.alone("memory", "per open run", (each, 1024.0), "bytes")
}

/// The resident memory, in MiB, of a process that was started with these
/// arguments and has nothing to do.
pub(crate) async fn idle(arguments: &[&str]) -> Result<f64, Error> {
    let process = Process::start(arguments)?;
    process.serving().await?;
    sleep(SETTLE).await;
    Ok(process.resident()? / MIB)
}

/// The time from the start of the process until health says that it serves.
pub(crate) async fn start(options: &Options, table: &mut Table) -> Result<(), Error> {
    if !options.wants("start") {
        return Ok(());
    }
    let mut times = Vec::new();
    for _ in 0..options.starts {
        let started = Instant::now();
        let process = Process::start(&[])?;
        process.serving().await?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    table.alone("start", "until it serves, median", (middle(times), 50.0), "ms")
}

pub(crate) const MIB: f64 = 1_048_576.0;

/// Opens the runs with `numbers`, many at a time.
async fn open(channel: &Channel, numbers: std::ops::Range<usize>) -> Result<(), Error> {
    let mut opening = tokio::task::JoinSet::new();
    for number in numbers {
        if opening.len() >= 64
            && let Some(opened) = opening.join_next().await
        {
            opened??;
        }
        let mut client = RunHooksClient::new(channel.clone());
        let context = Some(context(number));
        let request = StartRunRequest { context, ..StartRunRequest::default() };
        opening.spawn(async move { client.start_run(request).await.map(drop) });
    }
    while let Some(opened) = opening.join_next().await {
        opened??;
    }
    Ok(())
}

/// `sidehook serve` as a process of its own, until it is dropped.
struct Process {
    child: Child,
    socket: PathBuf,
    _folder: TempDir,
}

impl Process {
    /// Starts it with these arguments, else with the embedded default
    /// configuration.
    fn start(arguments: &[&str]) -> Result<Self, Error> {
        let folder = tempfile::tempdir()?;
        let socket = folder.path().join("socket");
        let child = Command::new(env!("CARGO_BIN_EXE_sidehook"))
            .arg("serve")
            .arg(format!("--listen=unix://{}", socket.display()))
            .args(arguments)
            .env_remove("SIDEHOOK_CONFIG")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { child, socket, _folder: folder })
    }

    /// Waits until it says that it serves.
    async fn serving(&self) -> Result<Channel, Error> {
        let endpoint = Endpoint::from_shared(format!("unix://{}", self.socket.display()))?;
        let asked = async {
            loop {
                if let Ok(channel) = endpoint.connect().await
                    && serves(channel.clone()).await
                {
                    return channel;
                }
                sleep(ASK_EVERY).await;
            }
        };
        Ok(tokio::time::timeout(Duration::from_secs(10), asked).await?)
    }

    /// The bytes of memory that it holds.
    fn resident(&self) -> Result<f64, Error> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib: f64 = line.ok_or("no VmRSS")?.trim().trim_end_matches(" kB").parse()?;
        Ok(kib * 1024.0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _killed = self.child.kill();
        let _reaped = self.child.wait();
    }
}

async fn serves(channel: Channel) -> bool {
    let asked = HealthClient::new(channel).check(HealthCheckRequest::default()).await;
    asked.is_ok_and(|answer| answer.get_ref().status() == ServingStatus::Serving)
}
