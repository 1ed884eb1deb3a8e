//! Runs a server on a thread of its own with one worker, on a Unix socket.

use super::Error;
use sidehook_server::{
    config::Address,
    engine::Chains,
    runs::{Bounds, MemoryStore, StateBounds},
    service::{Limits, Listener, Server, Sidecar},
};
use std::{fs, path::PathBuf, sync::Arc, sync::mpsc, thread, time::Duration};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tonic::transport::{Channel, Endpoint};

/// A server that runs until it is dropped.
pub(crate) struct Host {
    /// Of its threads.
    name: &'static str,
    socket: PathBuf,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<Result<(), Error>>>,
    _folder: TempDir,
}

impl Host {
    /// Runs what `serve` makes: it listens on the socket, says so, and serves
    /// until it is told to stop.
    pub(crate) fn start<F>(
        name: &'static str,
        serve: impl FnOnce(PathBuf, mpsc::Sender<()>, oneshot::Receiver<()>) -> F + Send + 'static,
    ) -> Result<Self, Error>
    where
        F: Future<Output = Result<(), Error>>,
    {
        let folder = tempfile::tempdir()?;
        let socket = folder.path().join("socket");
        let (ready, is_ready) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name(name)
            .enable_all()
            .build()?;
        let path = socket.clone();
        let thread = thread::Builder::new()
            .name(name.into())
            .spawn(move || runtime.block_on(serve(path, ready, stopped)))?;
        let mut host =
            Self { name, socket, stop: Some(stop), thread: Some(thread), _folder: folder };
        if is_ready.recv().is_err() {
            host.join()?;
        }
        Ok(host)
    }

    /// Runs a sidecar with `chains` and otherwise the defaults.
    pub(crate) fn sidecar(chains: Chains) -> Result<Self, Error> {
        Self::start("sidehook", |socket, ready, stop| async move {
            let bounds = Bounds {
                idle_ttl: Duration::from_secs(1800),
                max_age: Duration::from_secs(24 * 3600),
                max_runs: 100_000,
            };
            let state = StateBounds { value_bytes: 1 << 20, run_bytes: 8 << 20 };
            let store = Arc::new(MemoryStore::new(state));
            let sidecar = Sidecar::new(Limits::default(), bounds, store);
            sidecar.install(chains, "bench");
            let listener = Listener::bind(&Address::Unix(socket)).await?;
            let server = Server::start(sidecar, vec![listener]).await?;
            ready.send(())?;
            drop(stop.await);
            server.stop(Duration::ZERO).await;
            Ok(())
        })
    }

    /// A connection to it.
    pub(crate) async fn connect(&self) -> Result<Channel, Error> {
        let address = format!("unix://{}", self.socket.display());
        Ok(Endpoint::from_shared(address)?.connect().await?)
    }

    /// The processor time that its threads have used.
    pub(crate) fn processor_time(&self) -> Result<Duration, Error> {
        processor_time(self.name)
    }

    fn join(&mut self) -> Result<(), Error> {
        drop(self.stop.take());
        match self.thread.take().map(thread::JoinHandle::join) {
            Some(Ok(ended)) => ended,
            Some(Err(_)) => Err(format!("the server `{}` panicked", self.name).into()),
            None => Ok(()),
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // What it failed with was seen by the calls.
        let _ended = self.join();
    }
}

/// The processor time that the threads with this name have used.
pub(crate) fn processor_time(name: &str) -> Result<Duration, Error> {
    let mut used = Duration::ZERO;
    for task in fs::read_dir("/proc/self/task")? {
        let task = task?.path();
        if fs::read_to_string(task.join("comm"))?.trim_end() == name {
            let statistics = fs::read_to_string(task.join("schedstat"))?;
            let nanos = statistics.split(' ').next().unwrap_or_default().parse()?;
            used += Duration::from_nanos(nanos);
        }
    }
    Ok(used)
}
