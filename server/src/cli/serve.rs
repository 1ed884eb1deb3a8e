//! `sidehook serve`: arguments → configuration → sidecar → serve until a signal.

use super::{ConfigFile, Failed, block_on, compile, log};
use crate::{
    config::{
        Address, Compiled,
        reload::{Reloader, Seen},
    },
    runs::MemoryStore,
    service::{Listener, Server, Sidecar},
};
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Serves the hooks until SIGTERM or SIGINT. Then it drains: new runs are
/// refused, open runs and streams finish, and the process exits with 0 by
/// `drain.deadline`, also when a client hangs. A second signal ends it at once.
///
/// A changed configuration file is taken up while it serves, at once on SIGHUP.
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
        let file = self.file.config.as_deref();
        // Before it is read, so that a change from now on is noticed.
        let seen = Seen::first(file);
        let compiled = compile(file)?;
        log::start(&compiled.log)?;
        block_on(self.serve(compiled, seen))
    }

    async fn serve(&self, compiled: Compiled, seen: Seen) -> Result<(), Failed> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut asked = async move || {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        };
        let hangup = signal(SignalKind::hangup())?;
        let Compiled { limits, bounds, state, drain, .. } = compiled;
        let sidecar = Sidecar::new(limits, bounds, Arc::new(MemoryStore::new(state)));
        let listeners = listen(self.addresses(&compiled)).await?;
        let server = Server::start(Arc::clone(&sidecar), listeners)
            .await
            .map_err(|error| Failed::new(format!("reflection does not work: {error}")))?;
        let reloader = self.reloader(&compiled, seen, &sidecar);
        let config_hash = compiled.hash;
        let config_generation = sidecar.install(compiled.chains, &config_hash);
        server.ready().await;
        tracing::info!(config_generation, %config_hash, "serving");

        tokio::select! { () = asked() => {}, never = reload(reloader, hangup) => match never {} }
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

    fn addresses<'a>(&'a self, compiled: &'a Compiled) -> &'a [Address] {
        if self.listen.is_empty() { &compiled.listen } else { &self.listen }
    }

    fn reloader(
        &self,
        compiled: &Compiled,
        seen: Seen,
        sidecar: &Arc<Sidecar>,
    ) -> Option<Reloader> {
        let file = self.file.config.as_deref()?;
        let reloader = Reloader::new(file, seen, compiled, Arc::clone(sidecar));
        Some(if self.listen.is_empty() { reloader } else { reloader.without_listen() })
    }
}

async fn listen(addresses: &[Address]) -> Result<Vec<Listener>, Failed> {
    let mut listeners = Vec::new();
    for address in addresses {
        let listener = Listener::bind(address)
            .await
            .map_err(|error| Failed::new(format!("cannot listen on {address}: {error}")))?;
        tracing::info!(address = %listener.address()?, "listening");
        listeners.push(listener);
    }
    Ok(listeners)
}

/// Takes up changes of the configuration until the process is asked to stop.
async fn reload(reloader: Option<Reloader>, mut hangup: Signal) -> Infallible {
    let mut asked = async move || {
        hangup.recv().await;
        tracing::info!("asked to reload");
    };
    match reloader {
        Some(reloader) => reloader.run(asked).await,
        None => loop {
            asked().await;
            tracing::warn!("there is no configuration file to reload");
        },
    }
}
