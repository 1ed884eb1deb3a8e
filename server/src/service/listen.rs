//! Where the sidecar listens: TCP addresses and Unix sockets.

use std::{
    fmt, io,
    net::SocketAddr,
    os::unix::net::UnixStream as BlockingUnixStream,
    path::{Path, PathBuf},
    str::FromStr,
};
use tokio::net::{TcpListener, UnixListener};

/// An address to listen on, or to connect to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A host and a port, for example `127.0.0.1:50051`.
    Tcp(String),
    /// An absolute path, written `unix:///run/sidehook/sidehook.sock`.
    Unix(PathBuf),
}

/// Says that a text is no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no address; write `HOST:PORT` or `unix:///ABSOLUTE/PATH`")]
pub struct NoAddress(String);

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        if let Some(path) = text.strip_prefix("unix://") {
            let path = PathBuf::from(path);
            return if path.is_absolute() {
                Ok(Self::Unix(path))
            } else {
                Err(NoAddress(text.into()))
            };
        }
        let text = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
        match text.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(text.into()))
            }
            _ => Err(NoAddress(text.into())),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => f.write_str(address),
            Self::Unix(path) => write!(f, "unix://{}", path.display()),
        }
    }
}

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
            Address::Tcp(address) => Ok(Self::Tcp(TcpListener::bind(address).await?)),
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
            Self::Tcp(listener) => {
                listener.local_addr().map(|address: SocketAddr| Address::Tcp(address.to_string()))
            }
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

    #[test]
    fn an_address_is_a_host_and_a_port_or_a_path() {
        for good in ["127.0.0.1:50051", "[::1]:0", "localhost:1", "unix:///run/s.sock"] {
            assert_eq!(good.parse::<Address>().unwrap().to_string(), good);
        }
        assert_eq!("http://127.0.0.1:1/".parse(), Ok(Address::Tcp("127.0.0.1:1".into())));
        for wrong in ["", "127.0.0.1", ":1", "host:99999", "unix://relative", "50051"] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
    }

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
