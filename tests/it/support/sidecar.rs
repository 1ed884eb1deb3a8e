//! A sidecar in this process, behind a real socket.

use super::Runtime;
use sidehook_server::{
    config::{self, Address, Compiled},
    engine::{Chains, Link},
    runs::MemoryStore,
    service::{self, Listener, Server},
};
use std::{path::Path, sync::Arc, time::Duration};
use tempfile::TempDir;

/// A sidecar that is about to start.
pub(crate) struct SidecarBuilder {
    compiled: Compiled,
    tcp: bool,
    installed: bool,
}

/// A sidecar that serves. Dropping it is its death.
pub(crate) struct Sidecar {
    /// What is behind the socket.
    pub(crate) inner: Arc<service::Sidecar>,
    /// Where it listens.
    pub(crate) address: Address,
    /// The server, to stop it.
    pub(crate) server: Server,
    /// The compiled chains, when they are not yet in force.
    pub(crate) chains: Option<Chains>,
    _folder: TempDir,
}

impl Sidecar {
    /// A sidecar with this configuration; `version` need not be said.
    pub(crate) fn with(yaml: &str) -> SidecarBuilder {
        let text =
            if yaml.contains("version:") { yaml.into() } else { format!("version: 1\n{yaml}") };
        let compiled =
            config::compile("test.yaml", &text).unwrap_or_else(|error| panic!("{error}"));
        SidecarBuilder { compiled, tcp: false, installed: true }
    }

    /// A sidecar with this configuration as a file in `folder`, from where it finds others.
    pub(crate) fn in_folder(folder: &Path, yaml: &str) -> SidecarBuilder {
        let file = folder.join("sidehook.yaml");
        let compiled = config::compile(file.to_str().unwrap(), &format!("version: 1\n{yaml}"))
            .unwrap_or_else(|error| panic!("{error}"));
        SidecarBuilder { compiled, tcp: false, installed: true }
    }

    /// A sidecar with these links and otherwise with the defaults.
    pub(crate) fn of(links: Vec<Link>) -> SidecarBuilder {
        Self::with("").links(links)
    }

    /// A runtime with a connection of its own.
    pub(crate) fn runtime(&self) -> Runtime {
        Runtime::new(&self.address)
    }
}

impl SidecarBuilder {
    /// Puts these links in the place of the configured ones.
    pub(crate) fn links(mut self, links: Vec<Link>) -> Self {
        self.compiled.chains = Chains::new(links, Duration::from_secs(5));
        self
    }

    /// Listens on a TCP port instead of a Unix socket.
    pub(crate) fn on_tcp(mut self) -> Self {
        self.tcp = true;
        self
    }

    /// Serves before its chains are in force.
    pub(crate) fn without_chains(mut self) -> Self {
        self.installed = false;
        self
    }

    pub(crate) async fn start(self) -> Sidecar {
        let Compiled { chains, hash, limits, bounds, state, .. } = self.compiled;
        let folder = tempfile::tempdir().unwrap();
        let address = if self.tcp {
            Address::Tcp { host: "127.0.0.1".into(), port: 0 }
        } else {
            Address::Unix(folder.path().join("sidehook.sock"))
        };
        let listener = Listener::bind(&address).await.unwrap();
        let address = listener.address().unwrap();
        let inner = service::Sidecar::new(limits, bounds, Arc::new(MemoryStore::new(state)));
        let server = Server::start(Arc::clone(&inner), vec![listener]).await.unwrap();
        let mut waiting = Some(chains);
        if self.installed {
            inner.install(waiting.take().unwrap(), &hash);
            server.ready().await;
        }
        Sidecar { inner, address, server, chains: waiting, _folder: folder }
    }
}
