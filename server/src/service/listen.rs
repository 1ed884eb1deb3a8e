//! Where the sidecar listens: TCP addresses and Unix sockets.

use crate::config::Address;
use std::{
    io,
    os::unix::net::UnixStream as BlockingUnixStream,
    path::{Path, PathBuf},
};
use tokio::net::{TcpListener, UnixListener};

/// A bound address.
#[derive(Debug)]
pub enum Listener {
    /// A TCP port.
    Tcp(TcpListener),
    /// A Unix socket, whose file is removed with it.
    Unix(UnixListener, SocketFile),
}

/// The file of a Unix socket. Removed last, so that it never points nowhere
/// while somebody is still served.
#[derive(Debug)]
pub struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.0) {
            tracing::debug!(path = %self.0.display(), %error, "socket file is not removed");
        }
    }
}

impl Listener {
    /// Binds `address`. A socket file that nobody serves any more is replaced; a
    /// live one is not.
    ///
    /// # Errors
    ///
    /// The address is in use, or cannot be bound.
    pub async fn bind(address: &Address) -> io::Result<Self> {
        match address {
            Address::Tcp { host, port } => {
                Ok(Self::Tcp(TcpListener::bind((host.as_str(), *port)).await?))
            }
            Address::Unix(path) => {
                remove_stale(path)?;
                Ok(Self::Unix(UnixListener::bind(path)?, SocketFile(path.clone())))
            }
        }
    }

    /// The address that it is bound to, with the port that was chosen for 0.
    ///
    /// # Errors
    ///
    /// The socket is gone.
    pub fn address(&self) -> io::Result<Address> {
        match self {
            Self::Tcp(listener) => listener
                .local_addr()
                .map(|bound| Address::Tcp { host: bound.ip().to_string(), port: bound.port() }),
            Self::Unix(_, SocketFile(path)) => Ok(Address::Unix(path.clone())),
        }
    }
}

fn remove_stale(path: &Path) -> io::Result<()> {
    match BlockingUnixStream::connect(path) {
        Ok(_) => Err(io::Error::new(io::ErrorKind::AddrInUse, "another process serves it")),
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            std::fs::remove_file(path)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stale_socket_is_replaced_and_a_live_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let address = Address::Unix(folder.path().join("s.sock"));
        let Listener::Unix(socket, file) = Listener::bind(&address).await.unwrap() else {
            panic!()
        };
        assert_eq!(Listener::bind(&address).await.unwrap_err().kind(), io::ErrorKind::AddrInUse);
        // A process that was killed leaves its file behind.
        std::mem::forget(file);
        drop(socket);
        Listener::bind(&address).await.unwrap();
    }
}
