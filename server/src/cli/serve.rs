//! `sidehook serve`: arguments → configuration → sidecar → serve until a signal.

use super::{ConfigFile, Failed, block_on, compile, log};
use crate::{
    config::{Address, Compiled},
    runs::MemoryStore,
    service::{Listener, Server, Sidecar},
};
use std::{sync::Arc, time::Duration};
use tokio::signal::unix::{SignalKind, signal};

/// Serves the hooks until SIGTERM or SIGINT. Then it drains: new runs are
/// refused, open runs and streams finish, and the process exits with 0 by
/// `drain.deadline`, also when a client hangs. A second signal ends it at once.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Serve {
    #[command(flatten)]
    file: ConfigFile,

    /// Listens here instead of at the configured addresses. May be repeated:
    /// `127.0.0.1:50051`, `unix:///run/sidehook/sidehook.sock`.
    #[arg(long, value_name = "ADDRESS")]
    listen: Vec<Address>,
}

/// Audit records and the like get so long to be written out.
const FLUSH_WITHIN: Duration = Duration::from_secs(2);

impl Serve {
    pub(super) fn run(self) -> Result<(), Failed> {
        let mut compiled = compile(self.file.config.as_deref())?;
        log::start(&compiled.log)?;
        if !self.listen.is_empty() {
            compiled.listen = self.listen;
        }
        block_on(serve(compiled))
    }
}

async fn serve(compiled: Compiled) -> Result<(), Failed> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut asked = async move || {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
    };
    let Compiled { chains, hash, listen, limits, bounds, state, drain, .. } = compiled;
    let sidecar = Sidecar::new(limits, bounds, Arc::new(MemoryStore::new(state)));
    let mut listeners = Vec::new();
    for address in &listen {
        let listener = Listener::bind(address)
            .await
            .map_err(|error| Failed::new(format!("cannot listen on {address}: {error}")))?;
        tracing::info!(address = %listener.address()?, "listening");
        listeners.push(listener);
    }
    let server = Server::start(Arc::clone(&sidecar), listeners)
        .await
        .map_err(|error| Failed::new(format!("reflection does not work: {error}")))?;
    let config_generation = sidecar.install(chains, &hash);
    server.ready().await;
    tracing::info!(config_generation, config_hash = %hash, "serving");

    asked().await;
    tracing::info!(open_runs = sidecar.runs().len(), ?drain, "draining");
    let stopped = async {
        server.stop(drain).await;
        let _late = tokio::time::timeout(FLUSH_WITHIN, sidecar.flush()).await;
    };
    tokio::select! {
        () = stopped => tracing::info!("stopped"),
        () = asked() => tracing::warn!("stopped at once, on a second signal"),
    }
    Ok(())
}
